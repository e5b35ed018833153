/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.h - the events of all ranks of a trace as one sequence. With clocks, by
 * the time at which they begin (then by rank). Without, the ranks take turns,
 * an event each, as if all were equally fast and messages took no time. A rank
 * that may not go on is passed over; when none may, the first has to.
 */
#ifndef WORKLOADS_TRACE_ORDER_H
#define WORKLOADS_TRACE_ORDER_H

#include "base/time_heap.h"
#include "workloads/trace/trace.h"

struct order {
    struct trace *t;
    struct trace_event *event; /* of each rank: its next */
    bool *ended;
    struct time_heap heap; /* with clocks */
    uint32_t taken;        /* of this rank an event is out; or ANY_RANK */
    uint32_t turn;         /* without clocks: who is asked first */
    uint64_t left;         /* ranks that have not ended */
    uint64_t forced;       /* times that nobody could go on, and one had to */
    uint32_t *passed;      /* with clocks: ranks that wait, npassed of them */
    uint32_t npassed;
    /* May the rank's next event take place? */
    bool (*may)(void *arg, uint32_t rank, const struct trace_event *e);
    void *arg;
};

/* From the first events on: the trace is rewound. Cleared by order_close() even
 * after an error. */
int order_open(struct order *o, struct trace *t,
               bool (*may)(void *arg, uint32_t rank,
                           const struct trace_event *e),
               void *arg, struct err *err) MUST_CHECK;
void order_close(struct order *o);

/* 1 and the next event, good until the next call; 0: there is none; -1. Events
 * that neither send, receive nor wait are left out, but those that concern
 * communicators. */
int order_next(struct order *o, uint32_t *rank, const struct trace_event **e,
               struct err *err) MUST_CHECK;

#endif
