/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server.h - what serves operations first come first served, a bounded number
 * of them at a time. */
#ifndef SIM_TRANSPORT_SERVER_H
#define SIM_TRANSPORT_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#define SERVER_NOBODY UINT32_MAX

struct server {
    unsigned places, taken; /* places 0: no bound */
    uint32_t first, last;   /* who waits */
};

/*
 * next[] holds one entry for each operation: who waits behind it. An operation
 * waits for one server at a time, so all servers share the array.
 */
static inline void server_init(struct server *s, unsigned places)
{
    *s = (struct server){places, 0, SERVER_NOBODY, SERVER_NOBODY};
}

/* True when op has a place now; else it waits its turn. */
static inline bool server_take(struct server *s, uint32_t *next, uint32_t op)
{
    if (!s->places || s->taken < s->places) {
        s->taken++;
        return true;
    }
    next[op] = SERVER_NOBODY;
    if (s->first == SERVER_NOBODY)
        s->first = op;
    else
        next[s->last] = op;
    s->last = op;
    return false;
}

/* Gives a place back; the operation that gets it, or SERVER_NOBODY. */
static inline uint32_t server_release(struct server *s, const uint32_t *next)
{
    uint32_t op = s->first;

    if (op == SERVER_NOBODY) {
        s->taken--;
        return op;
    }
    s->first = next[op];
    if (s->first == SERVER_NOBODY)
        s->last = SERVER_NOBODY;
    return op;
}

#endif
