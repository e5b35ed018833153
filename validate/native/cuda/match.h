/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * match.h - matches a queue of messages with a queue of receives at once: the
 * interface of C and the kernels.
 *
 * The rule is MPI's: in the order in which receives were posted, each accepts
 * the first message that fits and that no other has accepted. Without ordering,
 * each source and tag only has the right number of matches.
 */
#ifndef VALIDATE_NATIVE_CUDA_MATCH_H
#define VALIDATE_NATIVE_CUDA_MATCH_H

#include "workloads/match_draw.h"

#include <stdint.h>

#ifdef __CUDACC__
#define MATCH_INLINE static __host__ __device__ __forceinline__
#else
#define MATCH_INLINE static inline
#endif

#define MATCH_LEFT 0xffffffffu /* matched with none */

MATCH_INLINE int match_fits(struct match_envelope receive,
                            struct match_envelope message)
{
    return (receive.src == MATCH_ANY || receive.src == message.src) &&
           (receive.tag == MATCH_ANY || receive.tag == message.tag);
}

/* Robert Jenkins' 32-bit integer hash of six shifts. */
MATCH_INLINE uint32_t match_jenkins(uint32_t a)
{
    a = (a + 0x7ed55d16u) + (a << 12);
    a = (a ^ 0xc761c23cu) ^ (a >> 19);
    a = (a + 0x165667b1u) + (a << 5);
    a = (a + 0xd3a2646cu) ^ (a << 9);
    a = (a + 0xfd7046c5u) + (a << 3);
    return (a ^ 0xb55a4f09u) ^ (a >> 16);
}

/* Returns the slot of an envelope in table `level`: the first table has the
 * slots below 5 * small, the second those from there to 6 * small - 1. */
MATCH_INLINE uint32_t match_slot(struct match_envelope e, unsigned level,
                                 uint32_t small)
{
    uint32_t first = match_jenkins(e.src ^ match_jenkins(e.tag));

    if (level == 0)
        return (uint32_t)((uint64_t)first * (5 * small) >> 32);
    return 5 * small +
           (uint32_t)((uint64_t)match_jenkins(first ^ e.tag) * small >> 32);
}

/* The queues, in GPU memory: messages of queue q begin at first_message[q] and
 * end before first_message[q + 1]; receives likewise. */
struct match_work {
    const struct match_envelope *messages, *receives;
    const uint32_t *first_message, *first_receive;
    uint32_t queues;
    uint32_t compact; /* also list unmatched messages and receives */
    uint32_t *taken;  /* for each receive its message's place, or MATCH_LEFT */
    uint32_t *list;   /* room for a number per receive */
    /* The unmatched messages and receives in order, each queue's from its first
     * place on: messages by their place, receives by their number in the queue.
     * nleft has the number of messages of each queue, then that of receives. */
    uint32_t *left_messages, *left_receives, *nleft;
};

/* The assignment of threads. */
struct match_shape {
    /* Scanning warps per queue; with 1 there is no matrix, but a warp for each
     * queue. */
    unsigned scan_warps;
    unsigned reducer; /* 1 if a separate warp reduces while others scan */
    unsigned groups;  /* queues per CTA */
    unsigned ctas, threads;
    /* Slots of the second table; the first has 5 times as many. */
    unsigned small;
};

enum { MATCH_WINDOW = 64 }; /* receives that are scanned at once */

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the shape of scan and reduce, with the warps that the messages of the
 * longest queue need. */
struct match_shape match_shape_matrix(unsigned queues, unsigned longest);
/* Returns the shape of one CTA of up to 1024 threads per queue. */
struct match_shape match_shape_hash(unsigned queues, unsigned longest);
enum { MATCH_HASH_MOST = 32 * 1024 }; /* receives or messages of a queue */
unsigned match_memory_matrix(struct match_shape s); /* bytes per CTA */
unsigned match_memory_hash(struct match_shape s);

/* Sets taken[] by the rule of MPI, with lists, one receive after the other. */
void match_serial(uint32_t *taken, const struct match_envelope *messages,
                  uint32_t nmessages, const struct match_envelope *receives,
                  uint32_t nreceives);
/* Returns whether taken[] violates no rule except that of ordering: every pair
 * fits, no message is matched twice, and each source and tag has as many
 * matches as it has messages or receives, whichever are fewer. The receives
 * must not have wildcards. */
int match_unordered(const uint32_t *taken,
                    const struct match_envelope *messages, uint32_t nmessages,
                    const struct match_envelope *receives, uint32_t nreceives);

/* Do the same matching `repeats` times, one after the other in one kernel.
 * Return a cudaError_t. */
int match_start_matrix(struct match_work w, struct match_shape s,
                       unsigned repeats, void *stream);
int match_start_hash(struct match_work w, struct match_shape s,
                     unsigned repeats, void *stream);

#ifdef __cplusplus
}
#endif

#endif
