/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breadth-first search level by level with the list of operations of Gunrock
 * v1.0: kernels, copies of lengths, synchronisations, and per peer a copy,
 * events and an expansion. */
#include "validate/native/cuda/bfs_gunrock.h"
#include "validate/native/cuda/bfs_levels.h"
#include "validate/native/cuda/traverse_sender.h"

#include <stddef.h>

struct gunrock {
    struct gunrock_level l;
    /* Room for as many from each peer as there are own vertices. */
    uint32_t *received;
    unsigned ctas;
    cudaEvent_t sent[TRAVERSE_PEERS];
    struct gunrock_parameters *set; /* on the host, pinned */
};

/* Words of pinned memory; WORD_GHOSTS, the number to each peer, is published,
 * too. */
enum { WORD_ENDS, WORD_FOUND = LEVEL_WORDS, WORD_OWN, WORD_GHOSTS };
enum { PARAMETERS = 4 }; /* small copies before a split */

static uint64_t gunrock_bytes(const struct graph_share *g, unsigned gpus)
{
    uint64_t values = (uint64_t)g->own + g->ghosts;

    return 8 * values + 12 * (uint64_t)g->own + 4 * (uint64_t)g->arcs +
           (gpus > 1
                ? 4 * values + 4ull * g->ghosts + 4 * (gpus - 1ull) * g->own
                : 0);
}

/* Returns the bytes of those lengths that are in use. */
static size_t lengths_B(const struct traverse_side *s)
{
    unsigned peers = side_peers(s);

    return offsetof(struct gunrock_lengths, ghosts) +
           (peers ? peers : 1) * sizeof(unsigned long long);
}

static uint32_t *words_piece(struct traverse_side *s, uint64_t words,
                             struct err *err)
{
    return side_piece(s, words * sizeof(uint32_t), err);
}

static int gunrock_memory(struct gunrock *k, struct traverse_side *s,
                          struct err *err)
{
    const struct graph_share *g = &s->share;
    uint64_t values = (uint64_t)g->own + g->ghosts;
    struct gunrock_level *l = &k->l;

    if (!(l->depth = words_piece(s, values, err)) ||
        !(l->frontier = words_piece(s, g->own, err)) ||
        !(l->degrees = words_piece(s, g->own, err)) ||
        !(l->ends = words_piece(s, g->own, err)) ||
        !(l->tiles =
              side_piece(s, gunrock_tiles(g->own) * sizeof *l->tiles, err)) ||
        !(l->slots = words_piece(s, g->arcs, err)) ||
        !(l->found = words_piece(s, values, err)) ||
        !(l->lengths = side_piece(s, sizeof *l->lengths, err)))
        return -1;
    if (s->group->how.gpus == 1)
        return 0;
    return (l->own = words_piece(s, g->own, err)) &&
                   (l->send = words_piece(s, g->ghosts, err)) &&
                   (k->received = words_piece(
                        s, (uint64_t)side_peers(s) * g->own, err)) &&
                   (l->parameters = side_piece(s, sizeof *l->parameters, err))
               ? 0
               : -1;
}

static int gunrock_begin(struct traverse_side *s, struct err *err)
{
    struct gunrock *k = s->state = xcalloc(1, sizeof *k);

    k->l.g = s->share;
    k->l.peers = side_peers(s);
    if (gunrock_memory(k, s, err) < 0 ||
        CUDA_TRY(err, gunrock_resident(&k->ctas)) < 0 ||
        CUDA_TRY(err, cudaMallocHost((void **)&k->set, sizeof *k->set)) < 0)
        return -1;
    for (unsigned p = 0; p < side_peers(s); p++)
        if (CUDA_TRY(err, cudaEventCreateWithFlags(&k->sent[p],
                                                   cudaEventDisableTiming)) < 0)
            return -1;
    s->values = k->l.depth;
    return 0;
}

static void gunrock_reset(struct traverse_side *s)
{
    struct gunrock *k = s->state;
    uint64_t values = (uint64_t)s->share.own + s->share.ghosts;
    uint32_t zero = 0, place = s->group->source;

    k->l.items = s->gpu == s->group->source_gpu;
    CUDA_DIE(cudaMemset(k->l.depth, 0xff, 4 * values));
    if (k->l.items) {
        CUDA_DIE(cudaMemcpy(&k->l.depth[place], &zero, sizeof zero,
                            cudaMemcpyHostToDevice));
        CUDA_DIE(cudaMemcpy(k->l.frontier, &place, sizeof place,
                            cudaMemcpyHostToDevice));
    }
    CUDA_DIE(cudaDeviceSynchronize());
}

static void read_word(struct traverse_side *s, unsigned word, const void *from,
                      size_t bytes)
{
    side_read(s, word, from, bytes);
    side_sync(s);
}

/* Runs the kernels of degrees, their sum, all arcs, and the filter; returns the
 * number of found places. */
