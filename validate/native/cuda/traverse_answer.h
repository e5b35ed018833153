/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_answer.h - the result of a serial computation on the host, and its
 * comparison with the GPUs'. */
#ifndef VALIDATE_NATIVE_CUDA_TRAVERSE_ANSWER_H
#define VALIDATE_NATIVE_CUDA_TRAVERSE_ANSWER_H

#include "validate/native/cuda/traverse_group.h"

struct traverse_answer {
    uint32_t n;
    uint32_t *depth; /* one per vertex; TRAVERSE_NONE if not reached */
    uint64_t reached;
    uint64_t *frontiers; /* vertices of each level */
    uint32_t nlevels;
    /* For PageRank: ranks, 1 - damping for a vertex without in-arcs; NULL for
     * depths. */
    double *rank;
};

void answer_bfs(struct traverse_answer *a, const struct graph *g,
                uint32_t source);
/* Computes ranks by sweeps on all of this host's cores, until they change by at
 * most 1e-9. */
void answer_pagerank(struct traverse_answer *a, const struct graph *g);
void answer_clear(struct traverse_answer *a);

/* Fetch the values after a run and compare them; a difference is an error. */
/* Compares ranks. None may exceed the serial one, except for rounding. With
 * residues up to the threshold on each GPU, each rank is lower by at most that
 * share of it; with sweeps, the sum of all ranks is lower by at most the sum of
 * changes below the threshold, or by the rest after the most iterations. */
int answer_check_ranks(const struct traverse_answer *a,
                       struct traverse_group *t, struct err *err) MUST_CHECK;
int answer_check(const struct traverse_answer *a, struct traverse_group *t,
                 struct err *err) MUST_CHECK;

#endif
