/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * match.h - the matching of a queue of messages with a queue of receives at
 * once: what C and the kernels share.
 *
 * The rule of MPI: the receives in the order in which they were posted, each
 * takes the first message that fits and that none has taken. Without ordering
 * only as many messages of a source and tag are taken as receives name them.
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

#define MATCH_LEFT 0xffffffffu /* taken by none */

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

/* The slots of an envelope in the two tables: below 5 * small, and from there
 * below 6 * small. */
MATCH_INLINE uint32_t match_slot(struct match_envelope e, unsigned level,
                                 uint32_t small)
{
    uint32_t first = match_jenkins(e.src ^ match_jenkins(e.tag));

    if (level == 0)
        return (uint32_t)((uint64_t)first * (5 * small) >> 32);
    return 5 * small +
           (uint32_t)((uint64_t)match_jenkins(first ^ e.tag) * small >> 32);
}

/*
 * Queue after queue in GPU memory: messages of queue q begin at
 * first_message[q] and end at first_message[q + 1]; receives likewise.
 */
struct match_work {
    const struct match_envelope *messages, *receives;
    const uint32_t *first_message, *first_receive;
    uint32_t queues;
    uint32_t compact; /* also give what is left */
    uint32_t *taken;  /* of each receive: its message's place, or MATCH_LEFT */
    uint32_t *list;   /* room for a number of each receive */
    /* What is left, in order, each queue's from its first on: messages by their
     * place, receives by their number in the queue. nleft has how many messages
     * of each queue, then how many receives of each. */
    uint32_t *left_messages, *left_receives, *nleft;
};

/* Which threads do what. */
struct match_shape {
    unsigned scan_warps; /* of a queue; 1: no matrix, a warp for each queue */
    unsigned reducer;    /* 1: a warp of its own reduces while others scan */
    unsigned groups;     /* queues of a CTA */
    unsigned ctas, threads;
    unsigned small; /* slots of the second table; the first has five times it */
};

enum { MATCH_WINDOW = 64 }; /* receives that are scanned at once */

#ifdef __cplusplus
extern "C" {
#endif

/* Scan and reduce, as many warps as the longest queue has messages for. */
struct match_shape match_shape_matrix(unsigned queues, unsigned longest);
/* A CTA for each queue, of up to 1024 threads. */
struct match_shape match_shape_hash(unsigned queues, unsigned longest);
enum { MATCH_HASH_MOST = 32 * 1024 }; /* receives or messages of a queue */
unsigned match_memory_matrix(struct match_shape s); /* of a CTA, in bytes */
unsigned match_memory_hash(struct match_shape s);

/* taken[] by the rule of MPI, with lists, one receive after the other. */
void match_serial(uint32_t *taken, const struct match_envelope *messages,
                  uint32_t nmessages, const struct match_envelope *receives,
                  uint32_t nreceives);
/*
 * Whether taken[] breaks no rule but that of ordering: every pair fits, no
 * message is taken twice, and of every source and tag as many messages are
 * taken as there are messages or receives of it, whichever are fewer. For
 * receives without wildcards.
 */
int match_unordered(const uint32_t *taken,
                    const struct match_envelope *messages, uint32_t nmessages,
                    const struct match_envelope *receives, uint32_t nreceives);

/* The same matching `repeats` times, one after the other in one kernel. Return
 * a cudaError_t. */
int match_start_matrix(struct match_work w, struct match_shape s,
                       unsigned repeats, void *stream);
int match_start_hash(struct match_work w, struct match_shape s,
                     unsigned repeats, void *stream);

#ifdef __cplusplus
}
#endif

#endif
