/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_rounds.h - prints the results of a graph algorithm in rounds on
 * hosts. */
#ifndef CLI_PRINT_ROUNDS_H
#define CLI_PRINT_ROUNDS_H

#include "cli/print_run.h"
#include "study/run/graph_rounds.h"
#include "study/run/lists.h"

#include <stdbool.h>

enum rounds_form { ROUNDS_TEXT, ROUNDS_CSV, ROUNDS_JSON };

/* Prints a line for each runtime on each platform; with details also one for
 * each of its rounds (in CSV only those). */
void print_rounds(const struct graph_rounds *g, enum rounds_form form,
                  bool details);

/* Returns the time of a cell, on the scaled graph if one is asked for. */
double rounds_cell_s(const struct graph_rounds *g, const struct rounds_cell *c);
/* Returns the time of a cell relative to the fastest one of all platforms and
 * runtimes; on the scaled graph if one is asked for. */
double rounds_times_best(const struct graph_rounds *g,
                         const struct rounds_cell *c);

/* Returns the cells that have a time, the fastest first, and NULL; the caller
 * frees the list. */
const struct rounds_cell **rounds_ranked(const struct graph_rounds *g);
/* The outcome of a cell as the results of a job; it borrows from the cell. */
struct rounds_results {
    struct job job;
    struct run_results results;
};
void rounds_results_make(struct rounds_results *r, const struct graph_rounds *g,
                         const struct rounds_cell *c, bool details);
/* Prints one list of every cell, as a table or as CSV. */
void print_rounds_list(const struct graph_rounds *g, const struct list *l,
                       bool csv);

#endif
