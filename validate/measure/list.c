/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the benchmarks that have files of their own. */
#include "validate/measure/benchmark.h"

static const struct benchmark *const benchmarks[NEXPERIMENTS] = {
#define BENCHMARK(upper, lower) [EXPERIMENT_##upper] = &lower##_benchmark,
#include "validate/measure/benchmarks.def"
#undef BENCHMARK
};

const struct benchmark *benchmark_of(enum experiment_kind kind)
{
    return benchmarks[kind];
}
