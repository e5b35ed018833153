/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * order.h - the events of all ranks of a trace as one sequence. If the trace
 * has clocks, they are in order of the times at which they begin, then of their
 * ranks. Otherwise the ranks take turns, one event each, as if all were equally
 * fast and messages took no time. A rank that may not continue is passed over;
 * if none may, the first has to, because the sequence must go on.
 */
#ifndef WORKLOADS_TRACE_ORDER_H
#define WORKLOADS_TRACE_ORDER_H

#include "base/time_heap.h"
#include "workloads/trace/trace.h"

struct order {
    struct trace *t;
    struct trace_event *event; /* the next event of each rank */
    bool *ended;
    struct time_heap heap; /* used with clocks */
    uint32_t taken;  /* rank of the event that was returned last, or ANY_RANK */
    uint32_t turn;   /* without clocks: the rank that is asked first */
    uint64_t left;   /* number of ranks that have not ended */
    uint64_t forced; /* times that no rank could continue and one had to */
    uint32_t *passed; /* with clocks: the npassed ranks that wait */
    uint32_t npassed;
    /* Returns whether the rank's next event may take place. */
    bool (*may)(void *arg, uint32_t rank, const struct trace_event *e);
    void *arg;
};

/* Starts the sequence at the first events: the trace is rewound. The order must
 * be cleared by order_close() even after an error. */
int order_open(struct order *o, struct trace *t,
               bool (*may)(void *arg, uint32_t rank,
                           const struct trace_event *e),
               void *arg, struct err *err) MUST_CHECK;
void order_close(struct order *o);

/* Returns 1 and the next event, valid until the next call; 0 at the end; -1
 * after an error. Events that neither send, receive nor wait are left out,
 * except those of communicators. */
int order_next(struct order *o, uint32_t *rank, const struct trace_event **e,
               struct err *err) MUST_CHECK;

#endif
