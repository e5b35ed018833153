/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates LRU caches of several sizes with one list of sectors by last
 * use. */
#include "workloads/graph/graph_cache.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

void graph_cache_init(struct graph_cache *c, uint32_t sectors,
                      const uint32_t size[GRAPH_CACHES])
{
    *c = (struct graph_cache){0};
    c->before = xcalloc((size_t)sectors + 1, sizeof *c->before);
    c->after = xcalloc((size_t)sectors + 1, sizeof *c->after);
    c->behind = xmalloc((size_t)sectors + 1);
    memset(c->behind, 0xff, (size_t)sectors + 1);
    for (int k = 0; k < GRAPH_CACHES; k++) {
        uint32_t least = k ? c->size[k - 1] + 1 : 1;
        c->size[k] = size[k] > least ? size[k] : least;
    }
}

void graph_cache_clear(struct graph_cache *c)
{
    free(c->before);
    free(c->after);
    free(c->behind);
}

static void push_front(struct graph_cache *c, uint32_t s)
{
    c->before[s] = s;
    c->after[s] = c->used ? c->head : s;
    if (c->used)
        c->before[c->head] = s;
    else
        c->last = s;
    c->head = s;
}

/* Removes a sector, which is not the first, from the list. */
static void take_out(struct graph_cache *c, uint32_t s)
{
    uint32_t before = c->before[s], after = c->after[s];

    if (s == c->last) {
        c->last = before;
        c->after[before] = before;
    } else {
        c->after[before] = after;
        c->before[after] = before;
    }
}

/* Moves mark k: the last sector before it comes to lie after it, and so leaves
 * cache k. */
static void push_out(struct graph_cache *c, int k)
{
    uint32_t out = c->mark[k];

    c->behind[out] = (uint8_t)(k + 1);
    c->mark[k] = c->before[out];
}

static void touch_first_time(struct graph_cache *c, uint32_t s)
{
    push_front(c, s);
    c->behind[s] = 0;
    c->used++;
    for (int k = 0; k < GRAPH_CACHES; k++) {
        c->misses[k]++;
        if (c->used == c->size[k])
            c->mark[k] = c->last;
        else if (c->used > c->size[k])
            push_out(c, k);
    }
}

void graph_cache_touch(struct graph_cache *c, uint32_t s)
{
    int behind = c->behind[s];

    c->touches++;
    if (behind == UINT8_MAX) {
        touch_first_time(c, s);
        return;
    }
    if (s == c->head)
        return;
    if (behind < GRAPH_CACHES && s == c->mark[behind] &&
        c->used >= c->size[behind])
        c->mark[behind] = c->before[s];
    take_out(c, s);
    push_front(c, s);
    c->behind[s] = 0;
    for (int k = 0; k < behind; k++) {
        c->misses[k]++;
        push_out(c, k);
    }
}
