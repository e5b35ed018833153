/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server.h - what serves one operation at a time, first come first served. */
#ifndef SIM_SERVER_H
#define SIM_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#define SERVER_NOBODY UINT32_MAX

struct server {
    uint32_t holder;      /* SERVER_NOBODY when idle */
    uint32_t first, last; /* who waits */
};

/*
 * next[] holds one entry for each operation: who waits behind it. An operation
 * waits for one server at a time, so all servers share the array.
 */
static inline void server_init(struct server *s)
{
    s->holder = s->first = s->last = SERVER_NOBODY;
}

/* True when op has the server now; else it waits its turn. */
static inline bool server_take(struct server *s, uint32_t *next, uint32_t op)
{
    if (s->holder == SERVER_NOBODY) {
        s->holder = op;
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

/* The operation whose turn it is after the holder, or SERVER_NOBODY. */
static inline uint32_t server_release(struct server *s, const uint32_t *next)
{
    uint32_t op = s->first;

    s->holder = op;
    if (op != SERVER_NOBODY) {
        s->first = next[op];
        if (s->first == SERVER_NOBODY)
            s->last = SERVER_NOBODY;
    }
    return op;
}

#endif
