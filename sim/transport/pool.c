/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates transfers in chunks that never move. */
#include "sim/transport/pool.h"

#include "base/err.h"
#include "sim/transport/fabric.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 256 };

struct pooled {
    struct transfer t; /* first, because a transfer is cast to its place */
    uint32_t place;
};

static void pool_grow(struct transfer_pool *p)
{
    struct pooled *chunk = xcalloc(CHUNK, sizeof *chunk);
    uint32_t n = p->nchunks++;

    p->chunks = xrealloc(p->chunks, p->nchunks, sizeof *p->chunks);
    p->chunks[n] = chunk;
    for (uint32_t i = CHUNK; i-- > 0;) {
        chunk[i].place = n * CHUNK + i;
        pool_give(p, &chunk[i].t);
    }
}

struct transfer *pool_take(struct transfer_pool *p)
{
    if (!p->unused)
        pool_grow(p);
    struct pooled *room = p->unused;
    p->unused = (struct pooled *)room->t.waiter.next;
    return &room->t;
}

void pool_give(struct transfer_pool *p, struct transfer *t)
{
    t->waiter.next = (struct waiter *)p->unused;
    p->unused = (struct pooled *)t;
}

uint32_t pool_place(const struct transfer *t)
{
    return ((const struct pooled *)t)->place;
}

struct transfer *pool_at(const struct transfer_pool *p, uint32_t place)
{
    return &p->chunks[place / CHUNK][place % CHUNK].t;
}

void pool_clear(struct transfer_pool *p)
{
    for (uint32_t i = 0; i < p->nchunks; i++)
        free(p->chunks[i]);
    free(p->chunks);
    memset(p, 0, sizeof *p);
}
