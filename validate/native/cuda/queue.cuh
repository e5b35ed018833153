/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queue.cuh - the queue of Atos (Listing 6), by warps and by CTAs, and one that
 * reserves and publishes by compare-and-swap, by warps.
 *
 * A worker (a warp or a CTA) counts the requests of its threads, one of them
 * takes as many places by one atomic operation, and all write or read theirs.
 * All threads of a worker must call together.
 *
 * Every wait is bounded: it ends after QUEUE_TRIES looks, or if any thread has
 * trouble.
 */
#ifndef VALIDATE_NATIVE_CUDA_QUEUE_CUH
#define VALIDATE_NATIVE_CUDA_QUEUE_CUH

#include "validate/native/cuda/lanes.cuh"
#include "validate/native/cuda/queue.h"

#ifndef QUEUE_TRIES
#define QUEUE_TRIES (1u << 20)
#endif
enum { QUEUE_ASK = 64, QUEUE_NAP_NS = 50 };

struct warp_worker {
    __device__ bool leads(void) const
    {
        return lane_id() == 0;
    }
    /* Returns the number of threads before this one that want an item; *total
     * is that of all. */
    __device__ unsigned count(bool wants, unsigned *total)
    {
        unsigned votes = __ballot_sync(ALL_LANES, wants);
        *total = (unsigned)__popc(votes);
        return lanes_below(votes);
    }
    /* Returns the leader's value in all threads, which then see its earlier
     * writes. */
    __device__ unsigned spread(unsigned value)
    {
        return __shfl_sync(ALL_LANES, value, 0);
    }
    __device__ void sync(void)
    {
        __syncwarp(ALL_LANES);
    }
};

enum { QUEUE_BOX = WARP + 1 }; /* words of CTA memory: a count of each warp */

struct cta_worker {
    uint32_t *box;

    __device__ bool leads(void) const
    {
        return threadIdx.x == 0;
    }
    __device__ unsigned count(bool wants, unsigned *total)
    {
        unsigned votes = __ballot_sync(ALL_LANES, wants), before = 0, all = 0;

        if (lane_id() == 0)
            box[warp_id()] = (uint32_t)__popc(votes);
        __syncthreads();
        for (unsigned w = 0; w < blockDim.x / WARP; w++) {
            before += w < warp_id() ? box[w] : 0;
            all += box[w];
        }
        *total = all;
        return before + lanes_below(votes);
    }
    __device__ unsigned spread(unsigned value)
    {
        if (leads())
            box[WARP] = value;
        __syncthreads();
        return box[WARP];
    }
    __device__ void sync(void)
    {
        __syncthreads();
    }
};

static __device__ void queue_fail(const struct queue &q, unsigned trouble)
{
    atomicOr(&q.at->trouble.value, trouble);
}

/* Called before the next look; returns false if another look is useless. */
static __device__ bool queue_again(const struct queue &q, unsigned tries)
{
    if (tries >= QUEUE_TRIES) {
        queue_fail(q, QUEUE_STUCK);
        return false;
    }
    if (tries % QUEUE_ASK == 0 && look(&q.at->trouble.value) != 0)
        return false;
    __nanosleep(QUEUE_NAP_NS);
    return true;
}

/* --- Atos ----------------------------------------------------------------- */

/* Publishes the worker's `total` items up to `end` once they are written;
 * called by the leader. The first fence comes before end_count counts them.
 * The leader that brings end_count up to end_max knows that all items below are
 * written: others' writes are visible here after the second fence, which comes
 * before `end` admits every worker. */
static __device__ void atos_publish(const struct queue &q, unsigned end,
                                    unsigned total)
{
    atomicMax(&q.at->end_max.value, end);
    __threadfence();
    unsigned done = atomicAdd(&q.at->end_count.value, total) + total;
    __threadfence();
    if (done == look(&q.at->end_max.value))
        atomicMax(&q.at->end.value, done);
}

struct atos_queue {
    /* Reserves room for `total` items; called by the leader. Returns false if
     * there is none. */
    static __device__ bool reserve(const struct queue &q, unsigned total,
                                   unsigned *at)
    {
        *at = atomicAdd(&q.at->end_alloc.value, total);
        return *at <= q.capacity && total <= q.capacity - *at;
    }
    static __device__ void publish(const struct queue &q, unsigned at,
                                   unsigned total)
    {
        atos_publish(q, at + total, total);
    }
    /* Takes the next `total` items, and waits until they are there. */
    static __device__ bool take(const struct queue &q, unsigned total,
                                unsigned *at)
    {
        *at = atomicAdd(&q.at->start.value, total);
        for (unsigned tries = 0; look(&q.at->end.value) < *at + total; tries++)
            if (!queue_again(q, tries))
                return false;
        __threadfence();
        return true;
    }
};

