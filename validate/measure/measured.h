/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measured.h - a file of measurements, recognised by its columns: which
 * experiment each row is, and the median of the rows that repeat one. */
#ifndef VALIDATE_MEASURE_MEASURED_H
#define VALIDATE_MEASURE_MEASURED_H

#include "base/err.h"
#include "platforms/machine.h"
#include "validate/measure/experiment.h"

#include <stddef.h>

struct measured_point {
    struct experiment x;
    char group[80]; /* "ping_pong/cpu/off_node" */
    char label[96]; /* "65536 B, other rack": the point within its group */
    unsigned line;  /* of the first row */
    size_t nrows;
    double measured_s;  /* median of the rows */
    double simulated_s; /* filled by measured_simulate(); 0: left out */
};

struct measured {
    char *path;
    char origin[64];               /* "BenchPress ac2ede1", or "" */
    char kind[32];                 /* "ping_pong", "maxrate", ... */
    struct measured_point *points; /* in order of first appearance */
    size_t npoints;
    char machine[32]; /* that the file says it was measured on, or "" */
    size_t skipped;   /* rows that cannot be simulated */
    char skipped_why[128];
};

/*
 * Reads the file as measured on `m` (its ranks per node decide which cores the
 * ranks of a ping-pong sat on). Errors name file and line.
 */
int measured_load(struct measured *f, const char *path, const struct machine *m,
                  struct err *err) MUST_CHECK;
void measured_clear(struct measured *f);

/*
 * Simulates the points, but leaves out those whose plan has more than max_ops
 * operations (0: no limit). `progress` (may be NULL) is called with done, all.
 */
int measured_simulate(struct measured *f, const struct machine *m,
                      size_t max_ops, const struct exec_options *o,
                      void (*progress)(size_t, size_t),
                      struct err *err) MUST_CHECK;

/* |simulated / measured - 1| over the points whose group is `group` or below it
 * ("ping_pong" has "ping_pong/cpu/off_node" below). */
struct error_summary {
    char name[80];
    size_t points;
    double median, p90;
};
/* All but the name; there is an error at least, and they are sorted. */
void error_summary_of(struct error_summary *s, double *errors, size_t n);
/* One for every group and every group above it, by name; the caller frees. */
struct error_summary *measured_summary(const struct measured *files,
                                       size_t nfiles, size_t *n);

#endif
