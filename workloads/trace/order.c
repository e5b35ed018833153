/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges the events of all ranks of a trace by their clocks or, if it has none,
 * in turn. */
#include "workloads/trace/order.h"

#include <stdlib.h>

static bool order_left_out(const struct trace_event *e)
{
    switch (e->call) {
    case TRACE_COMPUTE:
    case TRACE_POLL:
    case TRACE_INIT:
    case TRACE_FINALIZE:
    case TRACE_OTHER:
    case TRACE_UNKNOWN:
        return true;
    default:
        return false;
    }
}

/* Reads the rank's next event and puts it into the heap. If a clock goes back,
 * or an event has no time, it gets the time of the event before. */
static int order_read(struct order *o, uint32_t rank, struct err *err)
{
    struct trace_event *e = &o->event[rank];
    double before = isnan(e->begin_s) ? -INFINITY : e->begin_s;
    int got;

    do
        got = trace_next(o->t, rank, e, err);
    while (got > 0 && order_left_out(e));
    if (got < 0)
        return -1;
    if (!got) {
        o->ended[rank] = true;
        o->left--;
        return 0;
    }
    if (!(e->begin_s >= before))
        e->begin_s = before;
    if (o->t->has_clock)
        time_heap_set(&o->heap, rank, e->begin_s);
    return 0;
}

int order_open(struct order *o, struct trace *t,
               bool (*may)(void *arg, uint32_t rank,
                           const struct trace_event *e),
               void *arg, struct err *err)
{
    *o = (struct order){.t = t, .taken = ANY_RANK, .may = may, .arg = arg};
    o->event = xcalloc(t->ranks, sizeof *o->event);
    o->ended = xcalloc(t->ranks, sizeof *o->ended);
    o->passed = xcalloc(t->ranks, sizeof *o->passed);
    for (uint32_t r = 0; r < t->ranks; r++) {
        o->ended[r] = t->rank[r].missing;
        o->left += !t->rank[r].missing;
        o->event[r].begin_s = NAN;
    }
    for (uint32_t r = 0; r < t->ranks; r++)
        if (!o->ended[r] &&
            (trace_rewind(t, r, err) < 0 || order_read(o, r, err) < 0))
            return -1;
    return 0;
}

void order_close(struct order *o)
{
    free(o->event);
    free(o->ended);
    free(o->passed);
    time_heap_clear(&o->heap);
    *o = (struct order){0};
}

/* Returns the rank that continues; at least one has not ended. */
static uint32_t order_by_turns(struct order *o)
{
    uint32_t ranks = o->t->ranks, first = ANY_RANK;

    for (uint32_t i = 0; i < ranks; i++) {
        uint32_t r = o->turn + i < ranks ? o->turn + i : o->turn + i - ranks;
        if (o->ended[r])
            continue;
        if (o->may(o->arg, r, &o->event[r]))
            return r;
        if (first == ANY_RANK)
            first = r;
    }
    o->forced++;
    return first;
}

static uint32_t order_by_clock(struct order *o)
{
    while (o->heap.n) {
        uint32_t r = time_heap_pop(&o->heap);
        if (o->may(o->arg, r, &o->event[r]))
            return r;
        o->passed[o->npassed++] = r;
    }
    o->forced++;
    return o->passed[--o->npassed];
}

/* Puts the ranks that were passed over back into the heap, because they may
 * have waited for the event that has happened since. */
static void order_ask_again(struct order *o)
{
    while (o->npassed) {
        uint32_t r = o->passed[--o->npassed];
        time_heap_set(&o->heap, r, o->event[r].begin_s);
    }
}

int order_next(struct order *o, uint32_t *rank, const struct trace_event **e,
               struct err *err)
{
    if (o->taken != ANY_RANK && order_read(o, o->taken, err) < 0)
        return -1;
    o->taken = ANY_RANK;
    if (!o->left)
        return 0;
    order_ask_again(o);
    o->taken = o->t->has_clock ? order_by_clock(o) : order_by_turns(o);
    o->turn = o->taken + 1 < o->t->ranks ? o->taken + 1 : 0;
    *rank = o->taken;
    *e = &o->event[o->taken];
    return 1;
}
