/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * persistent_loop.cuh - Atos' persistent kernel, whose workers dequeue vertices
 * from their GPU's own queue and from the receive queue of each other GPU, in
 * turn, until all are empty.
 *
 * A worker takes as many places as are filled, up to 32, by one atomicAdd; if
 * others were faster, it waits for the vertices that come into its places. The
 * search is done when as many vertices were processed as were pushed: the
 * counts of the former are read before those of the latter, so that both held
 * at one moment in between.
 */
#ifndef VALIDATE_NATIVE_CUDA_PERSISTENT_LOOP_CUH
#define VALIDATE_NATIVE_CUDA_PERSISTENT_LOOP_CUH

#include "validate/native/cuda/bfs_queues.cuh"

/* Places of a queue that belong to a worker and are not processed yet. */
struct search_hold {
    uint32_t at, left;
};

/* The holds of the own queue, of that from the first peer, and of those from
 * others. They are separate because only an array that is indexed is not in
 * registers. */
struct search_holds {
    struct search_hold *own, *first, *more;

    __device__ struct search_hold of(unsigned source) const
    {
        return source == 0 ? *own : source == 1 ? *first : more[source - 2];
    }
    __device__ void set(unsigned source, struct search_hold h) const
    {
        if (source == 0)
            *own = h;
        else if (source == 1)
            *first = h;
        else
            more[source - 2] = h;
    }
};

/* Returns how many places at the front of the hold are filled. */
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

/* Returns how many of them are due, because their latency is over. */
static __device__ uint32_t hold_due(const struct search &s,
                                    const struct search_inbox &inbox,
                                    uint32_t at, uint32_t n)
{
    while (n && s.latency_ns &&
           clock_ns() + s.clock_ns <
               look_wide(&inbox.stamps[at + n - 1]) + s.latency_ns)
        n /= 2;
    return n;
}

static __device__ bool hold_take(const struct search &s, struct search_hold *h,
                                 unsigned source, struct search_batch *b)
{
    const struct search_inbox *inbox = &s.peer[source ? source - 1 : 0].from;
    uint32_t n = hold_filled(source ? inbox->queue : s.local, h);

    if (source)
        n = hold_due(s, *inbox, h->at, n);
    if (!n)
        return false;
    __threadfence_system(); /* the pushed items must be read after their end */
    b->at = h->at;
    b->n = n;
    b->source = source;
    h->at += n;
    h->left -= n;
    return true;
}

static __device__ uint32_t pushed(const struct queue_counters *at)
{
    return look(&at->end_alloc.value);
}

/* Returns the number of updates that were sent to peers, or received from
 * them. */
static __device__ uint32_t moved(const struct search &s,
                                 const struct queue_counters *at)
{
    uint32_t all = 0;

    for (unsigned p = 0; p < s.peers; p++)
        all += pushed(&at[p]);
    return all;
}

static __device__ bool all_done(const struct search &s)
{
    uint32_t processed = look(&s.status->processed.value), all;

    for (unsigned p = 0; p < s.peers; p++)
        processed += look(&s.peer[p].status->processed.value);
    __threadfence_system();
    all = pushed(s.local.at) + moved(s, s.moved);
    for (unsigned p = 0; p < s.peers; p++)
        all += pushed(s.peer[p].pushed) + moved(s, s.peer[p].moved);
    return processed == all;
}

static __device__ void end_all(const struct search &s)
{
    atomicMax_system(&s.status->done.value, 1u);
    for (unsigned p = 0; p < s.peers; p++)
        atomicMax_system(&s.peer[p].status->done.value, 1u);
}

/* Called by a worker's leader that found nothing; returns whether it goes
 * on. */
static __device__ bool search_waits(const struct search &s, uint32_t *tries)
{
    if (look(&s.status->done.value))
        return false;
    if (++*tries > s.tries)
        queue_fail(s.local, QUEUE_STUCK);
    bool trouble = (look(&s.local.at->trouble.value) |
                    look(&s.status->trouble.value)) != 0;
    if (trouble || (s.first && blockIdx.x == 0 && all_done(s)))
        end_all(s);
    __nanosleep(QUEUE_NAP_NS);
    return true;
}

/* Dequeues the next vertices; called by the leader. b->n is 0 at the end. */
static __device__ void search_take(const struct search &s,
                                   const struct search_holds &holds,
                                   unsigned *turn, struct search_batch *b)
{
    unsigned queues = 1 + s.peers;
    uint32_t tries = 0;

    b->n = 0;
    do
        for (unsigned i = 0; i < queues; i++) {
            unsigned source = *turn;
            struct search_hold h = holds.of(source);
            *turn = source + 1 < queues ? source + 1 : 0;
            bool took = hold_take(s, &h, source, b);
            holds.set(source, h);
            if (took)
                return;
        }
    while (search_waits(s, &tries));
}

/* Runs a worker: `work` loads its vertices and visits their arcs. */
template <class Work>
static __device__ void persistent_loop(const struct search &s, const Work &work,
                                       struct search_batch *b)
{
    struct search_hold own = {}, first = {}, more[TRAVERSE_PEERS - 1] = {};
    const struct search_holds holds = {&own, &first, more};
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
            /* Its pushes must count before the batch does. */
            __threadfence_system();
            atomicAdd(&s.status->processed.value, b->n);
            tally.busy += cycles() - taken;
        }
    }
    search_end(s, &tally, cycles() - begin);
}

#endif
