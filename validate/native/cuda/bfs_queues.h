/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_queues.h - an asynchronous breadth-first search by Atos' queues: the
 * interface of C and the kernels. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_QUEUES_H
#define VALIDATE_NATIVE_CUDA_BFS_QUEUES_H

#include "validate/native/cuda/queue.h"
#include "validate/native/cuda/traverse.h"

#include <stdbool.h>

enum { SEARCH_CTA = 512, SEARCH_FETCH = 32 };

/* The status of a GPU, which other GPUs read and end. `trouble` is that of a
 * queue in another GPU, or for one. */
struct search_status {
    struct queue_counter done, processed, trouble;
    /* Sums over all CTAs. stale: received vertices that were no longer new; the
     * last two are in clock cycles. */
    unsigned long long arcs, remote, sent, stale, busy, all;
};

/* An update for another GPU: the vertex's place there, and its depth. */
struct search_update {
    uint32_t place, depth;
};
/* A queue of updates, which the CPU empties. */
struct search_outbox {
    struct queue_counters *at;
    struct search_update *items;
    uint32_t capacity;
};

/* The updates of one GPU for another: a queue in the receiver's memory, into
 * which kernels store. stamps: when each was sent, in ns; NULL if there is no
 * latency. If the CPU copies, `received` has the updates that are the items of
 * that queue. */
struct search_inbox {
    struct queue queue;
    unsigned long long *stamps;
    const struct search_update *received;
};

/* A peer, as this GPU's kernels reach it. */
struct search_peer {
    uint32_t *depth;          /* the peer's */
    struct search_inbox to;   /* in the peer: from this GPU */
    struct search_inbox from; /* in this GPU: from the peer */
    /* In this GPU: for the peer. items is NULL if the kernel stores in the
     * other GPU's inbox. */
    struct search_outbox outbox;
    /* In the peer: counters of its pushes, and of the updates that it sent or
     * received, one for each of its peers. */
    const struct queue_counters *pushed, *moved;
    struct search_status *status;
};

/* All pointers are to GPU memory. */
struct search {
    struct graph_share g;
    uint32_t *depth;
    struct queue local; /* discrete: the near queue */
    struct queue far;   /* discrete only: not below the threshold */
    struct search_status *status;
    const struct queue_counters *moved; /* this GPU's, as in search_peer */
    unsigned peers;                     /* 0 on one GPU */
    struct search_peer peer[TRAVERSE_PEERS];
    uint32_t threshold; /* discrete */
    uint32_t latency_ns, tries;
    /* With a latency: the host's clock minus the GPU's, modulo 2^64. */
    unsigned long long clock_ns;
    bool first; /* it is GPU 0, which detects the end of the search */
};

/* Places of a queue that a kernel dequeues. */
struct search_places {
    uint32_t from, n;
};
struct search_range {
    struct search_places near, inbox[TRAVERSE_PEERS];
};

#ifdef __cplusplus
extern "C" {
#endif

/* Starts a kernel that writes the GPU's clock to host memory. */
int search_clock_start(unsigned long long *seen, void *stream);

/* Start a kernel; return a cudaError_t. */
int search_persistent_start(const struct search *s, unsigned ctas,
                            void *stream);
int search_persistent_resident(unsigned *ctas);
/* Starts one kernel for the present contents of the queues. */
int search_discrete_start(const struct search *s, const struct search_range *r,
                          void *stream);
/* Moves those vertices of far[from..from + n) that are below the threshold to
 * the near queue, the others to the end of the far one. */
int search_raise_start(const struct search *s, uint32_t from, uint32_t n,
                       void *stream);
/* Handles `n` updates that the CPU brought: those that are new are added to the
 * near queue. */
int search_received_start(const struct search *s,
                          const struct search_update *list, uint32_t n,
                          void *stream);

#ifdef __cplusplus
}
#endif

#endif
