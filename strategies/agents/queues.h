/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queues.h - the vertices that wait on one GPU: in its own queue, in one for
 * each GPU that sends to it, or put off until nothing else is left. */
#ifndef STRATEGIES_AGENTS_QUEUES_H
#define STRATEGIES_AGENTS_QUEUES_H

#include "strategies/agents/execution.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Vertices in order: list[first..n). */
struct fifo {
    uint32_t *list;
    size_t first, n, room;
};

struct queues {
    uint32_t gpu;
    struct fifo *near;  /* by the GPU that found the vertex, or one of all */
    uint32_t nnear;     /* 1, or the number of GPUs */
    struct fifo far;    /* behind the threshold, or put off */
    struct fifo unseen; /* pushed into the GPU's own, not to be taken yet */
    bool hides;         /* what the GPU finds is unseen at first */
    struct fifo kernel; /* what discrete kernels have taken */
    size_t staged;      /* of these, the last: for one that is not launched */
    uint64_t waiting;   /* vertices in near, far and unseen */
    uint64_t most;      /* that waited at once */
    uint64_t capacity;  /* of waiting; 0: no bound */
    uint32_t into,
        turn;       /* of near: what is found goes there; the next to give */
    uint32_t fetch; /* vertices that a worker takes from a queue at once */
    /* Priority: vertices whose key is not below the threshold are put off, and
     * the threshold rises by delta. 0: first in, first out. */
    uint32_t delta, threshold;
    enum received_order received;
    bool by_other; /* what is pushed was found by another GPU */
    /* A vertex's key at this time; NULL: the algorithm has no priority. */
    uint32_t (*key)(const void *state, uint32_t gpu, uint32_t v);
    const void *state;
};

/* The struct holds gpu, nnear, capacity, fetch, delta, threshold (0: delta),
 * hides, received, key and state; the rest is set here. */
void queues_init(struct queues *q);
void queues_clear(struct queues *q);

/* key: what priority goes by. */
void queues_push(struct queues *q, uint32_t v, uint32_t key);
/* To be taken only when nothing else is left: the GPU then looks through all of
 * its vertices for such. */
void queues_put_off(struct queues *q, uint32_t v);
/* What is pushed from now on was found by this GPU. */
void queues_found_by(struct queues *q, uint32_t gpu);

/* What was pushed can be taken. */
void queues_show(struct queues *q);
bool queues_unseen_waits(const struct queues *q);

/* More vertices wait, or have waited at once, than there is room for. */
bool queues_overflowed(const struct queues *q);
bool queues_near_is_empty(const struct queues *q);
bool queues_far_waits(const struct queues *q);

/* The threshold rises to delta above the least key that waits behind it, and
 * what is below it then is next. Without a key all of it is. */
void queues_raise(struct queues *q);
/* To delta above what it was, and all that waits behind it is next. */
void queues_advance(struct queues *q);
/* queues_raise(), when nothing else waits; true: all vertices were looked
 * through. */
bool queues_refill(struct queues *q);

/* The next vertices of one queue after the other, no more than `most` nor than
 * a fetch: how many, 0 when none is near. *list is valid until a push. */
size_t queues_take(struct queues *q, uint64_t most, const uint32_t **list);
/* All that waits becomes that of a kernel to be launched; false: nothing waits.
 looked: through all vertices, since the queues were empty. */
bool queues_fill_kernel(struct queues *q, bool *looked);
/* The same of what other GPUs found alone, where it waits by itself. */
bool queues_fill_kernel_by_others(struct queues *q);
bool queues_by_others_wait(const struct queues *q);
void queues_launch_kernel(struct queues *q);
size_t queues_take_of_kernel(struct queues *q, uint64_t most,
                             const uint32_t **list);
bool queues_kernel_is_empty(const struct queues *q);
/* v was taken: true where it is put off instead (RECEIVED_CHECKED). */
bool queues_puts_back(struct queues *q, uint32_t v);

#endif
