/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match_points.h - measurements of `sluice-native match`: matching of a queue
 * of messages with one of receives by a CPU's list or by GPU kernels, and the
 * time of the same by the laws of sim/transport/matching.h. */
#ifndef VALIDATE_MEASURE_MATCH_POINTS_H
#define VALIDATE_MEASURE_MATCH_POINTS_H

#include "base/err.h"
#include "platforms/matching.h"

#include <stdbool.h>
#include <stddef.h>

/* All rows of one case. */
struct match_point {
    enum matcher engine;
    unsigned length;  /* messages, and receives, of all queues */
    unsigned matches; /* number of matches found */
    unsigned queues;  /* partitioned: queues; hash: CTAs; otherwise 1 */
    unsigned wildcards, unexpected; /* per cent */
    bool compact;
    unsigned samples;
    double time_s; /* median */
};

struct match_points {
    struct match_point *points; /* in the order of the file */
    size_t n;
    char from[128]; /* "match.csv (NVIDIA H200)" */
};

/* Returns whether the file has the columns of such measurements; false also if
 * it cannot be read. */
bool match_points_are(const char *path);
int match_points_load(struct match_points *p, const char *path,
                      struct err *err) MUST_CHECK;
void match_points_clear(struct match_points *p);

/* Returns the time of such a case by the laws, in random order, with these
 * constants: it has as many queues and CTAs as the case, and each CTA has a
 * multiprocessor of its own, as in the benchmark. */
double match_point_s(const struct matching *constants,
                     const struct match_point *p);

#endif
