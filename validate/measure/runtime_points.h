/* SPDX-License-Identifier: GPL-3.0-or-later */
/* runtime_points.h - measurements of `sluice-native runtime`: messages and
 * rounds of communication runtimes, and the costs of their parts. */
#ifndef VALIDATE_MEASURE_RUNTIME_POINTS_H
#define VALIDATE_MEASURE_RUNTIME_POINTS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A point; if rows repeat it, their median. */
struct runtime_point {
    char runtime[32]; /* "mpi_probe", "mpi_probe_together", "lci", ... */
    char operation[32];
    uint64_t bytes, packet_B;
    unsigned hosts, threads, window, pending, packets;
    double time_s;
    size_t nrows;
};

struct runtime_points {
    struct runtime_point *points; /* in the order of the file */
    size_t n;
    char from[120]; /* "runtime.csv (sluice-native 0.1.0)" */
};

/* Returns whether the file has the columns of such measurements; false also if
 * it cannot be read. */
bool runtime_points_are(const char *path);
int runtime_points_load(struct runtime_points *p, const char *path,
                        struct err *err) MUST_CHECK;
void runtime_points_clear(struct runtime_points *p);

#endif
