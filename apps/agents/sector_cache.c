/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ring of sectors by their last use, and a hash table to find them. */
#include "apps/agents/sector_cache.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

/* key of a sector that is never accessed again */
static const uint64_t nobody = UINT64_MAX;

void sector_cache_init(struct sector_cache *c, uint32_t capacity)
{
    uint32_t bits = 4;

    while (bits < 30 && (1u << bits) < capacity)
        bits++;
    *c = (struct sector_cache){.capacity = capacity ? capacity : 1,
                               .shift = 64 - bits};
    c->nodes = xcalloc((size_t)c->capacity + 1, sizeof *c->nodes);
    c->buckets = xcalloc((size_t)1 << bits, sizeof *c->buckets);
}

void sector_cache_clear(struct sector_cache *c)
{
    free(c->nodes);
    free(c->buckets);
    memset(c, 0, sizeof *c);
}

static uint32_t *bucket_of(const struct sector_cache *c, uint64_t key)
{
    return &c->buckets[key * 0x9e3779b97f4a7c15u >> c->shift];
}

static void ring_take_out(struct sector_cache *c, uint32_t i)
{
    const struct sector_node *n = &c->nodes[i];

    c->nodes[n->newer].older = n->older;
    c->nodes[n->older].newer = n->newer;
}

static void ring_put_newest(struct sector_cache *c, uint32_t i)
{
    struct sector_node *head = &c->nodes[0], *n = &c->nodes[i];

    n->newer = 0;
    n->older = head->older;
    c->nodes[head->older].newer = i;
    head->older = i;
}

static void forget(struct sector_cache *c, uint32_t i)
{
    if (c->nodes[i].key == nobody)
        return;
    uint32_t *at = bucket_of(c, c->nodes[i].key);
    while (*at != i)
        at = &c->nodes[*at].next;
    *at = c->nodes[i].next;
}

/* Returns a free node, or that of the oldest sector. */
static uint32_t make_room(struct sector_cache *c)
{
    if (c->n < c->capacity)
        return ++c->n;
    uint32_t oldest = c->nodes[0].newer;
    forget(c, oldest);
    ring_take_out(c, oldest);
    return oldest;
}

bool sector_cache_use(struct sector_cache *c, uint64_t sector)
{
    uint32_t i = *bucket_of(c, sector);

    while (i && c->nodes[i].key != sector)
        i = c->nodes[i].next;
    if (i) {
        ring_take_out(c, i);
        ring_put_newest(c, i);
        return true;
    }
    i = make_room(c);
    uint32_t *bucket = bucket_of(c, sector);
    c->nodes[i].key = sector;
    c->nodes[i].next = *bucket;
    *bucket = i;
    ring_put_newest(c, i);
    return false;
}

void sector_cache_pass(struct sector_cache *c)
{
    uint32_t i = make_room(c);

    c->nodes[i].key = nobody;
    ring_put_newest(c, i);
}
