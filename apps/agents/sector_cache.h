/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sector_cache.h - a cache of sectors of memory that evicts the one that was
 * used least recently (LRU). If only a sample of the sectors enters it, its
 * capacity is the same part of the cache's, because then the part of accesses
 * that hit stays the same (SHARDS: Waldspurger et al. 2015). */
#ifndef APPS_AGENTS_SECTOR_CACHE_H
#define APPS_AGENTS_SECTOR_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct sector_cache {
    struct sector_node {
        uint64_t key;
        uint32_t newer, older; /* in a ring; node 0 is its head */
        uint32_t next;         /* next node of its bucket, 0 if none */
    } * nodes;
    uint32_t *buckets; /* the first node of each bucket, 0 if none */
    uint32_t capacity, n;
    uint32_t shift; /* right shift of a key's hash that gives its bucket */
};

/* Makes an empty cache of `capacity` sectors, at least 1. */
void sector_cache_init(struct sector_cache *c, uint32_t capacity);
void sector_cache_clear(struct sector_cache *c);

/* Makes a sector the newest of the cache; returns whether it was there
 * already. */
bool sector_cache_use(struct sector_cache *c, uint64_t sector);
/* Adds a sector that is never accessed again, which evicts the oldest. */
void sector_cache_pass(struct sector_cache *c);

#endif
