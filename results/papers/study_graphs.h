/* SPDX-License-Identifier: GPL-3.0-or-later */
/* study_graphs.h - a folder of the graphs and partitions of a study, each made
 * once: making them takes longer than simulating a cell. */
#ifndef RESULTS_PAPERS_STUDY_GRAPHS_H
#define RESULTS_PAPERS_STUDY_GRAPHS_H

#include "results/papers/study_cell.h"

/*
 * One graph at one scale. NAME-SCALE-DIGEST.sluice-graph in the folder is the
 * graph (graph_save), NAME-SCALE-DIGEST-HOW-N.parts its partition to N GPUs, a
 * number a line, as --partition takes it. The digest is of the generator's
 * words and of the tiny graph that the same generator makes: another generator
 * makes other files. Older ones stay until somebody deletes them.
 */
struct study_files {
    const char *folder; /* NULL: nothing is kept */
    const struct study_graph *sg;
    double scale;
    uint64_t digest;
};

/* `tiny` is the graph at sg->tiny. Fails where the folder cannot be made. */
int study_files_of(struct study_files *f, const char *folder,
                   const struct study_graph *sg, double scale,
                   const struct graph *tiny, struct err *err) MUST_CHECK;

/* Mapped from the folder; made first where it is not there. */
int study_files_graph(struct graph *g, const struct study_files *f,
                      struct err *err) MUST_CHECK;
/* METIS and by coordinates: read from the folder, made first where it is not
 * there; of processes that make one only one does so at a time, since METIS
 * takes up to 100 B an arc. The caller frees; NULL where it fails. */
int study_files_part(uint32_t **part, const struct study_files *f,
                     const struct graph *g, enum graph_partition how,
                     unsigned gpus, struct err *err) MUST_CHECK;

#endif
