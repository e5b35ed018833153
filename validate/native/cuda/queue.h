/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queue.h - queues in GPU memory that many threads push to and pop from at
 * once; what C and the kernels share. */
#ifndef VALIDATE_NATIVE_CUDA_QUEUE_H
#define VALIDATE_NATIVE_CUDA_QUEUE_H

#include <stdint.h>

/* Each in a cache line of its own: all are changed by atomics. */
struct queue_counter {
    uint32_t value;
    uint32_t apart[31];
};

/*
 * Counted in items from the start of the memory, which is not used again.
 * Atos: what is before `end` is written and may be popped; end_alloc is
 * reserved; end_max is the largest end of those who have written, end_count the
 * number of items written: when the two are equal, nothing below is missing.
 * CAS: start, end and end_alloc only.
 */
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

/* What one thread does: QUEUE_OPS times the operation. Its k-th item is
 * thread * QUEUE_OPS + k. */
enum { QUEUE_OPS = 10 };
#define QUEUE_NOTHING 0xffffffffu /* no item, no place */

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Begins `threads` threads (a multiple of 32) in CTAs of `cta`. What is popped
 * goes to popped[k * threads + thread]; NULL for QUEUE_PUSH. The counters must
 * be as the operation wants them. Returns a cudaError_t.
 */
int queue_start(enum queue_form form, enum queue_operation operation,
                unsigned threads, unsigned cta, struct queue q,
                uint32_t *popped, void *stream);

/*
 * Whether items holds each number below n once; whether (then) each thread's
 * items are there in the order in which it pushed them; and whether each
 * thread popped larger and larger numbers, as from a queue of 0, 1, 2 ...
 */
int queue_each_once(const uint32_t *items, uint32_t n);
int queue_in_order(const uint32_t *items, uint32_t n);
int queue_popped_in_order(const uint32_t *popped, unsigned threads);

/* How many CTAs of `cta` threads are on a multiprocessor at once. */
int queue_resident(enum queue_form form, enum queue_operation operation,
                   unsigned cta, unsigned *ctas);

#ifdef __cplusplus
}
#endif

#endif
