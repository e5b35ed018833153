/* SPDX-License-Identifier: GPL-3.0-or-later */
/* planned.h - the commands of benchmarks that are plans (validate/measure). */
#ifndef VALIDATE_NATIVE_PLANNED_H
#define VALIDATE_NATIVE_PLANNED_H

#include "validate/measure/benchmark.h"
#include "validate/native/bench.h"

/* Returns the next command, from benchmark 0 and command 0 on; NULL after the
 * last. */
const struct benchmark_command *planned_next(size_t *benchmark,
                                             size_t *command);
/* Returns the command of this name, and its benchmark; NULL if there is none.
 */
const struct benchmark_command *planned_find(const char *name,
                                             const struct benchmark **of);

/* Runs the command that argv[0] names. */
int bench_planned(struct native *n, int argc, char **argv, struct err *err);

#endif
