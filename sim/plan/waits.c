/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the waits of operations, as chains in one array. */
#include "sim/plan/waits.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

void waits_init(struct op_waits *w, size_t nops)
{
    *w = (struct op_waits){.last = xcalloc(nops, sizeof *w->last),
                           .most = WAITS_MOST};
}

void waits_clear(struct op_waits *w)
{
    free(w->list);
    free(w->last);
    memset(w, 0, sizeof *w);
}

void waits_add(struct op_waits *w, uint32_t op, struct op_wait wait)
{
    if (w->n == w->most) {
        w->full = true;
        return;
    }
    if (w->n == w->room) {
        w->room = w->room < WAITS_MOST / 2 - 64 ? 2 * w->room + 64 : WAITS_MOST;
        w->list = xrealloc(w->list, w->room, sizeof *w->list);
    }
    wait.before = w->last[op] & WAITS_MOST;
    w->list[w->n] = wait;
    w->last[op] = ++w->n;
}

const struct op_wait *waits_until(const struct op_waits *w, uint32_t op,
                                  double then)
{
    uint32_t at = w->last[op];

    while (at && w->list[at - 1].over_s > then)
        at = w->list[at - 1].before;
    return at ? &w->list[at - 1] : NULL;
}
