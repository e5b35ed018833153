/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the benchmarks. */
#include "validate/measure/benchmark.h"

const struct benchmark *const benchmarks[] = {
#define BENCHMARK(name) &name##_benchmark,
#include "validate/measure/benchmarks.def"
#undef BENCHMARK
};
const size_t nbenchmarks = sizeof benchmarks / sizeof benchmarks[0];
