/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets up the queues of an asynchronous search, and reads the counts of its
 * kernels. */
#include "validate/native/cuda/bfs_search.h"

#include "base/seconds.h"

enum { SPARE = 1 << 16 };
const struct search_room search_room = {.local = 24, .far = 6, .inbox = 16};
/* An idle worker gives up after this many looks, of a microsecond or so
 * each. */
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
    uint64_t bytes = 4 * values + 4 * places(g->own, room.local) +
                     4 * places(g->own, room.far);

    for (unsigned p = 0; p + 1 < gpus; p++)
        bytes += 12 * places(g->own, room.inbox) +
                 8 * places(share_ghosts_of(g, p), room.inbox);
    return bytes;
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

/* Allocates the inboxes of updates from each peer. */
static int inboxes_new(struct search_side *v, struct traverse_side *side,
                       unsigned times, struct err *err)
{
    uint64_t room = places(side->share.own, times);

    v->in = side_piece(side, side_peers(side) * sizeof *v->in, err);
    if (!v->in)
        return -1;
    for (unsigned p = 0; p < side_peers(side); p++) {
        struct search_inbox *from = &v->s.peer[p].from;
        from->queue.at = &v->in[p];
        from->queue.capacity = (uint32_t)room;
        from->queue.items =
            side_piece(side, room * sizeof *from->queue.items, err);
        if (!from->queue.items ||
            (v->s.latency_ns && !(from->stamps = side_piece(
                                      side, room * sizeof *from->stamps, err))))
            return -1;
    }
    return 0;
}

/* Allocates the updates that the CPU copies to each peer, and those from it. */
static int outboxes_new(struct search_side *v, struct traverse_side *side,
                        unsigned times, struct err *err)
{
    v->received_room = places(side->share.own, times);
    v->out = side_piece(side, side_peers(side) * sizeof *v->out, err);
    for (unsigned p = 0; v->out && p < side_peers(side); p++) {
        struct search_outbox *o = &v->s.peer[p].outbox;
        o->at = &v->out[p];
        o->capacity = (uint32_t)places(share_ghosts_of(&side->share, p), times);
        o->items = side_piece(side, o->capacity * sizeof *o->items, err);
        v->received[p] =
            side_piece(side, v->received_room * sizeof *v->received[p], err);
        v->s.peer[p].from.received = v->received[p];
        if (!o->items || !v->received[p])
            return -1;
    }
    return v->out ? 0 : -1;
}

/* Finds the host's clock minus the GPU's: the minimum of many readings, each of
 * which is too large by the time that the host takes to see it, a microsecond
 * or two. */
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

int search_begin(struct traverse_side *side, size_t state_B, bool far,
                 struct search_room room, struct err *err)
{
    struct search_side *v = side->state = xcalloc(1, state_B);
    const struct traverse_case *how = &side->group->how;
    const struct graph_share *g = &side->share;
    struct search *s = &v->s;

    s->g = *g;
    s->tries = SEARCH_TRIES;
    s->first = side->gpu == 0;
    s->peers = side_peers(side);
    /* If the kernels end, the host waits for the latency. */
    s->latency_ns = how->transfer == TRANSFER_STORE && !far
                        ? (uint32_t)(1e9 * how->latency_s + 0.5)
                        : 0;
    s->depth = side_piece(
        side, sizeof *s->depth * ((uint64_t)g->own + g->ghosts), err);
    side->values = s->depth;
    s->status = side_piece(side, sizeof *s->status, err);
    if (!s->depth || !s->status ||
        queue_new(&s->local, side, places(g->own, room.local), err) < 0 ||
        (far && queue_new(&s->far, side, places(g->own, room.far), err) < 0))
        return -1;
    if ((s->latency_ns && find_clock(s, side, err) < 0) ||
        (s->peers && inboxes_new(v, side, room.inbox, err) < 0))
        return -1;
    return s->peers && how->transfer != TRANSFER_STORE
               ? outboxes_new(v, side, room.inbox, err)
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
    uint32_t place = side->group->source, zero = 0;

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
    queue_reset(&s->far);
    if (v->in)
        CUDA_DIE(cudaMemset(v->in, 0, s->peers * sizeof *v->in));
    if (v->out)
        CUDA_DIE(cudaMemset(v->out, 0, s->peers * sizeof *v->out));
    for (unsigned p = 0; s->latency_ns && p < s->peers; p++) {
        struct search_inbox *from = &s->peer[p].from; /* not due before set */
        CUDA_DIE(cudaMemset(from->stamps, 0x7f,
                            from->queue.capacity * sizeof *from->stamps));
    }
    if (side->gpu == side->group->source_gpu)
        search_seed(side, s);
    CUDA_DIE(cudaDeviceSynchronize());
}

