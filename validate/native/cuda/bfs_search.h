/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_search.h - the queues of an asynchronous search on the GPUs, set up by
 * the host. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_SEARCH_H
#define VALIDATE_NATIVE_CUDA_BFS_SEARCH_H

#include "validate/native/cuda/bfs_queues.h"
#include "validate/native/cuda/pagerank_residual.h"
#include "validate/native/cuda/traverse_execution.h"
#include "validate/native/cuda/traverse_sender.h"

/* Places of queues per vertex, which may be queued several times. inbox: places
 * of the queue for, or from, each peer. */
struct search_room {
    unsigned local, far, inbox;
};

struct search_side;
/* The kernels of the host's steps: one for the contents of the queues, one for
 * updates that the CPU has brought. They return a cudaError_t. */
struct search_kernels {
    int (*discrete)(const struct search_side *v, const struct search_range *r,
                    void *stream);
    int (*received)(const struct search_side *v,
                    const struct search_update *list, uint32_t n, void *stream);
};

struct search_side {
    struct search s;
    struct residual residual; /* for PageRank */
    unsigned ctas;
    /* Inboxes, one per peer; outboxes or NULL. */
    struct queue_counters *in, *out;
    /* If the CPU brings updates (no stores): those of each peer to this GPU in
     * order, with room for received_room. */
    struct search_update *received[TRAVERSE_PEERS];
    uint64_t received_room;
};

uint64_t search_bytes(const struct graph_share *g, unsigned gpus);
uint64_t search_room_bytes(const struct graph_share *g, unsigned gpus,
                           struct search_room room);
extern const struct search_room search_room;
/* Sets up the queues, with a far queue if `far`. The side's state has
 * `state_B` bytes, of which a struct search_side is the first part. On an error
 * nothing is freed, because the pieces belong to the side. */
int search_begin(struct traverse_side *side, size_t state_B, bool far,
                 struct search_room room, struct err *err) MUST_CHECK;
/* Empties the queues; only the source is in its owner's queue. */
void search_reset(struct traverse_side *side);

/* The execution by kernels one after the other. discrete_begin() calls
 * search_begin(); discrete_start() sets the places of the own queue that are
 * filled at the start; discrete_run() is the loop of a host thread: it starts
 * kernel after kernel as long as a queue is not empty. */
int discrete_begin(struct traverse_side *side, struct search_room room,
                   const struct search_kernels *kernels,
                   struct err *err) MUST_CHECK;
void discrete_start(struct traverse_side *side, uint32_t near_end);
void discrete_run(struct traverse_side *side);
void discrete_end(struct traverse_side *side);

/* Begins the execution by a kernel that stays: it may have `resident` CTAs, a
 * device's, in all. */
int persistent_ctas(struct traverse_side *side, int (*resident)(unsigned *ctas),
                    struct err *err) MUST_CHECK;

/* Sets the addresses of other GPUs' memory, after all have begun. */
void search_connect(struct traverse_side *side);
/* Starts to copy `end` of `n` counters to words of pinned memory. */
void search_read_ends(struct traverse_side *side, unsigned word,
                      const struct queue_counters *at, unsigned n,
                      cudaStream_t stream);

/* Copies the updates [from, end) of the outbox for a peer behind those that it
 * has received before, by the sender or on a stream, as side_send() does. */
void search_carry(struct traverse_side *side, unsigned peer, uint64_t from,
                  uint64_t end, struct sender *sender, cudaStream_t stream);

/* Adds the kernels' counts of a run; trouble ends the program. */
void search_collect(struct traverse_side *side);

#endif
