/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study_cell.h - how one cell of Chen et al. 2022 is simulated: which machine,
 * execution, graph and partition stand for what is printed. */
#ifndef RESULTS_PAPERS_STUDY_CELL_H
#define RESULTS_PAPERS_STUDY_CELL_H

#include "results/papers/cells.h"
#include "workloads/graph/graph.h"

struct study_graph {
    const char *name; /* of the synthetic graph */
    bool mesh;
    enum graph_partition partition;
    /* At which the whole study takes minutes. */
    double scale;
    double tiny; /* some hundred vertices */
};

enum { NSTUDY_GRAPHS = 6 };
extern const struct study_graph study_graphs[NSTUDY_GRAPHS];
/* NULL: there is none of this name. */
const struct study_graph *study_graph(const char *name);

/* The words of its synthetic graph; the caller frees. */
char *study_words(const struct study_graph *sg, double scale);
/* How the framework of a cell deals the vertices out. */
enum graph_partition study_partition(const struct cell_key *k);
/* Its synthetic graph, and its vertices on so many GPUs; the caller frees
 * `part`. */
int study_make(struct graph *g, const struct study_graph *sg, double scale,
               struct err *err) MUST_CHECK;
int study_part(uint32_t **part, const struct graph *g, enum graph_partition how,
               unsigned gpus, struct err *err) MUST_CHECK;
/* Below what a residue of PageRank stops; 0: of other applications, and of
 * sweeps, which are compared with sweeps that begin with their ranks. */
double study_residue(const struct cell_key *k);
/* The ranks that residues are compared with, which stop there at the least; the
 * caller frees. */
double *study_ranks(const struct graph *g, double residue);

struct study_input {
    const struct graph *g;
    const uint32_t *part;
    const double *rank; /* study_ranks(); NULL: not known */
};
/* Fills what a cell has simulated, but for its scale and made_by. */
int study_simulate(struct cell *c, const struct study_input *in,
                   struct err *err) MUST_CHECK;

/*
 * What made_by of the cell is now: a digest of all that the files of its
 * execution and of its machine say but for "about" and "source", and of what
 * simulating the cell gives on a synthetic graph so tiny that it takes
 * milliseconds (`in` is of that). So most rows that another model,
 * machine, execution or generator made are recognised. Those are not that
 * differ only on many vertices, as where queues or batches fill, or a generator
 * at other scales: they must be deleted by hand.
 */
int study_made_by(char made_by[17], const struct cell *c,
                  const struct study_input *in, struct err *err) MUST_CHECK;

#endif
