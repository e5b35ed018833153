/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timers.h - callbacks at given times, the earliest first; those of one time in
 * the order of the calls. The clock only advances, and each call gives a delay
 * from now, so callbacks with one delay are due in the order of their calls. So
 * each delay that recurs has a queue (a lane), in which a timer costs the same
 * for any number of them, and only the others are in a heap.
 */
#ifndef SIM_NETWORK_TIMERS_H
#define SIM_NETWORK_TIMERS_H

#include <stddef.h>
#include <stdint.h>

struct timer {
    double time;
    uint64_t seq; /* number of the call */
    void (*fn)(void *);
    void *arg;
};

struct timer_lane {
    double delay;
    double seen; /* the last other delay that came here */
    struct timer *ring;
    uint32_t first, n, room; /* room is 0 or a power of two */
};

enum { TIMER_LANES = 64 };

/* Timers whose bytes are all 0 are empty; the clock may be anything. */
struct timers {
    struct timer_lane lanes[TIMER_LANES];
    /* A heap of the first timers of the lanes that are not empty. */
    struct timer_head {
        double time;
        uint64_t seq;
        uint32_t lane;
    } heads[TIMER_LANES];
    uint32_t nheads;
    struct timer *others; /* a heap */
    size_t nothers, others_room;
};

/* Adds a timer at now + delay; seq must be above all earlier ones. */
void timers_add(struct timers *q, double now, double delay, uint64_t seq,
                void (*fn)(void *), void *arg);
/* Returns the time of the first timer; INFINITY if there is none. */
double timers_first(const struct timers *q);
/* Removes and returns the first timer. */
struct timer timers_pop(struct timers *q);
/* timers_list() lists all timers in their order; timers_count() returns their
 * number. */
void timers_list(const struct timers *q, struct timer *list);
size_t timers_count(const struct timers *q);
void timers_clear(struct timers *q);

#endif
