/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk.h - how far a search through a list goes. Entries are appended and
 * removed anywhere; a search that finds an entry looks at all entries before
 * it. */
#ifndef SIM_TRANSPORT_WALK_H
#define SIM_TRANSPORT_WALK_H

#include <stdbool.h>
#include <stdint.h>

/* An empty list is all 0. */
struct walk {
    /* Fenwick tree (Fenwick 1994) that counts the entries in the list. */
    uint32_t *tree;
    bool *there; /* indexed by ticket */
    uint32_t given, room, length;
};

/* Appends an entry and returns its ticket. */
uint32_t walk_enter(struct walk *w);
/* Returns how many entries are before it. */
uint32_t walk_before(const struct walk *w, uint32_t ticket);
/* Removes it and returns how many entries a search for it looked at, itself
 * included. */
uint32_t walk_leave(struct walk *w, uint32_t ticket);
void walk_clear(struct walk *w);

#endif
