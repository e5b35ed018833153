/* SPDX-License-Identifier: GPL-3.0-or-later */
/* benchmarks.h - the benchmark that measures a number of a machine. */
#ifndef STUDY_ADVISE_BENCHMARKS_H
#define STUDY_ADVISE_BENCHMARKS_H

/* Returns the benchmark of sluice-native that measures a parameter, by its key
 * ("mult_pong"); "all" if none measures it alone. */
const char *benchmark_of_key(const char *key);
/* Returns the commands that measure it and make a platform of the result, which
 * the caller frees. `platform` is the name or file of the present platform. */
char *benchmark_commands(const char *key, const char *platform);

#endif
