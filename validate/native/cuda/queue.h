/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queue.h - queues in GPU memory that many threads push to and pop from at
 * once: the interface of C and the kernels. */
#ifndef VALIDATE_NATIVE_CUDA_QUEUE_H
#define VALIDATE_NATIVE_CUDA_QUEUE_H

#include <stdint.h>

/* A counter in a cache line of its own, because all are changed by atomics. */
struct queue_counter {
    uint32_t value;
    uint32_t apart[31];
};

/* Places count items from the start of the memory, which is not reused. Atos:
 * items before `end` are written and may be popped; those before end_alloc are
 * reserved; end_max is the largest end of the writers so far, end_count the
 * number of items written: if the two are equal, no item below is missing. CAS
 * uses only start, end and end_alloc. */
struct queue_counters {
    struct queue_counter start, end, end_alloc, end_max, end_count;
    struct queue_counter trouble; /* enum queue_trouble, of all threads */
};

struct queue {
    struct queue_counters *at;
    uint32_t *items;
    uint32_t capacity;
};

enum queue_trouble { QUEUE_FULL = 1, QUEUE_STUCK = 2 };
enum queue_form {
    QUEUE_ATOS_WARP,
    QUEUE_ATOS_CTA,
    QUEUE_CAS_WARP,
    QUEUE_FORMS
};
enum queue_operation {
    QUEUE_PUSH,
    QUEUE_POP,
    QUEUE_PUSH_POP,
    QUEUE_OPERATIONS
};

/* Operations of one thread. Its k-th item is thread * QUEUE_OPS + k. */
enum { QUEUE_OPS = 10 };
#define QUEUE_NOTHING 0xffffffffu /* no item, no place */

#ifdef __cplusplus
extern "C" {
#endif

/* Starts `threads` threads (a multiple of 32) in CTAs of `cta`. Popped items go
 * to popped[k * threads + thread]; it is NULL for QUEUE_PUSH. The counters must
 * be set for the operation. Returns a cudaError_t. */
int queue_start(enum queue_form form, enum queue_operation operation,
                unsigned threads, unsigned cta, struct queue q,
                uint32_t *popped, void *stream);

/* Return whether items has each number below n once; whether each thread's
 * items are then in the order in which it pushed them; and whether each thread
 * popped rising numbers, as from a queue of 0, 1, 2, ... */
int queue_each_once(const uint32_t *items, uint32_t n);
int queue_in_order(const uint32_t *items, uint32_t n);
int queue_popped_in_order(const uint32_t *popped, unsigned threads);

/* Sets *ctas to the CTAs of `cta` threads that a multiprocessor holds at
 * once. */
int queue_resident(enum queue_form form, enum queue_operation operation,
                   unsigned cta, unsigned *ctas);

#ifdef __cplusplus
}
#endif

#endif
