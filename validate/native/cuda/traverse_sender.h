/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_sender.h - a host thread that sends for a GPU: when woken, it copies
 * to the next GPU of the ring and records an event. A failure in it ends the
 * program. */
#ifndef VALIDATE_NATIVE_CUDA_TRAVERSE_SENDER_H
#define VALIDATE_NATIVE_CUDA_TRAVERSE_SENDER_H

#include "validate/native/cuda/traverse_group.h"

#include <pthread.h>

struct sender {
    struct traverse_side *side;
    pthread_t thread;
    pthread_mutex_t lock; /* held for wanted, ends and the data to send */
    pthread_cond_t wake;
    bool begun, wanted, ends;
    void *to;
    const void *from;
    size_t bytes;
    cudaStream_t stream;
    cudaEvent_t there;    /* recorded after the last copy */
    unsigned handed;      /* copies that were requested */
    atomic_uint recorded; /* copies whose event is recorded */
};

/* sender_end() is needed also after a failure, and may be called for a sender
 * that never began. */
int sender_begin(struct sender *s, struct traverse_side *side,
                 struct err *err) MUST_CHECK;
void sender_end(struct sender *s);
/* Requests a copy to the other GPU of two; waits until the copy before is under
 * way. */
void sender_send(struct sender *s, void *to, const void *from, size_t bytes);
/* Copies to a peer, after the latency: by the sender or, if it is NULL, on a
 * stream by this thread. */
void side_send(struct traverse_side *side, unsigned peer, void *to,
               const void *from, size_t bytes, struct sender *sender,
               cudaStream_t stream);
/* Waits until this many copies in total are under way, then makes a stream of
 * another GPU wait for the last one. */
void sender_await(struct sender *s, unsigned copies, cudaStream_t stream);

#endif
