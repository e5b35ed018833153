/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sector_cache.h - a cache of sectors of memory that gives up the one that was
 * used least recently (LRU). Of a sample of the sectors it has as small a part
 * of the cache: then it finds as large a part of the accesses (SHARDS:
 * Waldspurger et al. 2015). */
#ifndef STRATEGIES_AGENTS_SECTOR_CACHE_H
#define STRATEGIES_AGENTS_SECTOR_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct sector_cache {
    struct sector_node {
        uint64_t key;
        uint32_t newer, older; /* in a ring; node 0 is its head */
        uint32_t next;         /* of its bucket, 0: none */
    } * nodes;
    uint32_t *buckets; /* the first node of each, 0: none */
    uint32_t capacity, n;
    uint32_t shift; /* of a key's hash, to its bucket */
};

/* Room for so many sectors, at least 1. */
void sector_cache_init(struct sector_cache *c, uint32_t capacity);
void sector_cache_clear(struct sector_cache *c);

/* The sector was in the cache; now it is, as the newest. */
bool sector_cache_use(struct sector_cache *c, uint64_t sector);
/* A sector that nobody asks for again. */
void sector_cache_pass(struct sector_cache *c);

#endif
