/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace_toys.h - traces written down in a test: events in memory, in the order
 * of each rank. */
#ifndef TESTS_TRACE_TOYS_H
#define TESTS_TRACE_TOYS_H

#include "base/err.h"
#include "workloads/trace/trace.h"

#include <stdlib.h>

struct trace_toy_rank {
    struct trace_event *events;
    size_t n, at;
};

static inline int trace_toy_next(struct trace *t, uint32_t rank,
                                 struct trace_event *e, struct err *err)
{
    struct trace_toy_rank *r = (struct trace_toy_rank *)t->state + rank;

    (void)err;
    if (r->at == r->n)
        return 0;
    *e = r->events[r->at++];
    return 1;
}

static inline int trace_toy_rewind(struct trace *t, uint32_t rank,
                                   struct err *err)
{
    (void)err;
    ((struct trace_toy_rank *)t->state)[rank].at = 0;
    return 0;
}

static inline void trace_toy_close(struct trace *t)
{
    struct trace_toy_rank *ranks = t->state;

    for (uint32_t r = 0; r < t->ranks; r++)
        free(ranks[r].events);
    free(ranks);
}

static const struct trace_format trace_toy_format = {
    .name = "toy",
    .next = trace_toy_next,
    .rewind = trace_toy_rewind,
    .close = trace_toy_close,
};

/* Makes an empty trace, which trace_close() frees. */
static inline void trace_toy_open(struct trace *t, uint32_t ranks)
{
    *t = (struct trace){.format = &trace_toy_format, .path = xstrdup("toy")};
    trace_set_ranks(t, ranks);
    for (uint32_t r = 0; r < ranks; r++)
        t->rank[r].places_lines = true;
    t->state = xcalloc(ranks, sizeof(struct trace_toy_rank));
}

/* Adds the rank's next event, in a line of its own. The pointer is valid until
 * its next one. Lists in it belong to the caller. */
static inline struct trace_event *trace_toy_add(struct trace *t, uint32_t rank,
                                                enum trace_call call,
                                                const char *name)
{
    struct trace_toy_rank *r = (struct trace_toy_rank *)t->state + rank;

    r->events = xrealloc(r->events, r->n + 1, sizeof *r->events);
    r->events[r->n] = trace_event_new(call);
    r->events[r->n].name = name;
    r->events[r->n].place = r->n + 1;
    return &r->events[r->n++];
}

static inline struct trace_event *
trace_toy_message(struct trace *t, uint32_t rank, enum trace_call call,
                  const char *name, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    struct trace_event *e = trace_toy_add(t, rank, call, name);

    e->peer = peer;
    e->tag = tag;
    e->bytes = bytes;
    return e;
}

static inline struct trace_event *trace_toy_time(struct trace_event *e,
                                                 double begin_s, double end_s)
{
    e->begin_s = begin_s;
    e->end_s = end_s;
    return e;
}

#endif
