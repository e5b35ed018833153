/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets up the queues of an asynchronous search, and reads what its kernels have
 * counted. */
#include "validate/native/cuda/bfs_search.h"

#include "base/seconds.h"

#include <stdlib.h>

enum { SPARE = 1 << 16 };
const struct search_room search_room = {.local = 24, .far = 6, .inbox = 16};
/* So many looks of an idle worker, a microsecond or so each, are too many. */
enum { SEARCH_TRIES = 1 << 23 };
enum { CLOCK_READINGS = 200 };

static uint64_t places(uint64_t vertices, unsigned times)
{
    uint64_t n = vertices * times + SPARE;

    return n < 1u << 31 ? n : 1u << 31;
}

uint64_t search_room_bytes(const struct graph_share *g, unsigned gpus,
                           struct search_room room)
{
    uint64_t values = (uint64_t)g->own + g->ghosts;

    return 4 * values + 4 * places(g->own, room.local) +
           4 * places(g->own, room.far) +
           (gpus > 1 ? 12 * places(g->own, room.inbox) +
                           8 * places(g->ghosts, room.inbox)
                     : 0);
}

uint64_t search_bytes(const struct graph_share *g, unsigned gpus)
{
    return search_room_bytes(g, gpus, search_room);
}

static int queue_new(struct queue *q, struct traverse_side *side,
                     uint64_t capacity, struct err *err)
{
    q->capacity = (uint32_t)capacity;
    q->at = side_piece(side, sizeof *q->at, err);
    q->items = side_piece(side, capacity * sizeof *q->items, err);
    return q->at && q->items ? 0 : -1;
}

static int outbox_new(struct search_side *v, struct traverse_side *side,
                      unsigned times, struct err *err)
{
    struct search_outbox *o = &v->s.outbox;

    o->capacity = (uint32_t)places(side->share.ghosts, times);
    o->items = side_piece(side, o->capacity * sizeof *o->items, err);
    o->at = side_piece(side, sizeof *o->at, err);
    v->received_room = places(side->share.own, times);
    v->received = side_piece(side, v->received_room * sizeof *v->received, err);
    v->s.received = v->received;
    return o->items && o->at && v->received ? 0 : -1;
}

/* The host's clock less the GPU's: the least of many readings, each of which is
 * too large by what the host takes to see it, a microsecond or two. */
static int find_clock(struct search *s, struct traverse_side *side,
                      struct err *err)
{
    volatile unsigned long long *seen = (unsigned long long *)side->words;

    for (int i = 0; i < CLOCK_READINGS; i++) {
        *seen = 0;
        if (CUDA_TRY(err, search_clock_start((unsigned long long *)side->words,
                                             side->stream)) < 0)
            return -1;
        double end = seconds() + 1;
        while (!*seen && seconds() < end)
            ;
        unsigned long long less = (unsigned long long)(1e9 * seconds()) - *seen;
        if (!i || (long long)(less - s->clock_ns) < 0)
            s->clock_ns = less;
        if (CUDA_TRY(err, cudaStreamSynchronize(side->stream)) < 0)
            return -1;
    }
    return 0;
}

int search_begin(struct traverse_side *side, bool far, struct search_room room,
                 struct err *err)
{
    struct search_side *v = side->state = xcalloc(1, sizeof *v);
    const struct traverse_case *how = &side->team->how;
    const struct graph_share *g = &side->share;
    struct search *s = &v->s;

    s->g = *g;
    s->tries = SEARCH_TRIES;
    s->first = side->gpu == 0;
    /* Where the kernels end, the host waits for it. */
    s->latency_ns = how->transfer == TRANSFER_STORE && !far
                        ? (uint32_t)(1e9 * how->latency_s + 0.5)
                        : 0;
    s->depth = side_piece(
        side, sizeof *s->depth * ((uint64_t)g->own + g->ghosts), err);
    s->status = side_piece(side, sizeof *s->status, err);
    if (!s->depth || !s->status ||
        queue_new(&s->local, side, places(g->own, room.local), err) < 0 ||
        queue_new(&s->inbox, side,
                  how->gpus > 1 ? places(g->own, room.inbox) : 1, err) < 0 ||
        (far && queue_new(&s->far, side, places(g->own, room.far), err) < 0))
        return -1;
    if (s->latency_ns && find_clock(s, side, err) < 0)
        return -1;
    if (s->latency_ns &&
        !(s->stamps =
              side_piece(side, s->inbox.capacity * sizeof *s->stamps, err)))
        return -1;
    return how->gpus > 1 && how->transfer != TRANSFER_STORE
               ? outbox_new(v, side, room.inbox, err)
               : 0;
}

