/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets up the depths and frontiers of level-synchronous searches. */
#include "validate/native/cuda/bfs_lists.h"

uint64_t bfs_lists_bytes(const struct graph_share *g)
{
    return 4 * ((uint64_t)g->own + g->ghosts) +
           2 * sizeof(struct arc_item) * (uint64_t)g->own;
}

static int list_new(struct arc_list *l, struct traverse_side *s,
                    struct err *err)
{
    l->items = side_piece(s, sizeof *l->items * (uint64_t)s->share.own, err);
    l->counts = side_piece(s, sizeof *l->counts, err);
    return l->items && l->counts ? 0 : -1;
}

int bfs_lists_begin(struct bfs_lists *b, struct traverse_side *s,
                    struct err *err)
{
    uint64_t values = (uint64_t)s->share.own + s->share.ghosts;

    b->depth = side_piece(s, sizeof *b->depth * values, err);
    if (!b->depth || CUDA_TRY(err, push_resident(&b->ctas)) < 0 ||
        list_new(&b->lists[0], s, err) < 0 ||
        list_new(&b->lists[1], s, err) < 0)
        return -1;
    s->values = b->depth;
    return 0;
}

static void set_source(struct bfs_lists *b, struct traverse_side *s)
{
    uint32_t ends[2], place = s->group->source, zero = 0;

    CUDA_DIE(cudaMemcpy(ends, &s->share.first[place], sizeof ends,
                        cudaMemcpyDeviceToHost));
    CUDA_DIE(cudaMemcpy(&b->depth[place], &zero, sizeof zero,
                        cudaMemcpyHostToDevice));
    struct arc_item item = {.row = ends[0]};
    CUDA_DIE(cudaMemcpy(b->lists[0].items, &item, sizeof item,
                        cudaMemcpyHostToDevice));
    if (ends[0] == ends[1])
        b->leaves = 1;
    else
        b->both = 1ull << 32 | (ends[1] - ends[0]);
}

void bfs_lists_reset(struct bfs_lists *b, struct traverse_side *s)
{
    uint64_t values = (uint64_t)s->share.own + s->share.ghosts;

    CUDA_DIE(cudaMemset(b->depth, 0xff, sizeof *b->depth * values));
    b->both = b->leaves = 0;
    b->has_source = s->gpu == s->group->source_gpu;
    if (b->has_source)
        set_source(b, s);
}

struct push_level bfs_lists_level(const struct bfs_lists *b,
                                  struct traverse_side *s, uint32_t depth)
{
    unsigned turn = depth % 2;
    struct push_level l = {.g = s->share,
                           .depth = b->depth,
                           .next = depth + 1,
                           .in = b->lists[turn].items,
                           .items = (uint32_t)(b->both >> 32),
                           .arcs = (uint32_t)b->both,
                           .out = b->lists[!turn]};

    side_begin_work(s);
    CUDA_DIE(cudaMemsetAsync(l.out.counts, 0, sizeof *l.out.counts, s->stream));
    return l;
}

void bfs_lists_read(struct traverse_side *s, const struct push_level *l)
{
    side_read(s, LIST_BOTH, l->out.counts, sizeof *l->out.counts);
}

uint64_t bfs_lists_next(struct bfs_lists *b, struct traverse_side *s)
{
    side_sync(s);
    b->both = s->words[LIST_BOTH];
    b->leaves = s->words[LIST_LEAVES];
    return (b->both >> 32) + b->leaves;
}
