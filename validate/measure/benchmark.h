/* SPDX-License-Identifier: GPL-3.0-or-later */
/* benchmark.h - a benchmark in one file: the columns of its measurements, the
 * experiment of a row, and the plan of that. The readers, the simulation, and
 * the head of the file that sluice-native writes follow from it. */
#ifndef VALIDATE_MEASURE_BENCHMARK_H
#define VALIDATE_MEASURE_BENCHMARK_H

#include "validate/measure/experiment.h"
#include "validate/measure/measured_rows.h"

struct benchmark {
    struct measured_kind file; /* its name is the benchmark's */
    int (*plan)(struct plan *p, const struct machine *m,
                const struct experiment *x, struct err *err) MUST_CHECK;
    experiment_measure *measure; /* NULL for the makespan */
};

#define BENCHMARK(upper, lower) extern const struct benchmark lower##_benchmark;
#include "validate/measure/benchmarks.def"
#undef BENCHMARK

/* Returns the benchmark of the kind; NULL if it has no file of its own yet. */
const struct benchmark *benchmark_of(enum experiment_kind kind);

/* Returns the head of its table: the columns that define the experiment, the
 * iterations and the time. The caller frees it. */
char *benchmark_head(const struct benchmark *b);

#endif
