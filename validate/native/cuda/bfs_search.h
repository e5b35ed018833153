/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_search.h - the queues of an asynchronous search on the GPUs, set up by
 * the host. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_SEARCH_H
#define VALIDATE_NATIVE_CUDA_BFS_SEARCH_H

#include "validate/native/cuda/bfs_queues.h"
#include "validate/native/cuda/traverse_execution.h"

struct search_side {
    struct search s;
    unsigned ctas;
    /* The CPU brings updates (no stores): to here, one after the other. */
    struct search_update *received;
    uint64_t received_room;
    void *room; /* the execution's own */
};

uint64_t search_bytes(const struct graph_share *g, unsigned gpus);
/* With or without a far queue. Frees nothing: the pieces are the side's. */
int search_begin(struct traverse_side *side, bool far,
                 struct err *err) MUST_CHECK;
/* The source alone is in its owner's queue. */
void search_reset(struct traverse_side *side);
void search_end_side(struct traverse_side *side);
const uint32_t *search_values(const struct traverse_side *side);

/* Where the other GPU's memory is; in run(), when all have begun. */
void search_connect(struct traverse_side *side);

/* After a run: trouble ends the program; the counts of the kernels. */
void search_collect(struct traverse_side *side);

#endif
