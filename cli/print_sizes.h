/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_sizes.h - results by size, in the table of nccl-tests. */
#ifndef CLI_PRINT_SIZES_H
#define CLI_PRINT_SIZES_H

#include "cli/print_run.h"
#include "strategies/run/sweep.h"

enum sizes_form { SIZES_TEXT, SIZES_CSV, SIZES_JSON };

/* A range of sizes: of each the fastest way; all in CSV, JSON and with details.
 * Sizes that are left out are not there. */
void print_sweep(const struct sweep *s, enum sizes_form form, bool details);
/* What is shown of a size. */
struct run_results sweep_results(const struct sweep_size *size,
                                 const struct compared *compared, bool details);
/* Algorithms that were named though no library of the machine has them, and
 * why. */
void print_untold(const struct job *j);
/* One size, if it is one of nccl-tests': the fastest way. */
void print_sizes_table(const struct run_results *r);

#endif
