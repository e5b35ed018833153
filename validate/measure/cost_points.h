/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cost_points.h - what `sluice-native graph-costs` measured: accesses of a
 * GPU's threads to memory, and calls of a program that steps. */
#ifndef VALIDATE_MEASURE_COST_POINTS_H
#define VALIDATE_MEASURE_COST_POINTS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One row: the median and the 90th percentile of its samples. */
struct cost_point {
    char operation[40];
    bool peer;      /* of another GPU's memory or stream */
    uint64_t bytes; /* the footprint, or what is copied */
    unsigned threads, together, in_flight, samples;
    double median_s, p90_s;
};

struct cost_points {
    struct cost_point *points; /* in the order of the file */
    size_t n;
    char from[160]; /* "costs.csv (2 x NVIDIA H200)" */
};

/* The file has the columns of such measurements; false: others, or it cannot be
 * read. */
bool cost_points_are(const char *path);
/* A row that stands twice is an error. */
int cost_points_load(struct cost_points *p, const char *path,
                     struct err *err) MUST_CHECK;
void cost_points_clear(struct cost_points *p);

/* The first row of so many bytes and threads (0: any), or NULL. */
const struct cost_point *cost_points_find(const struct cost_points *p,
                                          const char *operation, bool peer,
                                          uint64_t bytes, unsigned threads);

#endif
