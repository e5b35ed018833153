/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server.h - what serves transfers first come first served, a bounded number
 * of them at a time. */
#ifndef SIM_TRANSPORT_SERVER_H
#define SIM_TRANSPORT_SERVER_H

#include <stdbool.h>
#include <stddef.h>

/* What waits: the head of what a user of servers serves. It waits for one
 * server at a time. */
struct waiter {
    struct waiter *next; /* who waits behind it */
};

struct server {
    unsigned places, taken;      /* places 0: no bound */
    struct waiter *first, *last; /* who waits */
};

static inline void server_init(struct server *s, unsigned places)
{
    *s = (struct server){.places = places};
}

/* True when it had a place, which is taken now. */
static inline bool server_take(struct server *s)
{
    if (s->places && s->taken == s->places)
        return false;
    s->taken++;
    return true;
}

/* Behind all who wait. */
static inline void server_wait(struct server *s, struct waiter *w)
{
    w->next = NULL;
    if (s->first)
        s->last->next = w;
    else
        s->first = w;
    s->last = w;
}

/* Before all who wait. */
static inline void server_wait_first(struct server *s, struct waiter *w)
{
    w->next = s->first;
    if (!s->first)
        s->last = w;
    s->first = w;
}

/* The first waits no longer. */
static inline void server_next(struct server *s)
{
    s->first = s->first->next;
}

#endif
