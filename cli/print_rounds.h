/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_rounds.h - results of a graph algorithm in rounds on hosts. */
#ifndef CLI_PRINT_ROUNDS_H
#define CLI_PRINT_ROUNDS_H

#include "strategies/rounds/graph_rounds.h"

#include <stdbool.h>

enum rounds_form { ROUNDS_TEXT, ROUNDS_CSV, ROUNDS_JSON };

/* A line for each runtime on each platform; with details one for each round of
 * them, too (CSV: instead). */
void print_rounds(const struct graph_rounds *g, enum rounds_form form,
                  bool details);

/* As long as the fastest cell of all platforms and runtimes takes; of the
 * scaled graph where one is asked for. */
double rounds_times_best(const struct graph_rounds *g,
                         const struct rounds_cell *c);

#endif