static uint64_t advance(struct traverse_side *s, struct gunrock *k)
{
    struct gunrock_level *l = &k->l;

    if (!l->items) {
        l->arcs = 0;
        return 0;
    }
    side_begin_work(s);
    CUDA_DIE(gunrock_degrees_start(l, s->stream));
    CUDA_DIE(gunrock_scan_start(l, s->stream));
    s->words[WORD_ENDS] = 0;
    read_word(s, WORD_ENDS, &l->ends[l->items - 1], sizeof *l->ends);
    l->arcs = (uint32_t)s->words[WORD_ENDS];
    if (!l->arcs)
        return 0;
    side_begin_work(s);
    CUDA_DIE(cudaMemsetAsync(l->lengths, 0, lengths_B(s), s->stream));
    CUDA_DIE(gunrock_advance_start(l, k->ctas, s->stream));
    CUDA_DIE(gunrock_filter_start(l, k->ctas, s->stream));
    read_word(s, WORD_FOUND, &l->lengths->found, 8);
    return s->words[WORD_FOUND];
}

/* Splits the found places: ghosts go to their owner's list, and the rest
 * becomes the frontier. */
static void make_output(struct traverse_side *s, struct gunrock *k,
                        uint64_t found)
{
    struct gunrock_level *l = &k->l;
    unsigned long long *set = &k->set->items;

    *k->set = (struct gunrock_parameters){.items = found};
    for (int i = 0; i < PARAMETERS; i++)
        CUDA_DIE(cudaMemcpyAsync(&(&l->parameters->items)[i], &set[i], 8,
                                 cudaMemcpyHostToDevice, s->stream));
    side_begin_work(s);
    CUDA_DIE(gunrock_split_start(l, k->ctas, s->stream));
    read_word(s, WORD_OWN, &l->lengths->own,
              lengths_B(s) - offsetof(struct gunrock_lengths, own));
    if (s->words[WORD_OWN])
        CUDA_DIE(
            gunrock_copy_start(l, (uint32_t)s->words[WORD_OWN], s->stream));
}

static void send_ghosts(struct traverse_side *s, struct gunrock *k,
                        unsigned peer)
{
    struct traverse_side *other = side_peer(s, peer);
    const struct gunrock *to = other->state;
    uint64_t ghosts = s->words[WORD_GHOSTS + peer];
    uint64_t at = (uint64_t)side_as_peer(s, peer) * other->share.own;

    if (ghosts) {
        side_send(s, peer, to->received + at,
                  k->l.send + share_ghosts_from(&s->share, peer), 4 * ghosts,
                  NULL, s->stream);
        CUDA_DIE(cudaEventRecord(k->sent[peer], s->stream));
    }
    group_publish(s, WORD_GHOSTS + peer, ghosts);
}

static void expand_from(struct traverse_side *s, struct gunrock *k,
                        unsigned peer)
{
    struct traverse_side *other = side_peer(s, peer);
    const struct gunrock *from = other->state;
    unsigned me = side_as_peer(s, peer);
    uint64_t n = group_word(s->group, other->gpu, WORD_GHOSTS + me);

    if (n) {
        CUDA_DIE(cudaStreamWaitEvent(s->stream, from->sent[me], 0));
        CUDA_DIE(gunrock_expand_start(
            &k->l, k->received + (uint64_t)peer * s->share.own, (uint32_t)n,
            s->stream));
    }
    s->counts.received += n;
}

static void expand_incoming(struct traverse_side *s, struct gunrock *k)
{
    side_begin_work(s);
    for (unsigned p = 0; p < side_peers(s); p++)
        expand_from(s, k, p);
    read_word(s, WORD_OWN, &k->l.lengths->own, 8);
    /* The others' copies from here must also be over before all meet. */
    for (unsigned p = 0; p < side_peers(s); p++)
        CUDA_DIE(cudaEventSynchronize(k->sent[p]));
}

/* Exchanges the found places; returns the next frontier's length. */
static uint32_t exchange(struct traverse_side *s, struct gunrock *k,
                         uint64_t found)
{
    CUDA_DIE(cudaMemsetAsync(k->l.lengths, 0, lengths_B(s), s->stream));
    make_output(s, k, found);
    for (unsigned p = 0; p < side_peers(s); p++)
        send_ghosts(s, k, p);
    group_meet(s->group);
    expand_incoming(s, k);
    return (uint32_t)s->words[WORD_OWN];
}

/* On one GPU the found places are the frontier. */
static void swap_lists(struct gunrock_level *l)
{
    uint32_t *found = l->found;

    l->found = l->frontier;
    l->frontier = found;
}

static uint64_t one_level(struct traverse_side *s, uint32_t depth,
                          uint64_t *vertices)
{
    struct gunrock *k = s->state;

    k->l.next = depth + 1;
    uint64_t found = advance(s, k);
    if (s->group->how.gpus > 1) {
        k->l.items = exchange(s, k, found);
    } else {
        swap_lists(&k->l);
        k->l.items = (uint32_t)found;
    }
    *vertices = k->l.items;
    return k->l.arcs;
}

static void gunrock_run(struct traverse_side *s)
{
    bfs_levels_run(s, ((const struct gunrock *)s->state)->l.items, one_level);
}

static void gunrock_end(struct traverse_side *s)
{
    struct gunrock *k = s->state;

    for (unsigned p = 0; p < TRAVERSE_PEERS; p++)
        if (k->sent[p])
            cudaEventDestroy(k->sent[p]);
    if (k->set)
        cudaFreeHost(k->set);
}

const struct traverse_execution bfs_gunrock_execution = {
    .name = "bsp-gunrock",
    .algorithm = "bfs",
    .levels = true,
    .transfers = 1u << TRANSFER_COPY,
    .bytes = gunrock_bytes,
    .begin = gunrock_begin,
    .reset = gunrock_reset,
    .run = gunrock_run,
    .end = gunrock_end,
};
