/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects the benchmark that measures a number of a platform. */
#include "study/advise/benchmarks.h"

#include "base/err.h"
#include "platforms/keys.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

const char *benchmark_of_key(const char *key)
{
    const char *benchmark;

    (void)key_at(key, &benchmark);
    return benchmark;
}

/* The benchmarks that `sluice calibrate` fits alone. */
static bool is_calibrated(const char *benchmark)
{
    static const char *const fitted[] = {
        "ping_pong",   "maxrate",  "mult_pong", "memcpy",
        "memcpy_mult", "matching", "runtime"};

    for (size_t i = 0; i < sizeof fitted / sizeof fitted[0]; i++)
        if (!strcmp(benchmark, fitted[i]))
            return true;
    return false;
}

char *benchmark_commands(const char *key, const char *platform)
{
    const char *benchmark = benchmark_of_key(key);

    if (!is_calibrated(benchmark))
        return xasprintf("mpirun ... sluice-native %s -o %s.csv", benchmark,
                         benchmark);
    return xasprintf("mpirun ... sluice-native %s -o %s.csv; sluice calibrate "
                     "%s.csv --base %s -o mine.json",
                     benchmark, benchmark, benchmark, platform);
}
