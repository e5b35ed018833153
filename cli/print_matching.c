/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the lengths of the queues of messages and receives, and the work of
 * the engines that match them. */
#include "cli/print_run.h"

/* Sums over all ranks and communicators. */
struct matching_sums {
    const struct match_counts *umq, *prq; /* the longest ones */
    uint64_t passes;
    double busy_s; /* the busiest engine's */
};

static double mean(const struct match_length *l)
{
    return l->searches ? (double)l->sum / (double)l->searches : 0;
}

static bool is_shown(const struct run_results *r, const struct outcome *o)
{
    return o->nqueues &&
           (r->details || r->job->machine->matching.engine != MATCHER_NONE);
}

static struct matching_sums sum_up(const struct outcome *o)
{
    struct matching_sums s = {.umq = o->queues, .prq = o->queues};

    for (size_t i = 0; i < o->nqueues; i++) {
        const struct match_counts *q = &o->queues[i];
        s.umq = q->umq.most > s.umq->umq.most ? q : s.umq;
        s.prq = q->prq.most > s.prq->prq.most ? q : s.prq;
        s.busy_s = q->busy_s > s.busy_s ? q->busy_s : s.busy_s;
        s.passes += q->passes;
    }
    return s;
}

static void print_queue(const struct match_counts *q)
{
    printf("  %-8u %10u %8u %10.1f %8u %10.1f %9llu %12.2f %8u\n", q->rank,
           q->context, q->prq.most, mean(&q->prq), q->umq.most, mean(&q->umq),
           (unsigned long long)q->passes, q->busy_s * 1e6, q->most_waiting);
}

void print_matching(const struct run_results *r, const struct outcome *o)
{
    const struct matching *l = &r->job->machine->matching;

    if (!is_shown(r, o))
        return;
    struct matching_sums s = sum_up(o);
    printf("%s: matching by %s: at most %u receives posted (rank %u), %u "
           "messages unexpected (rank %u)\n",
           o->name, l->name ? l->name : matcher_names[l->engine],
           s.prq->prq.most, s.prq->rank, s.umq->umq.most, s.umq->rank);
    if (s.passes)
        printf("%s: %llu passes of matching engines, the busiest for %.2f us\n",
               o->name, (unsigned long long)s.passes, s.busy_s * 1e6);
    if (!r->details)
        return;
    printf("  %-8s %10s %8s %10s %8s %10s %9s %12s %8s\n", "rank", "communic.",
           "PRQ most", "mean", "UMQ most", "mean", "passes", "busy us",
           "at once");
    for (size_t i = 0; i < o->nqueues; i++)
        print_queue(&o->queues[i]);
}

static struct json *queue_json(const struct match_counts *q)
{
    struct json *o = json_new_object();

    json_add_number(o, "rank", q->rank);
    json_add_number(o, "communicator", q->context);
    json_add_number(o, "prq_most", q->prq.most);
    json_add_number(o, "prq_mean", mean(&q->prq));
    json_add_number(o, "umq_most", q->umq.most);
    json_add_number(o, "umq_mean", mean(&q->umq));
    json_add_number(o, "passes", (double)q->passes);
    json_add_number(o, "busy_s", q->busy_s);
    json_add_number(o, "most_at_once", q->most_waiting);
    return o;
}

void add_matching(struct json *x, const struct run_results *r,
                  const struct outcome *o)
{
    const struct matching *l = &r->job->machine->matching;

    if (!is_shown(r, o))
        return;
    struct matching_sums s = sum_up(o);
    struct json *m = json_new_object();
    json_add_string(m, "engine", matcher_names[l->engine]);
    if (l->name)
        json_add_string(m, "preset", l->name);
    json_add_number(m, "prq_most", s.prq->prq.most);
    json_add_number(m, "umq_most", s.umq->umq.most);
    json_add_number(m, "passes", (double)s.passes);
    json_add_number(m, "busiest_s", s.busy_s);
    if (r->details) {
        struct json *list = json_new_array();
        for (size_t i = 0; i < o->nqueues; i++)
            json_append(list, queue_json(&o->queues[i]));
        json_add(m, "queues", list);
    }
    json_add(x, "matching", m);
}
