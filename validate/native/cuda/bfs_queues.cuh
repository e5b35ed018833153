/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bfs_queues.cuh - the work of an Atos worker, a CTA of 512 threads, on up to
 * 32 dequeued vertices, whose arcs its threads share evenly.
 *
 * Accesses of a visit: 4 bytes of the queue in order, and at random 4 bytes of
 * the depths and 8 of the rows' ends. Accesses of an arc: its head, 4 bytes of
 * a row; an atomicMin on the head's depth. The new vertices of a warp are
 * pushed at once into the queue, by Atos' push: three or four atomics on its
 * counters, and 4 bytes in order. Accesses of a new ghost: 4 bytes of the homes
 * at random, an atomicMin on the owner's depth and, if it is new there too, the
 * same push into the owner's queue.
 */
#ifndef VALIDATE_NATIVE_CUDA_BFS_QUEUES_CUH
#define VALIDATE_NATIVE_CUDA_BFS_QUEUES_CUH

#include "validate/native/cuda/bfs_queues.h"
#include "validate/native/cuda/queue.cuh"
#include "validate/native/cuda/traverse.cuh"

/* The vertices of a worker. */
struct search_batch {
    uint32_t row[SEARCH_FETCH], next[SEARCH_FETCH];
    /* Arcs of the vertices before each; of all. */
    uint32_t before[SEARCH_FETCH + 1];
    uint32_t at, n;  /* places that the leader dequeued; n is 0 at the end */
    uint32_t source; /* 0 for the own queue; p + 1 for that from peer p */
};

/* The counts of a thread. */
struct search_tally {
    wide arcs, remote, sent, stale, busy;
};

/* --- another GPU's queue -------------------------------------------------- */

/* Does the same as atos_publish(), visible to other GPUs; returns the number of
 * atomics. */
static __device__ unsigned peer_publish(const struct queue &q, unsigned end,
                                        unsigned total)
{
    atomicMax_system(&q.at->end_max.value, end);
    __threadfence_system();
    unsigned done = atomicAdd_system(&q.at->end_count.value, total) + total;
    __threadfence_system();
    if (done != look(&q.at->end_max.value))
        return 2;
    atomicMax_system(&q.at->end.value, done);
    return 3;
}

/* The items of a warp for peers: one lane leads for each peer. */
struct peer_votes {
    /* Number for the peer that this lane leads; 0 if it leads none. */
    unsigned total;
    unsigned rank; /* number of this lane's item among those of its peer */
};

static __device__ struct peer_votes peer_count(const struct search &s,
                                               bool wants, unsigned peer)
{
    struct peer_votes v = {0, 0};

    for (unsigned p = 0; p < s.peers; p++) {
        unsigned votes = __ballot_sync(ALL_LANES, wants && peer == p);
        if (lane_id() == p)
            v.total = (unsigned)__popc(votes);
        if (peer == p)
            v.rank = lanes_below(votes);
    }
    return v;
}

static __device__ void send_fail(const struct search &s)
{
    atomicOr(&s.status->trouble.value, (uint32_t)QUEUE_FULL);
}

/* Pushes a warp's items at once; all its lanes must call it. */
static __device__ void peer_push(const struct search &s, bool wants,
                                 unsigned peer, uint32_t item,
                                 struct search_tally *tally)
{
    struct peer_votes v = peer_count(s, wants, peer);
    unsigned lead = lane_id(), at = 0;

    if (v.total) {
        const struct queue &q = s.peer[lead].to.queue;
        at = atomicAdd_system(&q.at->end_alloc.value, v.total);
        tally->remote++;
        tally->sent += v.total;
        if (at > q.capacity || v.total > q.capacity - at) {
            send_fail(s);
            at = QUEUE_NOTHING;
        }
    }
    unsigned mine = __shfl_sync(ALL_LANES, at, (int)peer);
    bool fits = wants && mine != QUEUE_NOTHING;
    if (fits && s.latency_ns)
        s.peer[peer].to.stamps[mine + v.rank] = clock_ns() + s.clock_ns;
    if (fits)
        s.peer[peer].to.queue.items[mine + v.rank] = item;
    __syncwarp(ALL_LANES);
    if (v.total && at != QUEUE_NOTHING)
        tally->remote +=
            peer_publish(s.peer[lead].to.queue, at + v.total, v.total);
}

