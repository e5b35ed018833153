/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_queues.h - an asynchronous breadth-first search by Atos' queues; what C
 * and the kernels share. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_QUEUES_H
#define VALIDATE_NATIVE_CUDA_BFS_QUEUES_H

#include "validate/native/cuda/queue.h"
#include "validate/native/cuda/traverse.h"

#include <stdbool.h>

enum { SEARCH_CTA = 512, SEARCH_FETCH = 32 };

/* A GPU's own; others read and end it. Trouble: of a queue of another GPU, or
 * for it. */
struct search_status {
    struct queue_counter done, processed, trouble;
    /* Of all CTAs; stale: received, and no news by then; the last two in clock
     * cycles. */
    unsigned long long arcs, remote, sent, stale, busy, all;
};

/* What another GPU is told of: the place there, and the depth. */
struct search_update {
    uint32_t place, depth;
};
/* A queue of these, which the CPU empties. */
struct search_outbox {
    struct queue_counters *at;
    struct search_update *items;
    uint32_t capacity;
};

/* What one GPU sends another: a queue in the memory of who receives it, where
 * kernels store; stamps: when each was sent, in ns, NULL: there is no latency.
 * Where the CPU copies, the updates that are items of that queue. */
struct search_inbox {
    struct queue queue;
    unsigned long long *stamps;
    const struct search_update *received;
};

/* A peer, as this GPU's kernels reach it. */
struct search_peer {
    uint32_t *depth;             /* there */
    struct search_inbox to;      /* there: from here */
    struct search_inbox from;    /* here: from there */
    struct search_outbox outbox; /* here: for it; items NULL: the kernel stores
                                    in the other GPU's inbox */
    /* There: its counters of what was pushed, and of what was sent, or came,
     * one for each of its peers. */
    const struct queue_counters *pushed, *moved;
    struct search_status *status;
};

/* All in GPU memory. */
struct search {
    struct graph_share g;
    uint32_t *depth;
    struct queue local; /* discrete: near */
    struct queue far;   /* discrete only: not below the threshold */
    struct search_status *status;
    const struct queue_counters *moved; /* as of a peer; here */
    unsigned peers;                     /* 0: one GPU */
    struct search_peer peer[TRAVERSE_PEERS];
    uint32_t threshold; /* discrete */
    uint32_t latency_ns, tries;
    unsigned long long clock_ns; /* with a latency: added to the GPU's clock it
                                    is that of the host; modulo 2^64 */
    bool first;                  /* GPU 0, which finds out when all are done */
};

/* Places of a queue that a kernel takes. */
struct search_places {
    uint32_t from, n;
};
struct search_range {
    struct search_places near, inbox[TRAVERSE_PEERS];
};

#ifdef __cplusplus
extern "C" {
#endif

/* Begins a kernel that writes the GPU's clock to memory of the host. */
int search_clock_start(unsigned long long *seen, void *stream);

/* Begin a kernel; return a cudaError_t. */
int search_persistent_start(const struct search *s, unsigned ctas,
                            void *stream);
int search_persistent_resident(unsigned *ctas);
/* One kernel for what is in the queues now. */
int search_discrete_start(const struct search *s, const struct search_range *r,
                          void *stream);
/* Those of far[from..from + n) that are below the threshold go to the near
 * queue, the others to the end of the far one. */
int search_raise_start(const struct search *s, uint32_t from, uint32_t n,
                       void *stream);
/* `n` updates that the CPU brought: what is news goes to the near queue. */
int search_received_start(const struct search *s,
                          const struct search_update *list, uint32_t n,
                          void *stream);

#ifdef __cplusplus
}
#endif

#endif
