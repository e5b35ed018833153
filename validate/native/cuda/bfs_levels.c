/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breadth-first search level by level: a kernel, its end, and a look at the
 * size of the next frontier. */
#include "validate/native/cuda/bfs_push.h"
#include "validate/native/cuda/traverse_execution.h"

#include "base/seconds.h"

#include <stdlib.h>

/* What a GPU keeps: two frontiers in turn, what it sends, and two lists of what
 * it receives, in turn: one is filled while the other is emptied. */
struct levels {
    uint32_t *depth;
    struct arc_list lists[2];
    struct send_list send, received[2];
    unsigned ctas;
    struct arc_item source; /* on the host */
    bool has_source;
};

/* Words of pinned memory, and of what is told. */
enum {
    WORD_BOTH,
    WORD_LEAVES,
    WORD_REMOTE, /* these three: struct list_counts */
    WORD_SENT,
    WORD_FRONTIER,
    WORD_ARCS
};

static uint64_t levels_bytes(const struct graph_share *g, unsigned gpus)
{
    uint64_t values = (uint64_t)g->own + g->ghosts;

    return 4 * values + 2 * sizeof(struct arc_item) * (uint64_t)g->own +
           (gpus > 1 ? 4 * (uint64_t)g->ghosts + 8 * (uint64_t)g->own : 0);
}

static int list_new(struct arc_list *l, struct traverse_side *s,
                    struct err *err)
{
    l->items = side_piece(s, sizeof *l->items * (uint64_t)s->share.own, err);
    l->counts = side_piece(s, sizeof *l->counts, err);
    return l->items && l->counts ? 0 : -1;
}

static int sends_new(struct send_list *l, struct traverse_side *s,
                     uint64_t items, struct err *err)
{
    l->items = side_piece(s, sizeof *l->items * items, err);
    l->count = side_piece(s, sizeof *l->count, err);
    return l->items && l->count ? 0 : -1;
}

static int levels_begin(struct traverse_side *s, struct err *err)
{
    struct levels *v = s->state = xcalloc(1, sizeof *v);
    const struct graph_share *g = &s->share;
    uint64_t values = (uint64_t)g->own + g->ghosts;

    v->depth = side_piece(s, sizeof *v->depth * values, err);
    if (!v->depth || CUDA_TRY(err, push_resident(&v->ctas)) < 0 ||
        list_new(&v->lists[0], s, err) < 0 ||
        list_new(&v->lists[1], s, err) < 0)
        return -1;
    if (s->team->how.gpus > 1 &&
        (sends_new(&v->send, s, g->ghosts, err) < 0 ||
         sends_new(&v->received[0], s, g->own, err) < 0 ||
         sends_new(&v->received[1], s, g->own, err) < 0))
        return -1;
    return 0;
}

/* The source's row, which is the first frontier. */
static void set_source(struct traverse_side *s, struct levels *v)
{
    uint32_t ends[2], place = s->team->source, zero = 0;

    v->has_source = s->gpu == s->team->source_gpu;
    if (!v->has_source)
        return;
    CUDA_DIE(cudaMemcpy(ends, &s->share.first[place], sizeof ends,
                        cudaMemcpyDeviceToHost));
    CUDA_DIE(cudaMemcpy(&v->depth[place], &zero, sizeof zero,
                        cudaMemcpyHostToDevice));
    v->source = (struct arc_item){ends[0], 0};
    CUDA_DIE(cudaMemcpy(v->lists[0].items, &v->source, sizeof v->source,
                        cudaMemcpyHostToDevice));
    v->source.before = ends[1] - ends[0]; /* from here on: its arcs */
}

static void levels_reset(struct traverse_side *s)
{
    struct levels *v = s->state;
    uint64_t values = (uint64_t)s->share.own + s->share.ghosts;

    CUDA_DIE(cudaMemset(v->depth, 0xff, sizeof *v->depth * values));
    for (int i = 0; i < 2 && v->send.count; i++)
        CUDA_DIE(cudaMemset(v->received[i].count, 0, 8));
    if (v->send.count)
        CUDA_DIE(cudaMemset(v->send.count, 0, 8));
    set_source(s, v);
    CUDA_DIE(cudaDeviceSynchronize());
}

static void copy_word(struct traverse_side *s, unsigned word, const void *from,
                      size_t bytes)
{
    CUDA_DIE(cudaMemcpyAsync(&s->words[word], from, bytes,
                             cudaMemcpyDeviceToHost, s->stream));
}

static bool stores(const struct traverse_side *s)
{
    return s->team->how.transfer == TRANSFER_STORE;
}

/* What the CPU carries to the other GPU: as many as it was told, and when it is
 * there. */
