/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queues.h - the vertices that wait on one GPU: in its own queue, in one for
 * each GPU that sends to it, or put off until nothing else is left. */
#ifndef APPS_AGENTS_QUEUES_H
#define APPS_AGENTS_QUEUES_H

#include "apps/agents/execution.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A queue of vertices: list[first..n), in order. */
struct fifo {
    uint32_t *list;
    size_t first, n, room;
};

struct queues {
    uint32_t gpu;
    struct fifo *near;  /* one per GPU that finds vertices, or a common one */
    uint32_t nnear;     /* 1, or the number of GPUs */
    struct fifo far;    /* not below the threshold, or put off */
    struct fifo unseen; /* pushed by the GPU itself, not to be dequeued yet */
    bool hides;         /* vertices that the GPU finds are unseen at first */
    struct fifo kernel; /* vertices that discrete kernels have dequeued */
    size_t staged;     /* the last of `kernel`, for a kernel not launched yet */
    uint64_t waiting;  /* vertices in near, far and unseen */
    uint64_t most;     /* the maximum of `waiting` over the run */
    uint64_t capacity; /* bound of `waiting`; 0 if unbounded */
    /* Indices of near: of pushes, of the next dequeue. */
    uint32_t into, turn;
    uint32_t fetch; /* vertices that a worker dequeues at once */
    /* For priority: vertices whose key is not below the threshold are put off,
     * and the threshold rises by delta. 0 if the order is first in, first
     * out. */
    uint32_t delta, threshold;
    enum received_order received;
    bool by_other; /* pushes are vertices that another GPU found */
    /* Returns the present key of a vertex; NULL if the algorithm has no
     * priority. */
    uint32_t (*key)(const void *state, uint32_t gpu, uint32_t v);
    const void *state;
};

/* Makes empty queues. The caller has set gpu, nnear, capacity, fetch, delta,
 * threshold (0 for delta), hides, received and key, and sets state; this
 * function sets the rest. queues_clear() frees it. */
void queues_init(struct queues *q);
void queues_clear(struct queues *q);

/* Queues a vertex; `key` decides its priority. */
void queues_push(struct queues *q, uint32_t v, uint32_t key);
/* Puts a vertex off until nothing else is left, when the GPU looks through all
 * of its vertices for such. */
void queues_put_off(struct queues *q, uint32_t v);
/* Declares that the pushes from now on are of vertices that this GPU found. */
void queues_found_by(struct queues *q, uint32_t gpu);

/* Makes the unseen vertices visible, so they can be dequeued. */
void queues_show(struct queues *q);
bool queues_unseen_waits(const struct queues *q);

/* Returns whether more vertices wait, or have waited at once, than the
 * capacity. */
bool queues_overflowed(const struct queues *q);
bool queues_near_is_empty(const struct queues *q);
bool queues_far_waits(const struct queues *q);

/* Raises the threshold to delta above the least key that waits behind it, and
 * makes the vertices below it next. Without a key all of them are next. */
void queues_raise(struct queues *q);
/* Raises the threshold by delta and makes all that waits behind it next. */
void queues_advance(struct queues *q);
/* Calls queues_raise() if nothing else waits; returns whether the GPU looked
 * through all vertices. */
bool queues_refill(struct queues *q);

/* Dequeues the next vertices of one queue after the other, at most `most` and
 * at most a fetch; returns how many, 0 if none is near. *list is valid until a
 * push. */
size_t queues_take(struct queues *q, uint64_t most, const uint32_t **list);
/* Moves all waiting vertices to a kernel that is to be launched; returns false
 * if none waits. *looked is set if it looked through all vertices, because the
 * queues were empty. */
bool queues_fill_kernel(struct queues *q, bool *looked);
/* Does the same for the vertices that other GPUs found, if they wait
 * separately. */
bool queues_fill_kernel_by_others(struct queues *q);
bool queues_by_others_wait(const struct queues *q);
void queues_launch_kernel(struct queues *q);
size_t queues_take_of_kernel(struct queues *q, uint64_t most,
                             const uint32_t **list);
bool queues_kernel_is_empty(const struct queues *q);
/* Puts a vertex off that was dequeued and returns true, if RECEIVED_CHECKED
 * asks for it. */
bool queues_puts_back(struct queues *q, uint32_t v);

#endif