static void queue_reset(const struct queue *q)
{
    if (q->at)
        CUDA_DIE(cudaMemset(q->at, 0, sizeof *q->at));
}

static void search_seed(struct traverse_side *side, const struct search *s)
{
    struct queue_counters one = {.end = {.value = 1},
                                 .end_alloc = {.value = 1},
                                 .end_max = {.value = 1},
                                 .end_count = {.value = 1}};
    uint32_t place = side->team->source, zero = 0;

    CUDA_DIE(cudaMemcpy(s->local.at, &one, sizeof one, cudaMemcpyHostToDevice));
    CUDA_DIE(cudaMemcpy(s->local.items, &place, sizeof place,
                        cudaMemcpyHostToDevice));
    CUDA_DIE(cudaMemcpy(&s->depth[place], &zero, sizeof zero,
                        cudaMemcpyHostToDevice));
}

void search_reset(struct traverse_side *side)
{
    struct search_side *v = side->state;
    struct search *s = &v->s;
    uint64_t values = (uint64_t)side->share.own + side->share.ghosts;

    CUDA_DIE(cudaMemset(s->depth, 0xff, sizeof *s->depth * values));
    CUDA_DIE(cudaMemset(s->status, 0, sizeof *s->status));
    queue_reset(&s->local);
    queue_reset(&s->inbox);
    queue_reset(&s->far);
    if (s->outbox.at)
        CUDA_DIE(cudaMemset(s->outbox.at, 0, sizeof *s->outbox.at));
    if (s->stamps) /* not due before it is set */
        CUDA_DIE(
            cudaMemset(s->stamps, 0x7f, s->inbox.capacity * sizeof *s->stamps));
    if (side->gpu == side->team->source_gpu)
        search_seed(side, s);
    CUDA_DIE(cudaDeviceSynchronize());
}

void search_end_side(struct traverse_side *side)
{
    struct search_side *v = side->state;

    free(v->room);
    free(v);
    side->state = NULL;
}

const uint32_t *search_values(const struct traverse_side *side)
{
    return ((const struct search_side *)side->state)->s.depth;
}

void search_connect(struct traverse_side *side)
{
    struct search_side *v = side->state;
    struct traverse_side *other = side_other(side);

    if (!other)
        return;
    const struct search *o = &((struct search_side *)other->state)->s;
    v->s.peer = (struct search_peer){.depth = o->depth,
                                     .local = o->local,
                                     .inbox = o->inbox,
                                     .outbox = o->outbox,
                                     .stamps = o->stamps,
                                     .status = o->status};
}

static void check_queue(const struct traverse_side *side, const struct queue *q,
                        const char *what)
{
    struct queue_counters at;

    if (!q->at)
        return;
    CUDA_DIE(cudaMemcpy(&at, q->at, sizeof at, cudaMemcpyDeviceToHost));
    if (at.trouble.value & QUEUE_FULL)
        native_die("%s: the %s queue of GPU %u overflows: it has %u places",
                   side->team->how.x->name, what, side->gpu, q->capacity);
    if (at.trouble.value & QUEUE_STUCK)
        native_die("%s: GPU %u found nothing to do for too long",
                   side->team->how.x->name, side->gpu);
}

static uint32_t pushed_to(const struct queue *q)
{
    uint32_t n = 0;

    if (q->at)
        CUDA_DIE(cudaMemcpy(&n, &q->at->end_alloc.value, sizeof n,
                            cudaMemcpyDeviceToHost));
    return n;
}

void search_collect(struct traverse_side *side)
{
    struct search_side *v = side->state;
    const struct search *s = &v->s;
    struct traverse_counts *c = &side->counts;
    struct search_status at;

    CUDA_DIE(cudaSetDevice((int)side->gpu));
    CUDA_DIE(cudaMemcpy(&at, s->status, sizeof at, cudaMemcpyDeviceToHost));
    check_queue(side, &s->local, "own");
    check_queue(side, &s->inbox, "receive");
    check_queue(side, &s->far, "far");
    c->visits += at.processed.value - at.stale;
    c->arcs += at.arcs;
    c->remote_atomics += at.remote;
    c->pushes += pushed_to(&s->local) + pushed_to(&s->far);
    if (side->team->how.transfer == TRANSFER_STORE) {
        c->received += pushed_to(&s->inbox);
        c->bytes += 4 * at.sent;
    }
    if (at.all) /* of the kernel's time, the share that workers were busy */
        side->busy_s *= (double)at.busy / (double)at.all;
}
