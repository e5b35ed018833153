/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_sender.h - a host thread that sends for a GPU: woken up, it copies
 * to the next GPU of the ring and records an event. What fails ends the
 * program. */
#ifndef VALIDATE_NATIVE_CUDA_TRAVERSE_SENDER_H
#define VALIDATE_NATIVE_CUDA_TRAVERSE_SENDER_H

#include "validate/native/cuda/traverse_team.h"

#include <pthread.h>

struct sender {
    struct traverse_side *side;
    pthread_t thread;
    pthread_mutex_t lock; /* of wanted, ends and what is to be sent */
    pthread_cond_t wake;
    bool begun, wanted, ends;
    void *to;
    const void *from;
    size_t bytes;
    cudaStream_t stream;
    cudaEvent_t there;    /* of the last copy */
    unsigned handed;      /* copies that were asked for */
    atomic_uint recorded; /* those whose event is recorded */
};

/* sender_end() also after a failure, and for one that never began. */
int sender_begin(struct sender *s, struct traverse_side *side,
                 struct err *err) MUST_CHECK;
void sender_end(struct sender *s);
/* Has it copied to the other GPU of two; waits until the copy before is on its
 * way. */
void sender_send(struct sender *s, void *to, const void *from, size_t bytes);
/* Waits until so many copies are on their way in all; then on a stream of
 * another GPU until the last one is there. */
void sender_await(struct sender *s, unsigned copies, cudaStream_t stream);

#endif
