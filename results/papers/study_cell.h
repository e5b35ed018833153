/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study_cell.h - the simulation of one cell of Chen et al. 2022: the machine,
 * execution, graph and partition that correspond to the printed ones. */
#ifndef RESULTS_PAPERS_STUDY_CELL_H
#define RESULTS_PAPERS_STUDY_CELL_H

#include "results/papers/cells.h"
#include "workloads/graph/graph.h"

struct study_graph {
    const char *name; /* name of the synthetic graph */
    bool mesh;
    enum graph_partition partition;
    /* The scale at which the whole study takes minutes. */
    double scale;
    double tiny; /* scale of some hundred vertices */
};

enum { NSTUDY_GRAPHS = 6 };
extern const struct study_graph study_graphs[NSTUDY_GRAPHS];
/* Returns NULL if there is no graph of this name. */
const struct study_graph *study_graph(const char *name);

/* Returns the words of its synthetic graph. The caller frees it. */
char *study_words(const struct study_graph *sg, double scale);
/* Returns how the framework of a cell distributes the vertices. */
enum graph_partition study_partition(const struct cell_key *k);
/* study_make() makes the synthetic graph. study_part() distributes its vertices
 * to GPUs; the caller frees `part`. */
int study_make(struct graph *g, const struct study_graph *sg, double scale,
               struct err *err) MUST_CHECK;
int study_part(uint32_t **part, const struct graph *g, enum graph_partition how,
               unsigned gpus, struct err *err) MUST_CHECK;
/* Returns the residue of PageRank at which a cell's execution stops; 0 for
 * other applications, and for sweeps, which are compared with sweeps that begin
 * with their ranks. */
double study_residue(const struct cell_key *k);
/* Returns reference ranks for residues, which stop at this residue or a smaller
 * one. The caller frees it. */
double *study_ranks(const struct graph *g, double residue);

struct study_input {
    const struct graph *g;
    const uint32_t *part;
    const double *rank; /* study_ranks(); NULL if not known */
};
/* Simulates a cell and fills its members, except scale and made_by. */
int study_simulate(struct cell *c, const struct study_input *in,
                   struct err *err) MUST_CHECK;

/*
 * Computes the present made_by of a cell: a digest of the files of its
 * execution and its machine, except "about" and "source", and of the results on
 * a synthetic graph so tiny that it takes milliseconds (`in` has that). So most
 * rows are recognised that another model, machine, execution or generator made.
 * Rows are not recognised if they differ only on many vertices, because queues
 * or batches fill there, or a generator differs only at other scales: they must
 * be deleted by hand.
 */
int study_made_by(char made_by[17], const struct cell *c,
                  const struct study_input *in, struct err *err) MUST_CHECK;

#endif
