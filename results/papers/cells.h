/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cells.h - the cells of Tables II to V of Chen et al. 2022, printed and
 * simulated: one framework on one graph with so many GPUs. */
#ifndef RESULTS_PAPERS_CELLS_H
#define RESULTS_PAPERS_CELLS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What distinguishes a cell. */
struct cell_key {
    char application[16]; /* "bfs", "pagerank" */
    char machine[24];     /* "daisy"; "summit-ib": one GPU a node;
                             "summit-node": the six GPUs of one node */
    char framework[32];   /* as printed: "Gunrock", "Groute", "Galois",
                             "Atos-standard-persistent", ... */
    char graph[32];       /* "road_usa", ... */
    unsigned gpus;
};

struct cell {
    struct cell_key key;
    double printed_ms;       /* NAN: not printed */
    double printed_workload; /* visits by vertices, Table III; NAN */
    /* A number of the simulator was fitted to the printed time or visits,
     * chosen in view of them, or extrapolated from such a fit: the simulated
     * value is no prediction (results/atos/fitted.csv). */
    bool fitted_ms, fitted_workload;
    /* Simulated; NAN and 0 where it has not been. */
    double ms, workload;
    uint64_t visits, edges, levels; /* levels: BFS, the deepest vertex */
    double scale;                   /* of the synthetic graph: 1 is full size */
    double wall_s;                  /* what simulating took */
    char made_by[17]; /* a digest of what determined it (study_cell.h) */
};

struct cells {
    struct cell *list;
    size_t n;
};

/*
 * All cells: those that results/atos/paper/ has, and Fig 7, of which no number
 * is printed. None is simulated.
 */
int cells_printed(struct cells *c, struct err *err) MUST_CHECK;
/*
 * The same, with what a file of `sluice study` says of them; of several rows of
 * a cell the last. What is no whole file of such rows is refused.
 */
int cells_read(struct cells *c, const char *path, struct err *err) MUST_CHECK;
/* The second step of it, over printed cells; on an error they are half read. */
int cells_add(struct cells *c, const char *path, struct err *err) MUST_CHECK;

/* One row as the file has it, and the file's first lines. The caller frees. */
char *cells_row(const struct cell *c);
char *cells_head(void);

/* NULL: there is none of this key. */
const struct cell *cells_find(const struct cells *c, const char *application,
                              const char *machine, const char *framework,
                              const char *graph, unsigned gpus);
void cells_clear(struct cells *c);

/* Simulated, on the graph as large as the paper's. */
bool cells_full_size(const struct cell *c);
/* Equal, but for what is lost in a file. */
bool cells_same_scale(double a, double b);
/* "1", "1/16" or "0.3"; the caller frees. */
char *cells_scale_text(double scale);

#endif
