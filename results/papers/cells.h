/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cells.h - the cells of Tables II to V of Chen et al. 2022, printed and
 * simulated: one framework on one graph with a number of GPUs. */
#ifndef RESULTS_PAPERS_CELLS_H
#define RESULTS_PAPERS_CELLS_H

#include "base/err.h"
#include "base/json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The key of a cell, which is unique. */
struct cell_key {
    char application[16]; /* "bfs", "pagerank" */
    /* "daisy"; "summit-ib": one GPU a node; "summit-node": the six GPUs of one
     * node. */
    char machine[24];
    /* As printed: "Gunrock", "Groute", "Galois", "Atos-standard-persistent",
     * ... */
    char framework[32];
    char graph[32]; /* "road_usa", ... */
    unsigned gpus;
};

struct cell {
    struct cell_key key;
    double printed_ms;       /* NAN if not printed */
    double printed_workload; /* visits divided by vertices, Table III; or NAN */
    /* A number of the simulator was fitted to the printed time or visits, was
     * chosen in view of them, or extrapolates such a fit: the simulated value
     * is no prediction (results/atos/fitted.csv). */
    bool fitted_ms, fitted_workload;
    /* Simulated values; NAN and 0 if the cell has not been simulated. */
    double ms, workload;
    uint64_t visits, edges, levels; /* levels: the depth of a BFS */
    double scale;                   /* the synthetic graph's; 1 is full size */
    double wall_s;                  /* the simulation's */
    char made_by[17];               /* digest of the inputs (study_cell.h) */
};

struct cells {
    struct cell *list;
    size_t n;
};

/*
 * Lists all cells, none of them simulated: those of results/atos/paper/, and
 * those of Fig 7, which prints no number. The caller clears the list.
 */
int cells_printed(struct cells *c, struct err *err) MUST_CHECK;
/*
 * Lists all cells and adds the simulated values of a file of `sluice study`. If
 * a cell has several rows, the last counts. Fails if the file has other rows,
 * or one that was cut off.
 */
int cells_read(struct cells *c, const char *path, struct err *err) MUST_CHECK;
/* Adds the simulated values of a file to a list of printed cells. If it fails,
 * the list is partly filled in. */
int cells_add(struct cells *c, const char *path, struct err *err) MUST_CHECK;

/* Reads the cells of a file. If path is NULL, reads results/atos/cells.csv; if
 * there is no such file, no cell is simulated. */
int cells_of_study(struct cells *c, const char *path,
                   struct err *err) MUST_CHECK;
/* Adds the members of a cell to an object, for results/claims/cell_tests.py. */
void cells_add_to(struct json *o, const struct cell *c);

/* cells_row() returns a row of the file, cells_head() its first lines. The
 * caller frees both. */
char *cells_row(const struct cell *c);
char *cells_head(void);

/* Returns NULL if no cell has this key. */
const struct cell *cells_find(const struct cells *c, const char *application,
                              const char *machine, const char *framework,
                              const char *graph, unsigned gpus);
void cells_clear(struct cells *c);

/* Returns whether the cell was simulated on a graph as large as the paper's. */
bool cells_full_size(const struct cell *c);
/* Returns whether two scales are equal up to the digits that a file keeps. */
bool cells_same_scale(double a, double b);
/* Returns "1", "1/16" or "0.3", which the caller frees. */
char *cells_scale_text(double scale);

#endif
