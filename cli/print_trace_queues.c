/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the matching queues of a trace, as text and as CSV. */
#include "cli/print_trace_queues.h"

#include "base/doubles.h"

#include <stdio.h>
#include <stdlib.h>

/* --- of all ranks --------------------------------------------------------- */

enum { NCOLUMNS = 6 };

struct column {
    const char *name;
    double (*of)(const struct rank_queues *r);
};

static double longest_umq(const struct rank_queues *r)
{
    return (double)r->all.umq.most;
}

static double longest_prq(const struct rank_queues *r)
{
    return (double)r->all.prq.most;
}

static double mean_umq(const struct rank_queues *r)
{
    return queue_mean(&r->all.umq);
}

static double mean_prq(const struct rank_queues *r)
{
    return queue_mean(&r->all.prq);
}

static double unexpected(const struct rank_queues *r)
{
    return r->all.messages
               ? 100 * (double)r->all.unexpected / (double)r->all.messages
               : 0;
}

/* Returns the mean number of entries that a match looked at. */
static double looked_at(const struct rank_queues *r)
{
    uint64_t matched = r->all.messages - r->all.umq.now;

    return matched ? (double)r->all.looked_at / (double)matched : 0;
}

static const struct column lengths[NCOLUMNS] = {
    {"longest UMQ", longest_umq},
    {"longest PRQ", longest_prq},
    {"mean UMQ when searched", mean_umq},
    {"mean PRQ when searched", mean_prq},
    {"entries looked at a match", looked_at},
    {"% of messages unexpected", unexpected}};

static double count_peers(const struct rank_queues *r)
{
    return r->peers;
}

static double count_tags(const struct rank_queues *r)
{
    return r->tags;
}

static double count_contexts(const struct rank_queues *r)
{
    return r->contexts;
}

static double frequent(const struct rank_queues *r)
{
    return r->all.messages
               ? 100 * (double)r->most_frequent / (double)r->all.messages
               : 0;
}

static const struct column others[] = {{"peers", count_peers},
                                       {"tags", count_tags},
                                       {"communicators", count_contexts},
                                       {"% of most frequent tuple", frequent}};

/* Prints minimum, quartiles, maximum and mean over the ranks that the trace
 * has. */
static void print_column(const struct column *c, const struct trace_queues *q,
                         const struct trace *t)
{
    double *v = xcalloc(q->ranks, sizeof *v), sum = 0;
    size_t n = 0;

    for (uint32_t r = 0; r < q->ranks; r++)
        if (!t->rank[r].missing)
            sum += v[n++] = c->of(&q->rank[r]);
    if (n) {
        doubles_sort(v, n);
        printf("%-28s %9.6g %9.6g %9.6g %9.6g %9.6g %9.6g\n", c->name, v[0],
               v[(n - 1) / 4], v[(n - 1) / 2], v[(n - 1) * 3 / 4], v[n - 1],
               sum / (double)n);
    }
    free(v);
}

static void print_counts(const struct trace_queues *q)
{
    uint64_t messages = 0, receives = 0, any_rank = 0, any_tag = 0;

    for (uint32_t r = 0; r < q->ranks; r++) {
        messages += q->rank[r].all.messages;
        receives += q->rank[r].all.receives;
        any_rank += q->rank[r].all.any_rank;
        any_tag += q->rank[r].all.any_tag;
    }
    printf("messages %llu, receives %llu, of any source %llu, of any tag "
           "%llu; %llu tags, %llu communicators\n",
           (unsigned long long)messages, (unsigned long long)receives,
           (unsigned long long)any_rank, (unsigned long long)any_tag,
           (unsigned long long)q->tags, (unsigned long long)q->contexts);
}

static void print_lacks(const struct trace_queues *q, const struct trace *t)
{
    if (q->missing)
        printf("%u ranks are missing: no queues, only what is used\n",
               q->missing);
    if (!t->has_clock)
        puts("no clocks: the ranks take turns, an event each");
    if (q->cancelled)
        printf("%llu receives are cancelled: until then they are in the PRQ\n",
               (unsigned long long)q->cancelled);
    if (q->unknown)
        printf("%llu messages and receives have peers that are not known: "
               "only their tags and wildcards\n",
               (unsigned long long)q->unknown);
    if (q->forced)
        printf("%llu times no rank could go on: the first did all the same\n",
               (unsigned long long)q->forced);
}

/* --- of each rank --------------------------------------------------------- */

static void print_ranks(const struct trace_queues *q, const struct trace *t)
{
    printf("\n%6s %9s %9s %9s %9s %9s %9s %6s %6s\n", "rank", "longest",
           "longest", "messages", "receives", "unexpec.", "looked at", "peers",
           "tags");
    printf("%6s %9s %9s\n", "", "UMQ", "PRQ");
    for (uint32_t r = 0; r < q->ranks; r++) {
        const struct rank_queues *k = &q->rank[r];
        if (!t->rank[r].missing)
            printf("%6u %9llu %9llu %9llu %9llu %9llu %9llu %6u %6u\n", r,
                   (unsigned long long)k->all.umq.most,
                   (unsigned long long)k->all.prq.most,
                   (unsigned long long)k->all.messages,
                   (unsigned long long)k->all.receives,
                   (unsigned long long)k->all.unexpected,
                   (unsigned long long)k->all.looked_at, k->peers, k->tags);
    }
}

void trace_queues_print(const struct trace_queues *q, const struct trace *t,
                        bool details)
{
    print_counts(q);
    print_lacks(q, t);
    printf("\n%-28s %9s %9s %9s %9s %9s %9s\n", "of the ranks", "least",
           "quarter", "median", "3/4", "most", "mean");
    for (int i = 0; i < NCOLUMNS && !q->missing; i++)
        print_column(&lengths[i], q, t);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        print_column(&others[i], q, t);
    if (details)
        print_ranks(q, t);
}

void trace_queues_print_csv(const struct trace_queues *q, const struct trace *t)
{
    puts("rank,ranks,missing,umq_most,umq_mean,prq_most,prq_mean,messages,"
         "receives,unexpected,left_messages,left_receives,any_source,any_tag,"
         "looked_at,peers,tags,communicators,most_frequent,all_tags,"
         "all_communicators");
    for (uint32_t r = 0; r < q->ranks; r++) {
        const struct rank_queues *k = &q->rank[r];
        const uint64_t counts[] = {k->all.messages,   k->all.receives,
                                   k->all.unexpected, k->all.umq.now,
                                   k->all.prq.now,    k->all.any_rank,
                                   k->all.any_tag,    k->all.looked_at};
        if (t->rank[r].missing)
            continue;
        printf("%u,%u,%u,%llu,%.6g,%llu,%.6g", r, q->ranks, q->missing,
               (unsigned long long)k->all.umq.most, queue_mean(&k->all.umq),
               (unsigned long long)k->all.prq.most, queue_mean(&k->all.prq));
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
            printf(",%llu", (unsigned long long)counts[i]);
        printf(",%u,%u,%u,%llu,%llu,%llu\n", k->peers, k->tags, k->contexts,
               (unsigned long long)k->most_frequent,
               (unsigned long long)q->tags, (unsigned long long)q->contexts);
    }
}