static void carry(struct traverse_side *s, struct levels *v, unsigned turn)
{
    struct traverse_side *other = side_other(s);
    struct levels *to = other->state;

    copy_word(s, WORD_SENT, v->send.count, 8);
    side_sync(s);
    uint64_t sent = s->words[WORD_SENT];
    if (sent) {
        spin_for(s->team->how.latency_s);
        CUDA_DIE(cudaMemcpyPeerAsync(to->received[turn].items, (int)other->gpu,
                                     v->send.items, (int)s->gpu,
                                     sent * sizeof *v->send.items, s->stream));
        CUDA_DIE(cudaMemcpyPeerAsync(to->received[turn].count, (int)other->gpu,
                                     v->send.count, (int)s->gpu, 8, s->stream));
        side_sync(s);
    }
    s->counts.bytes += sent * sizeof *v->send.items;
}

/* What was found for others gets there, and what came from them is put to the
 * next frontier. */
static void exchange(struct traverse_side *s, struct levels *v,
                     const struct push_level *l, unsigned turn)
{
    struct send_list *mine = &v->received[turn];

    if (stores(s)) {
        side_sync(s);
        spin_for(s->team->how.latency_s);
    } else {
        carry(s, v, turn);
    }
    team_meet(s->team);
    /* The other list is filled after all have met again. */
    CUDA_DIE(cudaMemsetAsync(v->received[!turn].count, 0, 8, s->stream));
    side_begin_work(s);
    CUDA_DIE(
        push_received_start(l, mine->items, mine->count, v->ctas, s->stream));
    copy_word(s, WORD_SENT, mine->count, 8);
}

static struct send_list send_to(struct traverse_side *s, struct levels *v,
                                unsigned turn)
{
    struct traverse_side *other = side_other(s);

    if (other && stores(s))
        return ((struct levels *)other->state)->received[turn];
    return v->send;
}

/* One level of this GPU: its frontier is `both` before and after. */
static void one_level(struct traverse_side *s, struct levels *v, uint32_t depth,
                      uint64_t *both)
{
    unsigned turn = depth % 2;
    struct push_level l = {.g = s->share,
                           .depth = v->depth,
                           .next = depth + 1,
                           .in = v->lists[turn].items,
                           .items = (uint32_t)(*both >> 32),
                           .arcs = (uint32_t)*both,
                           .out = v->lists[!turn],
                           .send = send_to(s, v, turn),
                           .stores = stores(s)};

    side_begin_work(s);
    CUDA_DIE(cudaMemsetAsync(l.out.counts, 0, sizeof *l.out.counts, s->stream));
    if (v->send.count && !stores(s))
        CUDA_DIE(cudaMemsetAsync(v->send.count, 0, 8, s->stream));
    if (l.arcs)
        CUDA_DIE(push_arcs_start(&l, v->ctas, s->stream));
    if (s->team->how.gpus > 1)
        exchange(s, v, &l, turn);
    copy_word(s, WORD_BOTH, l.out.counts, sizeof *l.out.counts);
    side_sync(s);
    *both = s->words[WORD_BOTH];
    s->counts.remote_atomics += s->words[WORD_REMOTE];
    if (s->team->how.gpus == 1)
        return;
    s->counts.received += s->words[WORD_SENT];
    if (stores(s)) /* counted where it arrives */
        s->counts.bytes += s->words[WORD_SENT] * sizeof *v->send.items;
}

static void levels_run(struct traverse_side *s)
{
    struct levels *v = s->state;
    struct traverse_team *t = s->team;
    uint64_t both = 0, leaves = 0;

    if (v->has_source && v->source.before)
        both = 1ull << 32 | v->source.before;
    leaves = v->has_source && !v->source.before;
    for (uint32_t depth = 0;; depth++) {
        double begin = seconds();
        team_tell(s, WORD_FRONTIER, (both >> 32) + leaves);
        team_tell(s, WORD_ARCS, (uint32_t)both);
        team_meet(t);
        uint64_t frontier = team_sum(t, WORD_FRONTIER);
        uint64_t arcs = team_sum(t, WORD_ARCS);
        if (!frontier)
            break;
        s->counts.visits += (both >> 32) + leaves;
        s->counts.arcs += (uint32_t)both;
        one_level(s, v, depth, &both);
        leaves = s->words[WORD_LEAVES];
        s->counts.pushes += (both >> 32) + leaves;
        team_meet(t);
        if (s->gpu == 0)
            team_level(t, frontier, arcs, seconds() - begin);
    }
}

static void levels_end(struct traverse_side *s)
{
    free(s->state);
    s->state = NULL;
}

static const uint32_t *levels_values(const struct traverse_side *s)
{
    return ((const struct levels *)s->state)->depth;
}

const struct traverse_execution bfs_bsp_execution = {
    .name = "bsp",
    .algorithm = "bfs",
    .levels = true,
    .transfers = 1u << TRANSFER_STORE | 1u << TRANSFER_COPY,
    .bytes = levels_bytes,
    .begin = levels_begin,
    .reset = levels_reset,
    .run = levels_run,
    .end = levels_end,
    .values = levels_values,
};
