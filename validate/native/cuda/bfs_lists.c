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
    return 0;
}

static void set_source(struct bfs_lists *b, struct traverse_side *s)
{
    uint32_t ends[2], place = s->team->source, zero = 0;

    CUDA_DIE(cudaMemcpy(ends, &s->share.first[place], sizeof ends,
                        cudaMemcpyDeviceToHost));
    CUDA_DIE(cudaMemcpy(&b->depth[place], &zero, sizeof zero,
                        cudaMemcpyHostToDevice));
    struct arc_item item = {ends[0], 0};
    CUDA_DIE(cudaMemcpy(b->lists[0].items, &item, sizeof item,
                        cudaMemcpyHostToDevice));
    b->source_arcs = ends[1] - ends[0];
}

void bfs_lists_reset(struct bfs_lists *b, struct traverse_side *s)
{
    uint64_t values = (uint64_t)s->share.own + s->share.ghosts;

    CUDA_DIE(cudaMemset(b->depth, 0xff, sizeof *b->depth * values));
    b->has_source = s->gpu == s->team->source_gpu;
    if (b->has_source)
        set_source(b, s);
    b->leaves = b->has_source && !b->source_arcs;
}

struct push_level bfs_lists_level(const struct bfs_lists *b,
                                  const struct traverse_side *s, uint32_t depth,
                                  uint64_t both)
{
    unsigned turn = depth % 2;

    return (struct push_level){.g = s->share,
                               .depth = b->depth,
                               .next = depth + 1,
                               .in = b->lists[turn].items,
                               .items = (uint32_t)(both >> 32),
                               .arcs = (uint32_t)both,
                               .out = b->lists[!turn]};
}

void bfs_lists_read(struct traverse_side *s, const struct push_level *l)
{
    CUDA_DIE(cudaMemcpyAsync(&s->words[LIST_BOTH], l->out.counts,
                             sizeof *l->out.counts, cudaMemcpyDeviceToHost,
                             s->stream));
}