/* Adds a warp's updates to the queues that the CPU empties. */
static __device__ void outbox_put(const struct search &s, bool wants,
                                  unsigned peer, uint32_t home, uint32_t depth,
                                  struct search_tally *tally)
{
    struct peer_votes v = peer_count(s, wants, peer);
    struct queue counters = {};
    unsigned at = 0;

    if (v.total) {
        const struct search_outbox &o = s.peer[lane_id()].outbox;
        counters.at = o.at;
        counters.capacity = o.capacity;
        tally->sent += v.total;
        if (!atos_queue::reserve(counters, v.total, &at)) {
            send_fail(s);
            at = QUEUE_NOTHING;
        }
    }
    unsigned mine = __shfl_sync(ALL_LANES, at, (int)peer);
    if (wants && mine != QUEUE_NOTHING) {
        struct search_update update = {home, depth};
        s.peer[peer].outbox.items[mine + v.rank] = update;
    }
    __syncwarp(ALL_LANES);
    if (v.total && at != QUEUE_NOTHING)
        atos_queue::publish(counters, at, v.total);
}

/* Returns whether the CPU carries updates to other GPUs. */
static __device__ bool search_carried(const struct search &s)
{
    return s.peers && s.peer[0].outbox.items;
}

/* Sends those ghosts of a warp that are new here. */
static __device__ void search_send(const struct search &s, bool news,
                                   uint32_t ghost, uint32_t depth,
                                   struct search_tally *tally)
{
    uint32_t home = news ? s.g.home[ghost] : 0;
    unsigned peer = news ? ghost_peer(s.g, ghost) : 0;

    if (search_carried(s)) {
        outbox_put(s, news, peer, home, depth, tally);
        return;
    }
    if (news) {
        news = atomicMin_system(&s.peer[peer].depth[home], depth) > depth;
        tally->remote++;
    }
    if (__ballot_sync(ALL_LANES, news))
        peer_push(s, news, peer, home, tally);
}

/* --- vertices of a worker ------------------------------------------------- */

static __device__ const uint32_t *batch_items(const struct search &s,
                                              const struct search_batch *b)
{
    return b->source ? s.peer[b->source - 1].from.queue.items : s.local.items;
}

/* Computes the arcs before each vertex from their degrees; called by the first
 * warp. */
static __device__ void batch_sum(struct search_batch *b, uint32_t degree)
{
    uint32_t i = lane_id(), sum = sum_upto(degree);

    b->before[i] = sum - degree;
    if (i == WARP - 1)
        b->before[SEARCH_FETCH] = sum;
}

/* Returns the i-th dequeued vertex; none if the CPU brought it and it is no
 * longer new. */
static __device__ uint32_t batch_vertex(const struct search &s,
                                        const struct search_batch *b,
                                        uint32_t i, struct search_tally *tally)
{
    if (!b->source || !search_carried(s))
        return __ldcg(&batch_items(s, b)[b->at + i]);
    const struct search_update *u =
        &s.peer[b->source - 1].from.received[b->at + i];
    uint32_t place = __ldcg(&u->place);
    uint32_t depth = __ldcg(&u->depth);
    if (atomicMin(&s.depth[place], depth) > depth)
        return place;
    tally->stale++;
    return TRAVERSE_NONE;
}

/* Loads the rows of the dequeued vertices; called by the first warp. */
static __device__ void batch_load(const struct search &s,
                                  struct search_batch *b,
                                  struct search_tally *tally)
{
    uint32_t i = lane_id(), degree = 0;
    uint32_t v = i < b->n ? batch_vertex(s, b, i, tally) : TRAVERSE_NONE;

    if (v != TRAVERSE_NONE) {
        b->next[i] = __ldcg(&s.depth[v]) + 1;
        b->row[i] = s.g.first[v];
        degree = s.g.first[v + 1] - b->row[i];
    }
    batch_sum(b, degree);
}

/* Returns the vertex of an arc. */
static __device__ uint32_t batch_item(const struct search_batch *b,
                                      uint32_t arc)
{
    uint32_t low = 0;

    for (uint32_t step = SEARCH_FETCH / 2; step; step /= 2)
        if (b->before[low + step] <= arc)
            low += step;
    return low;
}

