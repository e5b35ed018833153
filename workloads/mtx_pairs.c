/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Manages the memory of packed lists of (row, column) pairs. */
#include "workloads/mtx_pairs.h"

#include "base/err.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Memory of this size or more is returned to the system when it is cleared. */
enum { LARGE_B = 1 << 16 };

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
    if (p->mapped)
        munmap(p->bytes, p->room);
    else
        free(p->bytes);
    *p = (struct mtx_pairs){0};
}

struct mtx_pairs mtx_pairs_copy(const struct mtx_pairs *p)
{
    struct mtx_pairs copy = *p;

    copy.room = p->len + MTX_PAIR_B;
    copy.bytes = MAP_FAILED;
    if (copy.room >= LARGE_B)
        copy.bytes = mmap(NULL, copy.room, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    copy.mapped = copy.bytes != MAP_FAILED;
    if (!copy.mapped)
        copy.bytes = xmalloc(copy.room);
    memcpy(copy.bytes, p->bytes, p->len);
    memset(copy.bytes + p->len, 0, MTX_PAIR_B);
    return copy;
}
