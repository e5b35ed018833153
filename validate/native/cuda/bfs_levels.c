/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breadth-first search level by level: the loop, and a level of a kernel, its
 * end, and a read of the size of the next frontier. */
#include "validate/native/cuda/bfs_levels.h"
#include "validate/native/cuda/bfs_lists.h"
#include "validate/native/cuda/traverse_sender.h"

#include "base/seconds.h"

void bfs_levels_run(struct traverse_side *s, uint64_t vertices,
                    bfs_level *level)
{
    struct traverse_group *t = s->group;

    for (uint32_t depth = 0;; depth++) {
        double begin = seconds();
        group_publish(s, WORD_FRONTIER, vertices);
        group_meet(t);
        uint64_t frontier = group_sum(t, WORD_FRONTIER);
        if (!frontier)
            break;
        s->counts.visits += vertices;
        uint64_t arcs = level(s, depth, &vertices);
        s->counts.arcs += arcs;
        s->counts.pushes += vertices;
        group_publish(s, WORD_ARCS, arcs);
        group_meet(t);
        if (s->gpu == 0)
            group_level(t, frontier, group_sum(t, WORD_ARCS),
                        seconds() - begin);
    }
}

/* --- levels that push ----------------------------------------------------- */

/* Lists for each peer, or from each. */
struct peer_lists {
    uint32_t *items;
    unsigned long long *counts; /* one per peer */
    uint64_t from[TRAVERSE_PEERS];
};

/* The memory of a GPU besides its frontiers: its lists for others, and two sets
 * of received lists, of which one is filled while the other is emptied. */
struct levels {
    struct bfs_lists lists;
    struct peer_lists send, received[2];
    struct sender sender; /* for a ring */
};

/* The words of pinned memory, also published: the number sent to each peer. */
enum { WORD_SENT = LIST_WORDS };

static uint64_t levels_bytes(const struct graph_share *g, unsigned gpus)
{
    return bfs_lists_bytes(g) +
           (gpus > 1 ? 4 * (uint64_t)g->ghosts + 8 * (gpus - 1ull) * g->own
                     : 0);
}

/* Allocates a place for each possible item of a list: the peer's ghosts, or own
 * vertices. */
static int lists_new(struct peer_lists *l, struct traverse_side *s, bool ghosts,
                     struct err *err)
{
    uint64_t items = 0;

    for (unsigned p = 0; p < side_peers(s); p++) {
        l->from[p] = items;
        items += ghosts ? share_ghosts_of(&s->share, p) : s->share.own;
    }
    l->items = side_piece(s, sizeof *l->items * items, err);
    l->counts = side_piece(s, sizeof *l->counts * side_peers(s), err);
    return l->items && l->counts ? 0 : -1;
}

static uint32_t *list_items(const struct peer_lists *l, unsigned peer)
{
    return l->items + l->from[peer];
}

static bool stores(const struct traverse_side *s)
{
    return s->group->how.transfer == TRANSFER_STORE;
}

static bool rings(const struct traverse_side *s)
{
    return s->group->how.transfer == TRANSFER_RING;
}

static int levels_begin(struct traverse_side *s, struct err *err)
{
    struct levels *v = s->state = xcalloc(1, sizeof *v);

    if (bfs_lists_begin(&v->lists, s, err) < 0)
        return -1;
    if (s->group->how.gpus > 1 &&
        (lists_new(&v->send, s, true, err) < 0 ||
         lists_new(&v->received[0], s, false, err) < 0 ||
         lists_new(&v->received[1], s, false, err) < 0))
        return -1;
    return rings(s) ? sender_begin(&v->sender, s, err) : 0;
}

/* Returns the bytes of the lists' lengths. */
static size_t counts_B(const struct traverse_side *s)
{
    return side_peers(s) * sizeof(unsigned long long);
}

static void levels_reset(struct traverse_side *s)
{
    struct levels *v = s->state;
    size_t bytes = counts_B(s);

    bfs_lists_reset(&v->lists, s);
    for (int i = 0; i < 2 && bytes; i++)
        CUDA_DIE(cudaMemset(v->received[i].counts, 0, bytes));
    if (bytes)
        CUDA_DIE(cudaMemset(v->send.counts, 0, bytes));
    CUDA_DIE(cudaDeviceSynchronize());
}

/* Copies a list to a peer, in this thread or in the one that sends. */
static void send_list(struct traverse_side *s, struct levels *v, unsigned peer,
                      unsigned turn)
{
    const struct levels *to = side_peer(s, peer)->state;
    uint32_t *there = list_items(&to->received[turn], side_as_peer(s, peer));
    const uint32_t *here = list_items(&v->send, peer);
    uint64_t bytes = s->words[WORD_SENT + peer] * sizeof *there;

    side_send(s, peer, there, here, bytes, rings(s) ? &v->sender : NULL,
              s->stream);
}

