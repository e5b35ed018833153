/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The depths of a breadth-first search, from the source's first to the
 * result. */
#include "apps/agents/bfs.h"

void bfs_init(struct bfs *b, const struct traverse_input *in,
              struct traverse_result *r, const struct site *sites)
{
    uint32_t owner = in->part[in->source];

    *b = (struct bfs){.in = in, .r = r};
    depths_init(&b->depths, in->g, in->part, in->ngpus);
    depths_set(&b->depths, owner, in->source, 0);
    queues_push(sites[owner].queues, in->source, 0);
}

void bfs_write(const struct bfs *b)
{
    for (uint32_t v = 0; v < b->in->g->n; v++) {
        b->r->depth[v] = depths_get(&b->depths, b->in->part[v], v);
        b->r->reached += b->r->depth[v] != UINT32_MAX;
    }
}

void bfs_clear(struct bfs *b)
{
    depths_clear(&b->depths);
}