void search_connect(struct traverse_side *side)
{
    struct search_side *v = side->state;

    v->s.moved = v->out ? v->out : v->in;
    for (unsigned p = 0; p < side_peers(side); p++) {
        const struct search_side *o = side_peer(side, p)->state;
        struct search_peer *to = &v->s.peer[p];
        to->depth = o->s.depth;
        to->to = o->s.peer[side_as_peer(side, p)].from;
        to->pushed = o->s.local.at;
        to->moved = o->out ? o->out : o->in;
        to->status = o->s.status;
    }
}

void search_read_ends(struct traverse_side *side, unsigned word,
                      const struct queue_counters *at, unsigned n,
                      cudaStream_t stream)
{
    const size_t bytes = sizeof at->end.value;

    if (n == 1)
        CUDA_DIE(cudaMemcpyAsync(&side->words[word], &at->end.value, bytes,
                                 cudaMemcpyDeviceToHost, stream));
    else
        CUDA_DIE(cudaMemcpy2DAsync(&side->words[word], sizeof side->words[word],
                                   &at->end.value, sizeof *at, bytes, n,
                                   cudaMemcpyDeviceToHost, stream));
}

void search_carry(struct traverse_side *side, unsigned peer, uint64_t from,
                  uint64_t end, struct sender *sender, cudaStream_t stream)
{
    const struct search_side *v = side->state;
    const struct traverse_side *other = side_peer(side, peer);
    const struct search_side *to = other->state;

    if (end > to->received_room)
        native_die("%s: GPU %u receives more than %llu updates",
                   side->group->how.x->name, other->gpu,
                   (unsigned long long)to->received_room);
    side_send(side, peer, &to->received[side_as_peer(side, peer)][from],
              &v->s.peer[peer].outbox.items[from],
              (end - from) * sizeof(struct search_update), sender, stream);
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
                   side->group->how.x->name, what, side->gpu, q->capacity);
    if (at.trouble.value & QUEUE_STUCK)
        native_die("%s: GPU %u found nothing to do for too long",
                   side->group->how.x->name, side->gpu);
}

static uint32_t pushed_to(const struct queue_counters *at)
{
    uint32_t n = 0;

    if (at)
        CUDA_DIE(cudaMemcpy(&n, &at->end_alloc.value, sizeof n,
                            cudaMemcpyDeviceToHost));
    return n;
}

void search_collect(struct traverse_side *side)
{
    struct search_side *v = side->state;
    const struct search *s = &v->s;
    struct traverse_counts *c = &side->counts;
    struct search_status at;

    CUDA_DIE(cudaSetDevice(side->device));
    CUDA_DIE(cudaMemcpy(&at, s->status, sizeof at, cudaMemcpyDeviceToHost));
    check_queue(side, &s->local, "own");
    if (at.trouble.value)
        native_die("%s: GPU %u sends more than another has room for",
                   side->group->how.x->name, side->gpu);
    check_queue(side, &s->far, "far");
    c->visits += at.processed.value - at.stale;
    c->arcs += at.arcs;
    c->remote_atomics += at.remote;
    c->pushes += pushed_to(s->local.at) + pushed_to(s->far.at);
    if (side->group->how.transfer == TRANSFER_STORE)
        c->bytes += 4 * at.sent;
    for (unsigned p = 0; !v->out && p < s->peers; p++)
        c->received += pushed_to(&v->in[p]);
    if (at.all) /* workers were busy for this share of the kernel's time */
        side->busy_s *= (double)at.busy / (double)at.all;
}
