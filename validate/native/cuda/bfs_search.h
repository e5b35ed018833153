/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_search.h - the queues of an asynchronous search on the GPUs, set up by
 * the host. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_SEARCH_H
#define VALIDATE_NATIVE_CUDA_BFS_SEARCH_H

#include "validate/native/cuda/bfs_queues.h"
#include "validate/native/cuda/pagerank_residual.h"
#include "validate/native/cuda/traverse_execution.h"

/* Places of queues for each vertex that may come: it may come again. Inbox: of
 * the queue for each peer, or from it. */
struct search_room {
    unsigned local, far, inbox;
};

struct search_side;
/* The kernels of the host's steps: one for what is in the queues, one for what
 * the CPU has brought. Return a cudaError_t. */
struct search_kernels {
    int (*discrete)(const struct search_side *v, const struct search_range *r,
                    void *stream);
    int (*received)(const struct search_side *v,
                    const struct search_update *list, uint32_t n, void *stream);
};

struct search_side {
    struct search s;
    struct residual residual; /* of PageRank */
    const struct search_kernels *kernels;
    unsigned ctas;
    struct queue_counters *in, *out; /* by peer: inboxes; outboxes or NULL */
    /* The CPU brings updates (no stores): each peer's to here, one after the
     * other; so many have room. */
    struct search_update *received[TRAVERSE_PEERS];
    uint64_t received_room;
    void *room; /* the execution's own */
};

uint64_t search_bytes(const struct graph_share *g, unsigned gpus);
uint64_t search_room_bytes(const struct graph_share *g, unsigned gpus,
                           struct search_room room);
extern const struct search_room search_room;
/* With or without a far queue. Frees nothing: the pieces are the side's. */
int search_begin(struct traverse_side *side, bool far, struct search_room room,
                 struct err *err) MUST_CHECK;
/* The source alone is in its owner's queue. */
void search_reset(struct traverse_side *side);
void search_end_side(struct traverse_side *side);
const uint32_t *search_values(const struct traverse_side *side);

/* Kernel after kernel as long as there is something in a queue: the part of a
 * host thread. discrete_start(): the places of the
 * own queue that are filled. */
void discrete_room(struct traverse_side *side);
void discrete_start(struct traverse_side *side, uint32_t near_end);
void discrete_run(struct traverse_side *side);

/* Where other GPUs' memory is; when all have begun. */
void search_connect(struct traverse_side *side);
/* Begins to copy `end` of so many counters to words of pinned memory. */
void search_read_ends(struct traverse_side *side, unsigned word,
                      const struct queue_counters *at, unsigned n,
                      cudaStream_t stream);

/* After a run: trouble ends the program; the counts of the kernels. */
void search_collect(struct traverse_side *side);

#endif
