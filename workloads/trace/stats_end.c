/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums up pairs of ranks, tags and names of a trace once its events are
 * counted. */
#include "workloads/trace/stats_end.h"

#include <stdlib.h>
#include <string.h>

const char *const trace_call_names[NTRACE_CALLS] = {
    [TRACE_COMPUTE] = "compute",
    [TRACE_SEND] = "send",
    [TRACE_RECV] = "receive",
    [TRACE_PROBE] = "probe",
    [TRACE_WAIT] = "wait",
    [TRACE_POLL] = "test",
    [TRACE_COLLECTIVE] = "collective",
    [TRACE_COMM] = "communicator",
    [TRACE_PUT] = "put",
    [TRACE_GET] = "get",
    [TRACE_FLUSH] = "flush",
    [TRACE_CANCEL] = "cancel",
    [TRACE_INIT] = "start",
    [TRACE_FINALIZE] = "end",
    [TRACE_OTHER] = "other",
    [TRACE_UNKNOWN] = "unknown",
};

static void pair_check(struct trace_stats *s, uint32_t from, uint32_t to,
                       uint64_t sent, uint64_t received)
{
    const struct trace *t = s->trace;

    if (t->rank[from].missing || t->rank[to].missing ||
        s->rank[to].unresolved || sent == received)
        return;
    s->odd_pairs++;
    s->unreceived += sent > received ? sent - received : 0;
    s->unsent += received > sent ? received - sent : 0;
}

/* Counts and checks the pairs of a rank. Each pair is checked at its sender or,
 * if that sends nothing, at its receiver. */
static void pairs_end(struct trace_stats *s, const struct tally *peers,
                      uint32_t rank)
{
    const struct tally *mine = &peers[rank];

    for (size_t i = 0; i < mine->size; i++) {
        const struct tally_row *row = &mine->rows[i];
        if (!row->count)
            continue;
        uint32_t other = row->key[0];
        if (row->key[1] == TRACE_SENT) {
            s->pairs++;
            s->rank[rank].peers++;
            pair_check(s, rank, other, row->count,
                       tally_of(&peers[other], rank, TRACE_RECEIVED, 0));
            continue;
        }
        s->rank[rank].peers += !tally_of(mine, other, TRACE_SENT, 0);
        s->pairs += s->trace->rank[other].missing;
        if (!tally_of(&peers[other], rank, TRACE_SENT, 0))
            pair_check(s, other, rank, 0, row->count);
    }
}

static int most_frequent_first(const void *a, const void *b)
{
    const struct trace_tag *x = a, *y = b;

    if (x->messages != y->messages)
        return x->messages > y->messages ? -1 : 1;
    return x->tag < y->tag ? -1 : x->tag > y->tag;
}

static void tags_end(struct trace_stats *s, const struct tally *tags)
{
    s->tags = xcalloc(tags->used, sizeof *s->tags);
    for (size_t i = 0; i < tags->size; i++)
        if (tags->rows[i].count)
            s->tags[s->ntags++] =
                (struct trace_tag){tags->rows[i].key[0], tags->rows[i].count};
    if (s->ntags)
        qsort(s->tags, s->ntags, sizeof *s->tags, most_frequent_first);
}

static int most_calls_first(const void *a, const void *b)
{
    const struct trace_name *x = a, *y = b;

    if (x->calls != y->calls)
        return x->calls > y->calls ? -1 : 1;
    return strcmp(x->name, y->name);
}

void trace_stats_end(struct trace_stats *s, const struct tally *peers,
                     const struct tally *tags)
{
    for (uint32_t r = 0; r < s->trace->ranks; r++)
        pairs_end(s, peers, r);
    tags_end(s, tags);
    if (s->nnames)
        qsort(s->names, s->nnames, sizeof *s->names, most_calls_first);
}

void trace_stats_clear(struct trace_stats *s)
{
    for (size_t i = 0; i < s->nnames; i++)
        free(s->names[i].name);
    free(s->names);
    free(s->rank);
    free(s->comm);
    free(s->unknown_comm_first);
    free(s->tags);
    trace_comms_free(s->comms);
    *s = (struct trace_stats){0};
}

struct trace_range
trace_stats_range(const struct trace_stats *s,
                  double (*of)(const struct trace_rank_stats *))
{
    struct trace_range range = {INFINITY, 0, -INFINITY};
    uint32_t n = 0;

    for (uint32_t r = 0; r < s->trace->ranks; r++) {
        double value = of(&s->rank[r]);
        if (s->trace->rank[r].missing || isnan(value))
            continue;
        range.least = fmin(range.least, value);
        range.most = fmax(range.most, value);
        range.mean += value;
        n++;
    }
    if (!n)
        return (struct trace_range){0, 0, 0};
    range.mean /= n;
    return range;
}

uint64_t trace_size_from(int i)
{
    return i ? UINT64_C(1) << (i - 1) : 0;
}
