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
};

void answer_bfs(struct traverse_answer *a, const struct graph *g,
                uint32_t source);
void answer_clear(struct traverse_answer *a);

/* After a run: fetches the values and compares; a difference is an error. */
int answer_check(const struct traverse_answer *a, struct traverse_team *t,
                 struct err *err) MUST_CHECK;

#endif
