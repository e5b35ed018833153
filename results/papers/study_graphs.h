/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study_graphs.h - a folder of the graphs and partitions of a study. Each is
 * made once, because making them takes longer than simulating a cell. */
#ifndef RESULTS_PAPERS_STUDY_GRAPHS_H
#define RESULTS_PAPERS_STUDY_GRAPHS_H

#include "results/papers/study_cell.h"

/*
 * One graph at one scale. NAME-SCALE-DIGEST.sluice-graph in the folder is the
 * graph (graph_save), NAME-SCALE-DIGEST-HOW-N.parts its partition to N GPUs,
 * one number a line, as --partition takes it. The digest is of the generator's
 * words and of the tiny graph that the same generator makes, so another
 * generator makes other files. Older ones stay until somebody deletes them.
 */
struct study_files {
    const char *folder; /* NULL if nothing is stored */
    const struct study_graph *sg;
    double scale;
    uint64_t digest;
};

/* Finds the names of the files; `tiny` is the graph at sg->tiny. Fails if the
 * folder cannot be made. */
int study_files_of(struct study_files *f, const char *folder,
                   const struct study_graph *sg, double scale,
                   const struct graph *tiny, struct err *err) MUST_CHECK;

/* Maps the graph from the folder; makes it first if it is not there. */
int study_files_graph(struct graph *g, const struct study_files *f,
                      struct err *err) MUST_CHECK;
/* Reads a partition by METIS or by coordinates from the folder; makes it first
 * if it is not there. Only one process at a time makes one, because METIS needs
 * up to 100 B an arc. The caller frees the partition, which is NULL if this
 * fails. */
int study_files_part(uint32_t **part, const struct study_files *f,
                     const struct graph *g, enum graph_partition how,
                     unsigned gpus, struct err *err) MUST_CHECK;

#endif
