/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several pairs of ranks of two nodes do ping-pongs at once. */
#include "validate/native/bench.h"
#include "validate/native/ping.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COUNTS = 40, ELEMENT = 4 };

struct pairs {
    const struct native *n;
    const struct bench_options *o;
    struct table *t;
    unsigned *sockets; /* one per rank */
    int most;          /* most pairs */
    bool split;        /* a size is the sum of all pairs */
};

/* Returns this rank's part: rank k of node 0 is paired with rank k of node 1,
 * for k < pairs. */
static struct ping own_part(const struct native *n, int pairs, void *buffer,
                            int bytes)
{
    struct ping p = {.buffer = buffer, .bytes = bytes, .first = n->node == 0};

    p.other = p.first ? n->rank + n->per_node : n->rank - n->per_node;
    if (n->node < 2 && n->local < pairs)
        p.n = n;
    return p;
}

static double pairs_batch(void *arg, unsigned iterations)
{
    const struct ping *p = arg;

    return p->n ? ping_time(p, iterations) : 0;
}

static void point(const struct pairs *b, int pairs, uint64_t size,
                  const char *device, void *buffer)
{
    const struct repeat how = {.per_point_s = b->o->native.per_point_s};
    uint64_t bytes =
        b->split ? size / ELEMENT / (uint64_t)pairs * ELEMENT : size;
    char sizes[48];
    struct samples s;
    int near = 0;

    if (b->split && bytes < ELEMENT)
        return;
    struct ping p = own_part(b->n, pairs, buffer, (int)bytes);
    for (int k = 0; k < pairs; k++)
        near += b->sockets[k] == 0;
    if (b->split)
        snprintf(sizes, sizeof sizes, "%llu,%llu", (unsigned long long)size,
                 (unsigned long long)bytes);
    else
        snprintf(sizes, sizeof sizes, "%llu", (unsigned long long)bytes);
    if (p.n)
        ping_check(&p);
    repeat(&s, b->n, &how, pairs_batch, &p);
    for (size_t i = 0; i < s.n; i++)
        table_row(b->t, "%s,%d,%d,%s,%u,%.6e,", device, pairs, near, sizes,
                  s.iterations, s.s[i]);
    samples_clear(&s);
}

static void pairs_time(void *arg, const char *device, void *buffer)
{
    const struct pairs *b = arg;
    bool gpu = !strcmp(device, "gpu");
    int most = b->most;

    /* There is at most one pair per GPU, because rank k has GPU k. */
    if (gpu && (unsigned)most > b->n->gpu->count)
        most = (int)b->n->gpu->count;
    int step = (most + MOST_COUNTS - 1) / MOST_COUNTS;
    for (uint64_t size = b->o->sizes.from; size <= b->o->sizes.to;
         size *= b->o->sizes.factor)
        for (int pairs = 1; pairs <= most; pairs++)
            if (pairs == most || (pairs - 1) % step == 0)
                point(b, pairs, size, device, buffer);
}

static int pairs_run(struct native *n, int argc, char **argv, bool split,
                     struct err *err)
{
    static const char *const notes[] = {
        "pair k: rank k of node 0 with rank k of node 1; pairs 0 to "
        "active_pairs-1 do ping-pongs at once, not synchronised after the "
        "start; all other ranks sleep",
        "time_s is ONE-WAY: elapsed/(2*iterations), maximum over all active "
        "ranks; one row a batch, after two that do not count",
        "bytes_per_message: what every pair sends; with total_bytes it is "
        "4*floor(total_bytes/4/active_pairs)",
        "pairs_socket0: how many of the ranks of node 0 sit on socket 0; gpu "
        "pair k uses GPU k of both nodes",
        NULL};
    unsigned pairs = 0;
    const struct opt more[] = {
        {"pairs", OPT_COUNT, &pairs, "N", "at most N pairs (ranks of a node)"},
        {0}};
    struct bench_options o = {
        .sizes = {ELEMENT, 512u << 10},
        .about = split ? "Ranks 0 to n-1 of one node do ping-pongs with those "
                         "of another, all at once, for "
                         "n = 1, 2, ...; each pair sends its share of --sizes. "
                         "The time is one way, of the "
                         "slowest pair.\n"
                       : "Ranks 0 to n-1 of one node do ping-pongs with those "
                         "of another, all at once, for "
                         "n = 1, 2, ...; each pair sends --sizes. The time is "
                         "one way, of the slowest pair.\n"};
    struct table t;
    struct pairs b = {.n = n, .o = &o, .t = &t, .split = split};
    bool helped;

    if (bench_begin(n, &o, argc, argv,
                    split ? "node_pong [OPTIONS]" : "maxrate [OPTIONS]", more,
                    &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (bench_ranks(&b.most, n, argv[0], "pairs", pairs, err) < 0 ||
        table_open(&t, n, &o.native,
                   split ? "one message of total_bytes between two nodes, "
                           "split over n pairs of ranks"
                         : "ping-pongs of n pairs of ranks of two nodes at "
                           "once",
                   notes,
                   split ? "device,active_pairs,pairs_socket0,total_bytes,"
                           "bytes_per_message,iterations,time_s,same_rack"
                         : "device,active_pairs,pairs_socket0,"
                           "bytes_per_message,iterations,time_s,same_rack",
                   err) < 0)
        return -1;
    b.sockets = native_sockets(n);
    int result = bench_memories(n, &o, o.sizes.to, pairs_time, &b, err);
    free(b.sockets);
    return table_end(&t, n, result, err);
}

int bench_maxrate(struct native *n, int argc, char **argv, struct err *err)
{
    return pairs_run(n, argc, argv, false, err);
}

int bench_node_pong(struct native *n, int argc, char **argv, struct err *err)
{
    return pairs_run(n, argc, argv, true, err);
}
