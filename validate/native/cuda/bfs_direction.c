/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Direction-optimised breadth-first search on one GPU (Beamer et al. 2012): it
 * pushes, and pulls while the frontier has many arcs. */
#include "validate/native/cuda/bfs_levels.h"
#include "validate/native/cuda/bfs_lists.h"

#include <stdlib.h>

/* Beamer's alpha and beta, equal to the simulator's. */
enum { PULL_WHEN_ARCS = 14, PUSH_WHEN_VERTICES = 24 };

struct direction {
    struct bfs_lists lists;
    uint32_t *first, *from; /* in-arcs, on the GPU */
    unsigned long long *looked;
    uint64_t arcs_left; /* arcs of the vertices that are not found yet */
    uint64_t last;      /* size of the frontier before */
    bool pulls;
};

enum { WORD_LOOKED = LIST_WORDS };

static uint64_t direction_bytes(const struct graph_share *g, unsigned gpus)
{
    (void)gpus;
    return bfs_lists_bytes(g) + 4 * ((uint64_t)g->own + g->arcs);
}

static int upload_back(struct traverse_side *s, struct direction *d,
                       const struct graph *back, struct err *err)
{
    uint64_t arcs = graph_arcs(back), rows = back->n + 1ull;
    uint32_t *first = xcalloc(rows, sizeof *first);

    for (uint64_t v = 0; v < rows; v++)
        first[v] = (uint32_t)back->first[v];
    d->first = side_piece(s, 4 * rows, err);
    d->from = side_piece(s, 4 * arcs, err);
    int result = d->first && d->from ? 0 : -1;
    if (result == 0)
        result = CUDA_TRY(
            err, cudaMemcpy(d->first, first, 4 * rows, cudaMemcpyHostToDevice));
    if (result == 0)
        result = CUDA_TRY(err, cudaMemcpy(d->from, back->to, 4 * arcs,
                                          cudaMemcpyHostToDevice));
    free(first);
    return result;
}

static int direction_begin(struct traverse_side *s, struct err *err)
{
    struct direction *d = s->state = xcalloc(1, sizeof *d);
    const struct graph *g = s->group->g;
    struct graph back = {0};

    d->looked = side_piece(s, sizeof *d->looked, err);
    if (!d->looked || bfs_lists_begin(&d->lists, s, err) < 0)
        return -1;
    if (graph_is_symmetric(g))
        return upload_back(s, d, g, err);
    graph_transpose(&back, g);
    int result = upload_back(s, d, &back, err);
    graph_clear(&back);
    return result;
}

static void direction_reset(struct traverse_side *s)
{
    struct direction *d = s->state;

    bfs_lists_reset(&d->lists, s);
    CUDA_DIE(cudaMemset(d->looked, 0, sizeof *d->looked));
    CUDA_DIE(cudaDeviceSynchronize());
}

/* Decides whether the next level pulls. */
static void direction_choose(struct direction *d, const struct traverse_side *s,
                             uint64_t vertices)
{
    if (!d->pulls && vertices > d->last)
        d->pulls = (uint32_t)d->lists.both > d->arcs_left / PULL_WHEN_ARCS;
    else if (d->pulls && vertices < d->last)
        d->pulls = vertices >= s->share.own / PUSH_WHEN_VERTICES;
    d->last = vertices;
}

/* Returns the number of in-arcs or arcs that were inspected. */
static uint64_t one_level(struct traverse_side *s, uint32_t depth,
                          uint64_t *vertices)
{
    struct direction *d = s->state;

    direction_choose(d, s, *vertices);
    struct push_level l = bfs_lists_level(&d->lists, s, depth);
    struct pull_level back = {l, d->first, d->from, d->looked};
    uint64_t before = s->words[WORD_LOOKED];
    if (d->pulls)
        CUDA_DIE(pull_start(&back, d->lists.ctas, s->stream));
    else if (l.arcs)
        CUDA_DIE(push_arcs_start(&l, d->lists.ctas, s->stream));
    bfs_lists_read(s, &l);
    if (d->pulls)
        side_read(s, WORD_LOOKED, d->looked, sizeof *d->looked);
    *vertices = bfs_lists_next(&d->lists, s);
    d->arcs_left -= (uint32_t)d->lists.both;
    return d->pulls ? s->words[WORD_LOOKED] - before : l.arcs;
}

static void direction_run(struct traverse_side *s)
{
    struct direction *d = s->state;

    d->arcs_left = s->share.arcs - (uint32_t)d->lists.both;
    d->last = 0;
    d->pulls = false;
    s->words[WORD_LOOKED] = 0;
    bfs_levels_run(s, 1, one_level);
}

const struct traverse_execution bfs_direction_execution = {
    .name = "direction",
    .algorithm = "bfs",
    .levels = true,
    .bytes = direction_bytes,
    .begin = direction_begin,
    .reset = direction_reset,
    .run = direction_run,
};
