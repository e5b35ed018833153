/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_sizes.h - prints results by size, in the table of nccl-tests. */
#ifndef CLI_PRINT_SIZES_H
#define CLI_PRINT_SIZES_H

#include "cli/print_run.h"
#include "study/run/sweep.h"

enum sizes_form { SIZES_TEXT, SIZES_CSV, SIZES_JSON };

/* Prints a range of sizes: the fastest candidate of each; all of them in CSV,
 * JSON and with details. Sizes that are left out are omitted. */
void print_sweep(const struct sweep *s, enum sizes_form form, bool details);
/* Returns the results of a size that are shown. They borrow from both
 * arguments. */
struct run_results sweep_results(const struct sweep_size *size,
                                 const struct compared *compared, bool details);
/* Prints the algorithms that were named although no library of the machine has
 * them, and why. */
void print_untold(const struct job *j);
/* Prints the fastest candidate of one size, if it is a size of nccl-tests. */
void print_sizes_table(const struct run_results *r);

#endif
