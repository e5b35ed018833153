/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the lengths of the queues of messages and receives, and the work of
 * the engines that match them. */
#include "cli/list_columns.h"

/* Sums over all ranks and communicators. */
struct matching_sums {
    const struct match_counts *umq, *prq; /* the longest ones */
    uint64_t passes;
    double busy_s; /* the busiest engine's */
};

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
    printf("  %-8s", "rank");
    list_print_head(LIST_queues);
    for (size_t i = 0; i < o->nqueues; i++) {
        printf("  %-8u", o->queues[i].rank);
        list_print_entry(LIST_queues, o, i);
    }
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
    if (r->details)
        json_add(m, "queues", list_array(LIST_queues, o, true));
    json_add(x, "matching", m);
}
