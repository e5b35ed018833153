/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost_points.h - measurements of `sluice-native graph-costs`: accesses of a
 * GPU's threads to memory, and calls of a program that runs in steps. */
#ifndef VALIDATE_MEASURE_COST_POINTS_H
#define VALIDATE_MEASURE_COST_POINTS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One row: the median and the 90th percentile of its samples. */
struct cost_point {
    char operation[40];
    bool peer;      /* to another GPU's memory or stream */
    uint64_t bytes; /* the footprint, or the bytes copied */
    unsigned threads, together, in_flight, samples;
    double median_s, p90_s;
};

struct cost_points {
    struct cost_point *points; /* in the order of the file */
    size_t n;
    char from[160]; /* "costs.csv (2 x NVIDIA H200)" */
};

/* Returns whether the file has the columns of such measurements; false also if
 * it cannot be read. */
bool cost_points_are(const char *path);
/* Reads a file. A row that occurs twice is an error. */
int cost_points_load(struct cost_points *p, const char *path,
                     struct err *err) MUST_CHECK;
void cost_points_clear(struct cost_points *p);

/* Returns the first row with these bytes and threads (0 for any), or NULL. */
const struct cost_point *cost_points_find(const struct cost_points *p,
                                          const char *operation, bool peer,
                                          uint64_t bytes, unsigned threads);

#endif
