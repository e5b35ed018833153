/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of packed lists of (row, column) pairs. */
#include "workloads/mtx_pairs.h"

#include "base/err.h"

#include <stdlib.h>

void mtx_pairs_reserve(struct mtx_pairs *p, size_t n)
{
    size_t room = p->len + (n + 1) * MTX_PAIR_B;

    if (room <= p->room)
        return;
    p->room = room;
    p->bytes = xrealloc(p->bytes, room, 1);
}

void mtx_pairs_clear(struct mtx_pairs *p)
{
    free(p->bytes);
    *p = (struct mtx_pairs){0};
}

struct mtx_pairs mtx_pairs_copy(const struct mtx_pairs *p)
{
    struct mtx_pairs copy = *p;

    copy.room = p->len + MTX_PAIR_B;
    copy.bytes = xmalloc(copy.room);
    memcpy(copy.bytes, p->bytes, p->len);
    memset(copy.bytes + p->len, 0, MTX_PAIR_B);
    return copy;
}
