/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timers.h - what is to happen at given times, earliest first; of one time,
 * what was asked for first. Times are those of a clock that only goes on, and
 * what is asked for comes a delay after it: with one delay, in the order of the
 * calls. So delays that come again have a queue each (a lane), where a timer
 * costs the same however many there are, and only others are in a heap.
 */
#ifndef SIM_NETWORK_TIMERS_H
#define SIM_NETWORK_TIMERS_H

#include <stddef.h>
#include <stdint.h>

struct timer {
    double time;
    uint64_t seq; /* of the calls */
    void (*fn)(void *);
    void *arg;
};

struct timer_lane {
    double delay;
    double seen; /* the last other delay that came here */
    struct timer *ring;
    uint32_t first, n, room; /* room: 0 or a power of two */
};

enum { TIMER_LANES = 64 };

/* All zero: empty, clock anywhere. */
struct timers {
    struct timer_lane lanes[TIMER_LANES];
    /* Of lanes that are not empty: a heap of their first timers. */
    struct timer_head {
        double time;
        uint64_t seq;
        uint32_t lane;
    } heads[TIMER_LANES];
    uint32_t nheads;
    struct timer *others; /* a heap */
    size_t nothers, others_room;
};

/* At now + delay; seq above all before. */
void timers_add(struct timers *q, double now, double delay, uint64_t seq,
                void (*fn)(void *), void *arg);
/* When the first is; INFINITY: there is none. */
double timers_first(const struct timers *q);
/* Takes the first out. */
struct timer timers_pop(struct timers *q);
/* All, in order of what comes first; how many those are. */
void timers_list(const struct timers *q, struct timer *list);
size_t timers_count(const struct timers *q);
void timers_clear(struct timers *q);

#endif