/* Copies the lists to other GPUs, by the CPU. */
static void carry(struct traverse_side *s, struct levels *v, unsigned turn)
{
    bool any = false;

    side_read(s, WORD_SENT, v->send.counts, counts_B(s));
    side_sync(s);
    for (unsigned p = 0; p < side_peers(s); p++) {
        uint64_t sent = s->words[WORD_SENT + p];
        if (sent)
            send_list(s, v, p, turn);
        any = any || sent;
        group_publish(s, WORD_SENT + p, sent);
    }
    if (any && !rings(s))
        side_sync(s);
}

/* Returns how many vertices a peer has sent; the stream waits until they are
 * there. */
static uint32_t came_from(struct traverse_side *s, unsigned peer)
{
    struct traverse_side *other = side_peer(s, peer);
    struct levels *from = other->state;
    uint64_t n =
        group_word(s->group, other->gpu, WORD_SENT + side_as_peer(s, peer));

    if (n && rings(s))
        sender_await(&from->sender, from->sender.handed, s->stream);
    return (uint32_t)n;
}

/* Handles the vertices that were copied or stored here. If they were stored,
 * their number is in GPU memory; otherwise the sender has published it. */
static void take(struct traverse_side *s, struct levels *v,
                 const struct push_level *l, unsigned turn)
{
    const struct peer_lists *mine = &v->received[turn];
    struct push_inbox in = {.counts = stores(s) ? mine->counts : NULL};
    bool any = stores(s);

    for (unsigned p = 0; p < side_peers(s); p++) {
        in.items[p] = list_items(mine, p);
        if (stores(s))
            continue;
        s->words[WORD_SENT + p] = in.n[p] = came_from(s, p);
        any = any || in.n[p];
    }
    if (any)
        CUDA_DIE(push_received_start(l, &in, v->lists.ctas, s->stream));
    if (stores(s))
        side_read(s, WORD_SENT, mine->counts, counts_B(s));
}

/* Moves found vertices to other GPUs, and those that they have sent into the
 * next frontier. */
static void exchange(struct traverse_side *s, struct levels *v,
                     const struct push_level *l, unsigned turn)
{
    if (stores(s)) {
        side_sync(s);
        spin_for(s->group->how.latency_s);
    } else {
        carry(s, v, turn);
    }
    group_meet(s->group);
    /* The other lists are filled only after all have met again. */
    if (stores(s))
        CUDA_DIE(cudaMemsetAsync(v->received[!turn].counts, 0, counts_B(s),
                                 s->stream));
    side_begin_work(s);
    take(s, v, l, turn);
}

/* Returns the list into which the kernel writes vertices for a peer. */
static struct send_list list_to(struct traverse_side *s, struct levels *v,
                                unsigned peer, unsigned turn)
{
    const struct levels *to = side_peer(s, peer)->state;
    const struct peer_lists *l = stores(s) ? &to->received[turn] : &v->send;
    unsigned i = stores(s) ? side_as_peer(s, peer) : peer;

    return (struct send_list){list_items(l, i), &l->counts[i]};
}

static uint64_t one_level(struct traverse_side *s, uint32_t depth,
                          uint64_t *vertices)
{
    struct levels *v = s->state;
    unsigned turn = depth % 2;
    struct push_level l = bfs_lists_level(&v->lists, s, depth);

    l.peers = side_peers(s);
    for (unsigned p = 0; p < l.peers; p++)
        l.send[p] = list_to(s, v, p, turn);
    l.stores = stores(s);
    if (l.peers && !stores(s))
        CUDA_DIE(cudaMemsetAsync(v->send.counts, 0, counts_B(s), s->stream));
    if (l.arcs)
        CUDA_DIE(push_arcs_start(&l, v->lists.ctas, s->stream));
    if (l.peers)
        exchange(s, v, &l, turn);
    bfs_lists_read(s, &l);
    *vertices = bfs_lists_next(&v->lists, s);
    s->counts.remote_atomics += s->words[LIST_REMOTE];
    for (unsigned p = 0; p < l.peers; p++) {
        s->counts.received += s->words[WORD_SENT + p];
        if (stores(s)) /* they are counted at the receiver */
            s->counts.bytes += s->words[WORD_SENT + p] * sizeof *v->send.items;
    }
    return l.arcs;
}

static void levels_run(struct traverse_side *s)
{
    const struct levels *v = s->state;

    bfs_levels_run(s, v->lists.has_source, one_level);
}

static void levels_end(struct traverse_side *s)
{
    sender_end(&((struct levels *)s->state)->sender);
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
};
