/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grows a table of values by index as more indices are written. */
#include "apps/agents/sparse.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BITS 3

static void sparse_grow(struct sparse *s)
{
    struct sparse was = *s;
    size_t n = was.slots ? (size_t)1 << was.bits : 0;

    s->bits = was.slots ? was.bits + 1 : FIRST_BITS;
    size_t bytes = ((size_t)1 << s->bits) * sizeof *s->slots;
    s->slots = xmalloc(bytes);
    memset(s->slots, 0xff, bytes); /* all slots are SPARSE_FREE */
    for (size_t i = 0; i < n; i++)
        if (was.slots[i].index != SPARSE_FREE)
            *sparse_find(s, was.slots[i].index) = was.slots[i];
    free(was.slots);
}

struct sparse_slot *sparse_add(struct sparse *s, uint32_t index)
{
    if (!s->slots || 3 * ((uint64_t)s->n + 1) > (uint64_t)2 << s->bits)
        sparse_grow(s);
    struct sparse_slot *slot = sparse_find(s, index);
    *slot = (struct sparse_slot){.index = index, .value = s->none};
    s->n++;
    return slot;
}

void sparse_clear(struct sparse *s)
{
    free(s->slots);
    *s = (struct sparse){.none = s->none};
}
