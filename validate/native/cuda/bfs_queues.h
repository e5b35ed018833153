/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bfs_queues.h - an asynchronous breadth-first search by Atos' queues; what C
 * and the kernels share. */
#ifndef VALIDATE_NATIVE_CUDA_BFS_QUEUES_H
#define VALIDATE_NATIVE_CUDA_BFS_QUEUES_H

#include "validate/native/cuda/queue.h"
#include "validate/native/cuda/traverse.h"

#include <stdbool.h>

enum { SEARCH_CTA = 512, SEARCH_FETCH = 32 };

/* A GPU's own; the other one reads and ends it. */
struct search_status {
    struct queue_counter done, processed;
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

/* The other GPU, as this one's kernels reach it. */
struct search_peer {
    uint32_t *depth;
    struct queue local, inbox;
    struct search_outbox outbox;
    unsigned long long *stamps;
    struct search_status *status;
};

/* All in GPU memory. */
struct search {
    struct graph_share g;
    uint32_t *depth;
    struct queue local;          /* discrete: near */
    struct queue far;            /* discrete only: not below the threshold */
    struct queue inbox;          /* from the other GPU */
    unsigned long long *stamps;  /* of the inbox: when it was sent, in ns; NULL:
                                    there is no latency */
    struct search_outbox outbox; /* items NULL: the kernel stores in the other
                                    GPU's inbox */
    const struct search_update
        *received; /* the inbox's items, with an outbox */
    struct search_status *status;
    struct search_peer peer; /* depth NULL: one GPU */
    uint32_t threshold;      /* discrete */
    uint32_t latency_ns, tries;
    unsigned long long clock_ns; /* with a latency: added to the GPU's clock it
                                    is that of the host; modulo 2^64 */
    bool first;                  /* GPU 0, which finds out when all are done */
};

/* Places of queues that a kernel takes. */
struct search_range {
    uint32_t from, n, inbox_from, inbox_n;
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
