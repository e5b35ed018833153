/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the entries before an entry of a list, in time logarithmic in its
 * length. */
#include "sim/transport/walk.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

static void walk_add(struct walk *w, uint32_t ticket, uint32_t one)
{
    for (uint32_t i = ticket + 1; i <= w->room; i += i & -i)
        w->tree[i - 1] += one;
}

static void walk_grow(struct walk *w)
{
    uint32_t room = w->room ? 2 * w->room : 64;

    w->there = xrealloc(w->there, room, sizeof *w->there);
    w->tree = xrealloc(w->tree, room, sizeof *w->tree);
    memset(w->tree, 0, room * sizeof *w->tree);
    w->room = room;
    for (uint32_t t = 0; t < w->given; t++)
        if (w->there[t])
            walk_add(w, t, 1);
}

uint32_t walk_enter(struct walk *w)
{
    uint32_t ticket = w->given;

    if (ticket == w->room)
        walk_grow(w);
    w->given++;
    w->length++;
    w->there[ticket] = true;
    walk_add(w, ticket, 1);
    return ticket;
}

uint32_t walk_before(const struct walk *w, uint32_t ticket)
{
    uint32_t before = 0;

    for (uint32_t i = ticket; i > 0; i -= i & -i)
        before += w->tree[i - 1];
    return before;
}

uint32_t walk_leave(struct walk *w, uint32_t ticket)
{
    uint32_t before = walk_before(w, ticket) + 1;

    w->there[ticket] = false;
    walk_add(w, ticket, UINT32_MAX); /* subtracts one */
    if (--w->length == 0)
        w->given = 0; /* because the tree is all 0 */
    return before;
}

void walk_clear(struct walk *w)
{
    free(w->tree);
    free(w->there);
    *w = (struct walk){0};
}
