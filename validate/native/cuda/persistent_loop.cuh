/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * persistent_loop.cuh - Atos' persistent kernel, whose workers take vertices
 * from their GPU's own queue and from what others have put into its receive
 * queue, in turn, until there are none anywhere.
 *
 * A worker takes as many places as are filled, up to 32, by one atomicAdd; when
 * others were faster, it waits for what comes into its places. All is done when
 * as many vertices were processed as were pushed: counts of the first are read
 * before those of the second, so that both held at one moment in between.
 */
#ifndef VALIDATE_NATIVE_CUDA_PERSISTENT_LOOP_CUH
#define VALIDATE_NATIVE_CUDA_PERSISTENT_LOOP_CUH

#include "validate/native/cuda/bfs_queues.cuh"

/* Places of a queue that are a worker's: not processed. */
struct search_hold {
    uint32_t at, left;
};

/* Those at the front of the hold that are filled: how many. */
static __device__ uint32_t hold_filled(const struct queue &q,
                                       struct search_hold *h)
{
    uint32_t end = look(&q.at->end.value);

    if (!h->left) {
        uint32_t start = look(&q.at->start.value);
        if (start >= end)
            return 0;
        h->left =
            end - start < SEARCH_FETCH ? end - start : (uint32_t)SEARCH_FETCH;
        h->at = atomicAdd(&q.at->start.value, h->left);
    }
    if (end <= h->at)
        return 0;
    return end - h->at < h->left ? end - h->at : h->left;
}

/* Of these, those whose latency is over. */
static __device__ uint32_t hold_due(const struct search &s, uint32_t at,
                                    uint32_t n)
{
    while (n && s.latency_ns &&
           clock_ns() + s.clock_ns <
               look_wide(&s.stamps[at + n - 1]) + s.latency_ns)
        n /= 2;
    return n;
}

static __device__ bool hold_take(const struct search &s, struct search_hold *h,
                                 bool inbox, struct search_batch *b)
{
    uint32_t n = hold_filled(inbox ? s.inbox : s.local, h);

    if (inbox)
        n = hold_due(s, h->at, n);
    if (!n)
        return false;
    __threadfence_system(); /* what was pushed is read after its end */
    b->at = h->at;
    b->n = n;
    b->inbox = inbox;
    h->at += n;
    h->left -= n;
    return true;
}

static __device__ uint32_t pushed(const struct queue_counters *at)
{
    return look(&at->end_alloc.value);
}

static __device__ bool all_done(const struct search &s)
{
    bool several = s.peer.depth != NULL;
    uint32_t processed = look(&s.status->processed.value), all;

    if (several)
        processed += look(&s.peer.status->processed.value);
    __threadfence_system();
    all = pushed(s.local.at);
    if (several)
        all += pushed(s.peer.local.at);
    if (s.outbox.at)
        all += pushed(s.outbox.at) + pushed(s.peer.outbox.at);
    else if (several)
        all += pushed(s.inbox.at) + pushed(s.peer.inbox.at);
    return processed == all;
}

static __device__ void end_all(const struct search &s)
{
    atomicMax_system(&s.status->done.value, 1u);
    if (s.peer.depth)
        atomicMax_system(&s.peer.status->done.value, 1u);
}

/* By a worker's leader that found nothing: whether it goes on. */
static __device__ bool search_waits(const struct search &s, uint32_t *tries)
{
    if (look(&s.status->done.value))
        return false;
    if (++*tries > s.tries)
        queue_fail(s.local, QUEUE_STUCK);
    bool trouble = (look(&s.local.at->trouble.value) |
                    look(&s.inbox.at->trouble.value)) != 0;
    if (trouble || (s.first && blockIdx.x == 0 && all_done(s)))
        end_all(s);
    __nanosleep(QUEUE_NAP_NS);
    return true;
}

/* The next vertices, by the leader; b->n of 0: it is over. */
static __device__ void search_take(const struct search &s,
                                   struct search_hold *holds, unsigned *turn,
                                   struct search_batch *b)
{
    unsigned queues = s.peer.depth ? 2 : 1;
    uint32_t tries = 0;

    b->n = 0;
    do
        for (unsigned i = 0; i < queues; i++) {
            bool inbox = queues > 1 && *turn;
            *turn = !*turn;
            if (hold_take(s, &holds[inbox], inbox, b))
                return;
        }
    while (search_waits(s, &tries));
}

/* What a worker does: `work` loads its vertices and goes along their arcs. */
template <class Work>
static __device__ void persistent_loop(const struct search &s, const Work &work,
                                       struct search_batch *b)
{
    struct search_hold holds[2] = {};
    struct search_tally tally = {};
    unsigned turn = 0;
    wide begin = cycles();

    for (;;) {
        if (threadIdx.x == 0)
            search_take(s, holds, &turn, b);
        __syncthreads();
        if (!b->n)
            break;
        wide taken = cycles();
        if (warp_id() == 0)
            work.load(b, &tally);
        __syncthreads();
        work.arcs(b, &tally);
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence_system(); /* what it pushed counts before it does */
            atomicAdd(&s.status->processed.value, b->n);
            tally.busy += cycles() - taken;
        }
    }
    search_end(s, &tally, cycles() - begin);
}

#endif
