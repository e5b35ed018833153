/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mult_pong_times.h - simulated times of mult_pong, in which one rank sends n
 * blocking messages to n ranks of another node and receives as many from
 * them. */
#ifndef VALIDATE_CALIBRATE_MULT_PONG_TIMES_H
#define VALIDATE_CALIBRATE_MULT_PONG_TIMES_H

#include "base/err.h"
#include "platforms/machine.h"

#include <stddef.h>
#include <stdint.h>

/* One point of mult_pong. */
struct mult_pong_point {
    uint64_t bytes;
    unsigned messages; /* at least 1 */
    double seconds;
};

/* Simulations of the benchmark's plan (validate/measure/experiment.h) on two
 * nodes whose costs are one segment. Nothing limits its messages but the rate
 * of a process, because the other links of a machine are fitted later. */
struct mult_pong;

/* Makes the nodes for at most `most` messages. link_Bps is the most that all
 * messages of a process send together (0 if there is no limit). */
struct mult_pong *mult_pong_new(unsigned most, double link_Bps);
/* Frees it; returns -1 and the error of the first simulation that failed. */
int mult_pong_free(struct mult_pong *b, struct err *err) MUST_CHECK;

/* Returns half of the round, as BenchPress prints it: n sends one after the
 * other, then n receives, each posted once the one before is done. It is NAN if
 * a simulation failed. */
double mult_pong_s(struct mult_pong *b, const struct segment *s, uint64_t bytes,
                   unsigned messages);

/* Puts the time of each of the points, which have rising bytes, and for equal
 * bytes rising messages. The time is piecewise linear in the number of
 * messages, so that only some numbers are simulated: one in the middle of two
 * shows whether those between are on their line. */
void mult_pong_times(double *times_s, struct mult_pong *b,
                     const struct segment *s,
                     const struct mult_pong_point *points, size_t n);

#endif