/* --- compare-and-swap ----------------------------------------------------- */

struct cas_queue {
    static __device__ bool reserve(const struct queue &q, unsigned total,
                                   unsigned *at)
    {
        unsigned old = look(&q.at->end_alloc.value);

        for (unsigned tries = 0;; tries++) {
            if (old > q.capacity || total > q.capacity - old)
                return false;
            *at = old;
            old = atomicCAS(&q.at->end_alloc.value, *at, *at + total);
            if (old == *at)
                return true;
            if (tries >= QUEUE_TRIES) {
                queue_fail(q, QUEUE_STUCK);
                return false;
            }
        }
    }
    /* Publishes in the order of the places: each writer waits for the one
     * before. */
    static __device__ void publish(const struct queue &q, unsigned at,
                                   unsigned total)
    {
        __threadfence();
        for (unsigned tries = 0;
             look(&q.at->end.value) != at ||
             atomicCAS(&q.at->end.value, at, at + total) != at;
             tries++)
            if (!queue_again(q, tries))
                return;
    }
    static __device__ bool take(const struct queue &q, unsigned total,
                                unsigned *at)
    {
        for (unsigned tries = 0;; tries++) {
            *at = look(&q.at->start.value);
            bool there = look(&q.at->end.value) - *at >= total;
            if (there && atomicCAS(&q.at->start.value, *at, *at + total) == *at)
                break;
            /* If another thread was faster it tries again at once; if there is
             * nothing it naps first. */
            if (there ? tries >= QUEUE_TRIES : !queue_again(q, tries)) {
                queue_fail(q, QUEUE_STUCK);
                return false;
            }
        }
        __threadfence();
        return true;
    }
};

/* --- a worker ------------------------------------------------------------- */

template <class Queue, class Worker>
static __device__ void queue_push(const struct queue &q, Worker &w, bool wants,
                                  uint32_t item)
{
    unsigned total, rank = w.count(wants, &total), at = 0;

    if (w.leads() && total && !Queue::reserve(q, total, &at)) {
        queue_fail(q, QUEUE_FULL);
        at = QUEUE_NOTHING;
    }
    at = w.spread(at);
    if (at == QUEUE_NOTHING)
        return;
    if (wants)
        q.items[at + rank] = item;
    w.sync();
    if (w.leads() && total)
        Queue::publish(q, at, total);
}

template <class Queue, class Worker>
static __device__ uint32_t queue_pop(const struct queue &q, Worker &w,
                                     bool wants)
{
    unsigned total, rank = w.count(wants, &total), at = 0;

    if (w.leads() && total && !Queue::take(q, total, &at))
        at = QUEUE_NOTHING;
    at = w.spread(at);
    if (at == QUEUE_NOTHING || !wants || at + rank >= q.capacity)
        return QUEUE_NOTHING;
    return __ldcg(&q.items[at + rank]);
}

template <class Queue, class Worker>
static __device__ void queue_work(Worker &w, enum queue_operation operation,
                                  unsigned threads, const struct queue &q,
                                  uint32_t *popped)
{
    unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
    bool wants = me < threads;

    for (unsigned k = 0; k < QUEUE_OPS; k++) {
        if (operation != QUEUE_POP)
            queue_push<Queue>(q, w, wants, me * QUEUE_OPS + k);
        if (operation == QUEUE_PUSH)
            continue;
        uint32_t item = queue_pop<Queue>(q, w, wants);
        if (wants)
            popped[(size_t)k * threads + me] = item;
    }
}

template <class Queue, enum queue_operation Operation>
__global__ void queue_by_warps(unsigned threads, struct queue q,
                               uint32_t *popped)
{
    struct warp_worker w;

    queue_work<Queue>(w, Operation, threads, q, popped);
}

template <class Queue, enum queue_operation Operation>
__global__ void queue_by_ctas(unsigned threads, struct queue q,
                              uint32_t *popped)
{
    CTA_MEMORY(uint32_t, queue_box);
    struct cta_worker w = {queue_box};

    queue_work<Queue>(w, Operation, threads, q, popped);
}

#endif
