/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_answer.h - what a serial computation on the host gives, and whether
 * GPUs gave the same. */
#ifndef VALIDATE_NATIVE_CUDA_TRAVERSE_ANSWER_H
#define VALIDATE_NATIVE_CUDA_TRAVERSE_ANSWER_H

#include "validate/native/cuda/traverse_team.h"

struct traverse_answer {
    uint32_t n;
    uint32_t *depth; /* of each vertex, TRAVERSE_NONE: not reached */
    uint64_t reached;
    uint64_t *frontiers; /* vertices of each level */
    uint32_t nlevels;
    double *rank; /* of PageRank, without arcs 1 - damping; NULL: depths */
};

void answer_bfs(struct traverse_answer *a, const struct graph *g,
                uint32_t source);
/* Ranks by sweeps of all this host's cores, until they are steady to 1e-9. */
void answer_pagerank(struct traverse_answer *a, const struct graph *g);
void answer_clear(struct traverse_answer *a);

/* After a run: fetches the values and compares; a difference is an error. */
/*
 * Ranks: none is above the serial one, but for rounding. Residues up to the
 * threshold of each GPU leave each rank no less than its share of that below;
 * sweeps leave all ranks together less than what changes of the threshold add
 * up to, or what the most iterations leave.
 */
int answer_check_ranks(const struct traverse_answer *a, struct traverse_team *t,
                       struct err *err) MUST_CHECK;
int answer_check(const struct traverse_answer *a, struct traverse_team *t,
                 struct err *err) MUST_CHECK;

#endif
