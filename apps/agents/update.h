/* SPDX-License-Identifier: GPL-3.0-or-later */
/* update.h - a value that a GPU has found for a vertex, and lists of such
 * updates. */
#ifndef APPS_AGENTS_UPDATE_H
#define APPS_AGENTS_UPDATE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* A vertex and its value, whose meaning is the algorithm's: a depth, or a share
 * of a rank. */
struct update {
    uint32_t v;
    union {
        uint32_t number;
        float real;
    };
};

struct updates {
    struct update *list;
    size_t n, room;
};

static inline void updates_add(struct updates *to, struct update u)
{
    if (to->n == to->room) {
        to->room = to->room ? 2 * to->room : 8;
        to->list = xrealloc(to->list, to->room, sizeof *to->list);
    }
    to->list[to->n++] = u;
}

#endif
