/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_ends.h - what a message costs its two ends, from many messages: how long
 * the CPUs are busy, when the sender goes on, what waits for the match. */
#ifndef VALIDATE_CALIBRATE_FIT_ENDS_H
#define VALIDATE_CALIBRATE_FIT_ENDS_H

#include "platforms/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One point of mult_pong. */
struct ends_point {
    uint64_t bytes;
    unsigned messages; /* at least 2: one alone is a ping-pong */
    double seconds;
};

/* How a message is sent. */
enum ends_way {
    ENDS_AT_ONCE,      /* its CPU is done: the bytes were copied, or inline */
    ENDS_ACKNOWLEDGED, /* eager, but the sender waits for the NIC */
    ENDS_GET,          /* the receiver fetches it: all of the latency is after
                          the match */
    ENDS_PUT,          /* a handshake, and then the bytes */
    NENDS_WAYS
};
extern const char *const ends_way_names[NENDS_WAYS];

/* A number and the interval in which it may as well be. */
struct ends_number {
    double value, from, to;
};

struct ends_fit {
    enum ends_way way;
    struct segment segment;     /* with what was found */
    bool cpu_fitted;            /* else cpu_s was given */
    struct ends_number cpu_s;   /* of one end: half of what both take */
    struct ends_number ack_s;   /* ENDS_ACKNOWLEDGED */
    struct ends_number s_per_B; /* of one end, ENDS_AT_ONCE */
    double residual;            /* mean |relative error| */
};

/*
 * The way and the numbers with which the points deviate least: least absolute
 * relative deviations, which a disturbed time does not bend, over numbers that
 * are not negative; the way with the least BIC. alpha and beta are the
 * segment's. cpu_s: what the CPU of an end takes as far as other segments tell;
 * a way with a number of its own must be better by more than that number
 * costs. NAN: nothing is known. link_Bps: what the messages of a process send
 * together, at most. n >= 3.
 */
void fit_ends_find(struct ends_fit *out, const struct segment *segment,
                   double link_Bps, double cpu_s,
                   const struct ends_point *points, size_t n);

#endif
