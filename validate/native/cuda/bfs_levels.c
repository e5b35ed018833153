/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breadth-first search level by level: a kernel, its end, and a look at the
 * size of the next frontier. */
#include "validate/native/cuda/bfs_lists.h"
#include "validate/native/cuda/traverse_sender.h"

#include "base/seconds.h"

#include <stdlib.h>

/* What a GPU keeps, besides its frontiers: what it sends, and two lists of what
 * it receives, in turn: one is filled while the other is emptied. */
struct levels {
    struct bfs_lists lists;
    struct send_list send, received[2];
    struct sender sender; /* of a ring */
};

/* Words of pinned memory, and of what is told. */
enum { WORD_SENT = LIST_WORDS, WORD_FRONTIER, WORD_ARCS };

static uint64_t levels_bytes(const struct graph_share *g, unsigned gpus)
{
    return bfs_lists_bytes(g) +
           (gpus > 1 ? 4 * (uint64_t)g->ghosts + 8 * (uint64_t)g->own : 0);
}

static int sends_new(struct send_list *l, struct traverse_side *s,
                     uint64_t items, struct err *err)
{
    l->items = side_piece(s, sizeof *l->items * items, err);
    l->count = side_piece(s, sizeof *l->count, err);
    return l->items && l->count ? 0 : -1;
}

static bool stores(const struct traverse_side *s)
{
    return s->team->how.transfer == TRANSFER_STORE;
}

static bool rings(const struct traverse_side *s)
{
    return s->team->how.transfer == TRANSFER_RING;
}

static int levels_begin(struct traverse_side *s, struct err *err)
{
    struct levels *v = s->state = xcalloc(1, sizeof *v);
    const struct graph_share *g = &s->share;

    if (bfs_lists_begin(&v->lists, s, err) < 0)
        return -1;
    if (s->team->how.gpus > 1 &&
        (sends_new(&v->send, s, g->ghosts, err) < 0 ||
         sends_new(&v->received[0], s, g->own, err) < 0 ||
         sends_new(&v->received[1], s, g->own, err) < 0))
        return -1;
    return rings(s) ? sender_begin(&v->sender, s, err) : 0;
}

static void levels_reset(struct traverse_side *s)
{
    struct levels *v = s->state;

    bfs_lists_reset(&v->lists, s);
    for (int i = 0; i < 2 && v->send.count; i++)
        CUDA_DIE(cudaMemset(v->received[i].count, 0, 8));
    if (v->send.count)
        CUDA_DIE(cudaMemset(v->send.count, 0, 8));
    CUDA_DIE(cudaDeviceSynchronize());
}

static void copy_word(struct traverse_side *s, unsigned word, const void *from,
                      size_t bytes)
{
    CUDA_DIE(cudaMemcpyAsync(&s->words[word], from, bytes,
                             cudaMemcpyDeviceToHost, s->stream));
}

/* What the CPU carries to the other GPU: this thread, or the one that sends. */
static void carry(struct traverse_side *s, struct levels *v, unsigned turn)
{
    struct traverse_side *other = side_other(s);
    struct levels *to = other->state;
    uint32_t *there = to->received[turn].items;

    copy_word(s, WORD_SENT, v->send.count, 8);
    side_sync(s);
    uint64_t sent = s->words[WORD_SENT], bytes = sent * sizeof *there;
    if (sent && rings(s)) {
        sender_send(&v->sender, there, v->send.items, bytes);
    } else if (sent) {
        spin_for(s->team->how.latency_s);
        CUDA_DIE(cudaMemcpyPeerAsync(there, (int)other->gpu, v->send.items,
                                     (int)s->gpu, bytes, s->stream));
        side_sync(s);
    }
    s->counts.bytes += bytes;
    team_tell(s, WORD_SENT, sent);
}

/* What was brought, or stored: counted where it lies, or told. */
static void take(struct traverse_side *s, struct levels *v,
                 const struct push_level *l, unsigned turn)
{
    const struct send_list *mine = &v->received[turn];

    if (stores(s)) {
        CUDA_DIE(push_received_start(l, mine->items, mine->count, 0,
                                     v->lists.ctas, s->stream));
        copy_word(s, WORD_SENT, mine->count, 8);
        return;
    }
    struct traverse_side *other = side_other(s);
    struct levels *from = other->state;
    uint64_t n = team_told(s->team, other->gpu, WORD_SENT);
    if (n && rings(s))
        sender_await(&from->sender, from->sender.handed, s->stream);
    if (n)
        CUDA_DIE(push_received_start(l, mine->items, NULL, (uint32_t)n,
                                     v->lists.ctas, s->stream));
    s->words[WORD_SENT] = n;
}

/* What was found for others gets there, and what came from them is put to the
 * next frontier. */
static void exchange(struct traverse_side *s, struct levels *v,
                     const struct push_level *l, unsigned turn)
{
    if (stores(s)) {
        side_sync(s);
        spin_for(s->team->how.latency_s);
    } else {
        carry(s, v, turn);
    }
    team_meet(s->team);
    /* The other list is filled after all have met again. */
    if (stores(s))
        CUDA_DIE(cudaMemsetAsync(v->received[!turn].count, 0, 8, s->stream));
    side_begin_work(s);
    take(s, v, l, turn);
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
    struct push_level l = bfs_lists_level(&v->lists, s, depth, *both);

    l.send = send_to(s, v, turn);
    l.stores = stores(s);
    side_begin_work(s);
    CUDA_DIE(cudaMemsetAsync(l.out.counts, 0, sizeof *l.out.counts, s->stream));
    if (v->send.count && !stores(s))
        CUDA_DIE(cudaMemsetAsync(v->send.count, 0, 8, s->stream));
    if (l.arcs)
        CUDA_DIE(push_arcs_start(&l, v->lists.ctas, s->stream));
    if (s->team->how.gpus > 1)
        exchange(s, v, &l, turn);
    bfs_lists_read(s, &l);
    side_sync(s);
    *both = s->words[LIST_BOTH];
    s->counts.remote_atomics += s->words[LIST_REMOTE];
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

    if (v->lists.has_source && v->lists.source_arcs)
        both = 1ull << 32 | v->lists.source_arcs;
    leaves = v->lists.leaves;
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
        leaves = s->words[LIST_LEAVES];
        s->counts.pushes += (both >> 32) + leaves;
        team_meet(t);
        if (s->gpu == 0)
            team_level(t, frontier, arcs, seconds() - begin);
    }
}

static void levels_end(struct traverse_side *s)
{
    sender_end(&((struct levels *)s->state)->sender);
    free(s->state);
    s->state = NULL;
}

static const uint32_t *levels_values(const struct traverse_side *s)
{
    return ((const struct levels *)s->state)->lists.depth;
}

const struct traverse_execution bfs_bsp_execution = {
    .name = "bsp",
    .algorithm = "bfs",
    .levels = true,
    .transfers =
        1u << TRANSFER_STORE | 1u << TRANSFER_COPY | 1u << TRANSFER_RING,
    .bytes = levels_bytes,
    .begin = levels_begin,
    .reset = levels_reset,
    .run = levels_run,
    .end = levels_end,
    .values = levels_values,
};
