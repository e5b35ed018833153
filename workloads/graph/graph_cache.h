/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_cache.h - caches of several sizes with LRU replacement, simulated
 * exactly and together in one pass. */
#ifndef WORKLOADS_GRAPH_GRAPH_CACHE_H
#define WORKLOADS_GRAPH_GRAPH_CACHE_H

#include <stdint.h>

enum { GRAPH_CACHES = 4 };

/* All sectors are in one list, the last used first, with a mark at each size. A
 * sector after the mark of a cache is not in that cache. A touch takes
 * O(GRAPH_CACHES) time, whatever the sizes. */
struct graph_cache {
    uint32_t *before, *after; /* neighbours in the list; itself at an end */
    /* Number of marks before a sector; UINT8_MAX if it is new. */
    uint8_t *behind;
    uint32_t head, last, used;
    /* In sectors, in increasing order. */
    uint32_t size[GRAPH_CACHES], mark[GRAPH_CACHES];
    uint64_t touches, misses[GRAPH_CACHES];
};

/* Initialises caches of `size` sectors, of which there are at most `sectors`;
 * equal sizes are increased to differ. */
void graph_cache_init(struct graph_cache *c, uint32_t sectors,
                      const uint32_t size[GRAPH_CACHES]);
void graph_cache_clear(struct graph_cache *c);
/* Uses a sector, and counts a miss of each cache that does not have it. */
void graph_cache_touch(struct graph_cache *c, uint32_t sector);

#endif
