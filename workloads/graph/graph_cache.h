/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph_cache.h - caches of several sizes that replace what was used longest
 * ago, followed exactly and together in one pass.
 */
#ifndef WORKLOADS_GRAPH_GRAPH_CACHE_H
#define WORKLOADS_GRAPH_GRAPH_CACHE_H

#include <stdint.h>

enum { GRAPH_CACHES = 4 };

/*
 * One list of all sectors, the last used first, and a mark at each size: a
 * sector behind the mark of a cache is not in it. A touch takes
 * O(GRAPH_CACHES), whatever the sizes.
 */
struct graph_cache {
    uint32_t *before, *after; /* in the list; the sector itself: nothing */
    uint8_t *behind; /* how many marks a sector lies behind; UINT8_MAX: new */
    uint32_t head, last, used;
    uint32_t size[GRAPH_CACHES], mark[GRAPH_CACHES]; /* in sectors, rising */
    uint64_t touches, misses[GRAPH_CACHES];
};

/* `size` in sectors, of at most `sectors`; equal ones are made to rise. */
void graph_cache_init(struct graph_cache *c, uint32_t sectors,
                      const uint32_t size[GRAPH_CACHES]);
void graph_cache_clear(struct graph_cache *c);
void graph_cache_touch(struct graph_cache *c, uint32_t sector);

#endif
