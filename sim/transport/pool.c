/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates transfers in chunks that never move. */
#include "sim/transport/pool.h"

#include "base/err.h"
#include "sim/transport/fabric.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 256 };

static void pool_grow(struct transfer_pool *p)
{
    struct pooled *chunk = xcalloc(CHUNK, sizeof *chunk);
    uint32_t n = p->nchunks++;

    p->chunks = xrealloc(p->chunks, p->nchunks, sizeof *p->chunks);
    p->chunks[n] = chunk;
    for (uint32_t i = CHUNK; i-- > 0;) {
        chunk[i].place = n * CHUNK + i;
        pool_give(p, &chunk[i]);
    }
}

struct pooled *pool_take(struct transfer_pool *p)
{
    if (!p->unused)
        pool_grow(p);
    struct pooled *room = p->unused;
    p->unused = (struct pooled *)room->transfer.waiter.next;
    return room;
}

void pool_give(struct transfer_pool *p, struct pooled *t)
{
    t->step = NO_STEP;
    t->transfer.waiter.next = (struct waiter *)p->unused;
    p->unused = t;
}

struct pooled *pool_at(const struct transfer_pool *p, uint32_t place)
{
    return place / CHUNK < p->nchunks ? &p->chunks[place / CHUNK][place % CHUNK]
                                      : NULL;
}

void pool_clear(struct transfer_pool *p)
{
    for (uint32_t i = 0; i < p->nchunks; i++)
        free(p->chunks[i]);
    free(p->chunks);
    memset(p, 0, sizeof *p);
}
