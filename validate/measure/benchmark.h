/* SPDX-License-Identifier: GPL-3.0-or-later */
/* benchmark.h - a benchmark in one file: the columns of its measurements, the
 * experiment of a row, and the plan of that. The readers, the simulation, and
 * the head of the file that sluice-native writes follow from it. */
#ifndef VALIDATE_MEASURE_BENCHMARK_H
#define VALIDATE_MEASURE_BENCHMARK_H

#include "validate/measure/experiment.h"
#include "validate/measure/measured_rows.h"
#include "validate/measure/sweep.h"

struct benchmark {
    /* Its name is the benchmark's. It has no columns if the experiments are
     * rows of another benchmark's files. */
    struct measured_kind file;
    experiment_planner *plan;
    experiment_measure *measure; /* NULL for the makespan */
    /* Returns the time before the plan; NULL if there is none. */
    double (*extra_s)(const struct machine *m, const struct experiment *x);
    bool mps; /* an experiment says whether its ranks share GPUs by MPS */

    /* The baseline (baseline.h): between the nearest sizes, or that of one of
     * the pairs or copies alone, or by one operation of the plan's `rounds` (0
     * for 1). */
    bool by_size;
    double (*alone_s)(const struct machine *m, const struct experiment *x);
    unsigned rounds;

    /* The commands of sluice-native that measure it, ended by one without
     * name; NULL for none. An iteration goes there and back, and is timed one
     * way, if round_trip is set. */
    const struct benchmark_command *commands;
    bool round_trip;
    bool one_buffer; /* all messages of a rank from and to another use it */
};

#define BENCHMARK(name) extern const struct benchmark name##_benchmark;
#include "validate/measure/benchmarks.def"
#undef BENCHMARK

extern const struct benchmark *const benchmarks[];
extern const size_t nbenchmarks;

/* Returns the benchmark of the file, or NULL. */
const struct benchmark *measured_kind(const struct csv *t);

#endif
