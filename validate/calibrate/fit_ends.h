/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fit_ends.h - the costs of a message for its two ends, from many messages: how
 * long the CPUs are busy, when the sender continues, and which part of the
 * latency follows the match. */
#ifndef VALIDATE_CALIBRATE_FIT_ENDS_H
#define VALIDATE_CALIBRATE_FIT_ENDS_H

#include "platforms/machine.h"
#include "validate/calibrate/mult_pong_times.h"

#include <stdbool.h>
#include <stddef.h>

/* The protocol by which a message is sent. */
enum ends_protocol {
    ENDS_AT_ONCE,      /* its CPU is done: the bytes were copied, or inline */
    ENDS_ACKNOWLEDGED, /* eager, but the sender waits for the NIC */
    /* The receiver fetches it: all of the latency follows the match. */
    ENDS_GET,
    ENDS_PUT, /* a handshake, and then the bytes */
    NENDS_PROTOCOLS
};
extern const char *const ends_protocol_names[NENDS_PROTOCOLS];

/* A number and the interval of its likely values. */
struct ends_number {
    double value, from, to;
};

struct ends_fit {
    enum ends_protocol protocol;
    struct segment segment;     /* with the fitted numbers */
    bool cpu_fitted;            /* otherwise cpu_s was given */
    struct ends_number cpu_s;   /* half of the sum of both ends */
    struct ends_number ack_s;   /* for ENDS_ACKNOWLEDGED */
    struct ends_number s_per_B; /* time of one end, for ENDS_AT_ONCE */
    double residual;            /* mean |relative error| */
};

/* Finds the protocol and the numbers with which the points deviate least from
 * the simulated benchmark: by least absolute relative deviations, which a
 * disturbed time does not bend, over numbers that are not negative; it chooses
 * the protocol with the least BIC. alpha and beta are those of the segment.
 * cpu_s is the CPU time of an end according to other segments, NAN if none is
 * known: a protocol with a number of its own must be better by more than the
 * price of that number. The points have 2 and more messages, because one alone
 * is a ping-pong, and are in the order of mult_pong_times(). n >= 3. */
void fit_ends_find(struct ends_fit *out, const struct segment *segment,
                   struct mult_pong *benchmark, double cpu_s,
                   const struct mult_pong_point *points, size_t n);

#endif
