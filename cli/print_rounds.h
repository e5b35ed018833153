/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_rounds.h - prints the results of a graph algorithm in rounds on
 * hosts, of all platforms and runtimes together. */
#ifndef CLI_PRINT_ROUNDS_H
#define CLI_PRINT_ROUNDS_H

#include "cli/print_sizes.h"
#include "study/run/graph_rounds.h"

#include <stdbool.h>

/* A runtime on a platform. */
struct rounds_cell {
    const struct sweep_size *size;
    const char *runtime;
    const struct outcome *of; /* NULL if it cannot run */
    const struct err *why;    /* the reason; otherwise NULL */
};

/* The cells of a sweep, by platform, then runtime, as they are named. */
struct rounds_cells {
    const struct sweep *sweep;
    const struct job *job; /* one that is loaded */
    const struct graph_rounds *of;
    struct rounds_cell *list;
    size_t n;
};
void rounds_cells_make(struct rounds_cells *cells, const struct sweep *s);
void rounds_cells_clear(struct rounds_cells *cells);

/* Prints a line for each runtime on each platform; with details also one for
 * each of its rounds (in CSV only those). */
void print_rounds(const struct sweep *s, enum sizes_form form, bool details);
void print_rounds_json(const struct rounds_cells *cells, bool details);

/* Returns the cells that have a time, the fastest first, and NULL; the caller
 * frees the list. */
const struct rounds_cell **rounds_ranked(const struct rounds_cells *cells);
/* Prints one list of every cell, as a table or as CSV. */
struct list;
void print_rounds_list(const struct sweep *s, const struct list *l, bool csv);

#endif
