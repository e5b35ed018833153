/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host thread that sends for a GPU of a ring. */
#include "validate/native/cuda/traverse_sender.h"

static void copy_late(const struct traverse_side *side, unsigned peer, void *to,
                      const void *from, size_t bytes, cudaStream_t stream)
{
    spin_for(side->group->how.latency_s);
    CUDA_DIE(cudaMemcpyPeerAsync(to, side_peer(side, peer)->device, from,
                                 side->device, bytes, stream));
}

static void send_now(struct sender *s)
{
    copy_late(s->side, 0, s->to, s->from, s->bytes, s->stream);
    CUDA_DIE(cudaEventRecord(s->there, s->stream));
}

static void *sender_thread(void *arg)
{
    struct sender *s = arg;

    CUDA_DIE(cudaSetDevice(s->side->device));
    pthread_mutex_lock(&s->lock);
    for (;;) {
        while (!s->wanted && !s->ends)
            pthread_cond_wait(&s->wake, &s->lock);
        if (!s->wanted)
            break;
        send_now(s);
        s->wanted = false;
        atomic_fetch_add(&s->recorded, 1);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

int sender_begin(struct sender *s, struct traverse_side *side, struct err *err)
{
    s->side = side;
    if (CUDA_TRY(err, cudaSetDevice(side->device)) < 0 ||
        CUDA_TRY(err, cudaStreamCreateWithFlags(&s->stream,
                                                cudaStreamNonBlocking)) < 0 ||
        CUDA_TRY(err, cudaEventCreateWithFlags(&s->there,
                                               cudaEventDisableTiming)) < 0)
        return -1;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->wake, NULL);
    if (pthread_create(&s->thread, NULL, sender_thread, s) != 0)
        return fail_work(err, "no host thread that sends for GPU %u",
                         side->gpu);
    s->begun = true;
    return 0;
}

void sender_end(struct sender *s)
{
    if (s->begun) {
        pthread_mutex_lock(&s->lock);
        s->ends = true;
        pthread_cond_signal(&s->wake);
        pthread_mutex_unlock(&s->lock);
        pthread_join(s->thread, NULL);
        pthread_cond_destroy(&s->wake);
        pthread_mutex_destroy(&s->lock);
    }
    if (s->there)
        cudaEventDestroy(s->there);
    if (s->stream)
        cudaStreamDestroy(s->stream);
}

void sender_send(struct sender *s, void *to, const void *from, size_t bytes)
{
    while (atomic_load(&s->recorded) < s->handed)
        WHILE_LOOKING();
    s->handed++;
    pthread_mutex_lock(&s->lock);
    s->to = to;
    s->from = from;
    s->bytes = bytes;
    s->wanted = true;
    pthread_cond_signal(&s->wake);
    pthread_mutex_unlock(&s->lock);
}

void side_send(struct traverse_side *side, unsigned peer, void *to,
               const void *from, size_t bytes, struct sender *sender,
               cudaStream_t stream)
{
    side->counts.bytes += bytes;
    if (sender)
        sender_send(sender, to, from, bytes);
    else
        copy_late(side, peer, to, from, bytes, stream);
}

void sender_await(struct sender *s, unsigned copies, cudaStream_t stream)
{
    while (atomic_load(&s->recorded) < copies)
        WHILE_LOOKING();
    CUDA_DIE(cudaStreamWaitEvent(stream, s->there, 0));
}