template <bool Priority>
static __device__ void batch_push(const struct search &s, bool news,
                                  uint32_t place, uint32_t depth)
{
    struct warp_worker w;
    bool far = Priority && depth >= s.threshold;

    if (__ballot_sync(ALL_LANES, news && !far))
        queue_push<atos_queue>(s.local, w, news && !far, place);
    if (Priority && __ballot_sync(ALL_LANES, news && far))
        queue_push<atos_queue>(s.far, w, news && far, place);
}

/* Visits all arcs of a batch that is loaded; called by all threads. */
template <bool Priority>
static __device__ void batch_arcs(const struct search &s,
                                  const struct search_batch *b,
                                  struct search_tally *tally)
{
    uint32_t arcs = b->before[SEARCH_FETCH];

    for (uint32_t from = 0; from < arcs; from += blockDim.x) {
        uint32_t arc = from + threadIdx.x, place = 0, depth = 0;
        bool news = false;
        if (arc < arcs) {
            uint32_t i = batch_item(b, arc);
            place = s.g.to[b->row[i] + (arc - b->before[i])];
            depth = b->next[i];
            news = atomicMin(&s.depth[place], depth) > depth;
        }
        bool ghost = news && place >= s.g.own;
        batch_push<Priority>(s, news && !ghost, place, depth);
        if (__ballot_sync(ALL_LANES, ghost))
            search_send(s, ghost, place - s.g.own, depth, tally);
    }
    if (threadIdx.x == 0)
        tally->arcs += arcs;
}

template <bool Priority> struct depth_work {
    const struct search &s;

    __device__ void load(struct search_batch *b,
                         struct search_tally *tally) const
    {
        batch_load(s, b, tally);
    }
    __device__ void arcs(const struct search_batch *b,
                         struct search_tally *tally) const
    {
        batch_arcs<Priority>(s, b, tally);
    }
    __device__ bool news(const struct search_update &u) const
    {
        return atomicMin(&s.depth[u.place], u.depth) > u.depth;
    }
};

static __device__ void search_end(const struct search &s,
                                  const struct search_tally *tally, wide all)
{
    count_up(&s.status->arcs, tally->arcs);
    count_up(&s.status->remote, tally->remote);
    count_up(&s.status->sent, tally->sent);
    count_up(&s.status->stale, tally->stale);
    count_up(&s.status->busy, tally->busy);
    count_up(&s.status->all, threadIdx.x == 0 ? all : 0);
}

/* --- a kernel for the present contents of the queues ---------------------- */

static inline __device__ __host__ uint32_t range_workers(uint32_t n)
{
    return (n + SEARCH_FETCH - 1) / SEARCH_FETCH;
}

/* Returns the number of workers of a kernel. */
static inline __host__ uint32_t range_ctas(const struct search_range &r,
                                           unsigned peers)
{
    uint32_t ctas = range_workers(r.near.n);

    for (unsigned p = 0; p < peers; p++)
        ctas += range_workers(r.inbox[p].n);
    return ctas;
}

/* Sets the worker's places, one queue after the other; called by the leader. */
static __device__ void discrete_take(const struct search &s,
                                     const struct search_range &r,
                                     struct search_batch *b)
{
    uint32_t worker = blockIdx.x, source = 0;
    struct search_places places = r.near;

    while (source < s.peers && worker >= range_workers(places.n)) {
        worker -= range_workers(places.n);
        places = r.inbox[source++];
    }
    uint32_t left = places.n - worker * SEARCH_FETCH;
    b->at = places.from + worker * SEARCH_FETCH;
    b->source = source;
    b->n = left < SEARCH_FETCH ? left : (uint32_t)SEARCH_FETCH;
}

template <class Work>
static __device__ void discrete_step(const struct search &s,
                                     const struct search_range &r,
                                     const Work &work, struct search_batch *b)
{
    struct search_tally tally = {};

    if (threadIdx.x == 0)
        discrete_take(s, r, b);
    __syncthreads();
    if (warp_id() == 0)
        work.load(b, &tally);
    __syncthreads();
    work.arcs(b, &tally);
    search_end(s, &tally, 0);
}

/* Queues those of `n` updates which the CPU brought that are news. */
template <class Work>
static __device__ void
discrete_receive(const struct search &s, const Work &work,
                 const struct search_update *list, uint32_t n)
{
    struct warp_worker w;
    uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    struct search_update u = {0, 0};
    bool news = false;

    if (i < n) {
        u = list[i];
        news = work.news(u);
    }
    if (__ballot_sync(ALL_LANES, news))
        queue_push<atos_queue>(s.local, w, news, u.place);
}

#endif
