/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk.h - how far a search through a list goes: what is in it comes in at its
 * end and is taken out anywhere, and a search that finds it looks at all that
 * is before. */
#ifndef SIM_TRANSPORT_WALK_H
#define SIM_TRANSPORT_WALK_H

#include <stdbool.h>
#include <stdint.h>

/* All 0: empty. */
struct walk {
    uint32_t *tree; /* Fenwick tree (Fenwick 1994): how many are there */
    bool *there;    /* of each ticket */
    uint32_t given, room, length;
};

/* Its ticket. */
uint32_t walk_enter(struct walk *w);
/* How many are before it. */
uint32_t walk_before(const struct walk *w, uint32_t ticket);
/* Takes it out; how many entries a search for it looked at, itself included. */
uint32_t walk_leave(struct walk *w, uint32_t ticket);
void walk_clear(struct walk *w);

#endif
