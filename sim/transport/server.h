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

/* True when w has a place now; else it waits its turn. */
static inline bool server_take(struct server *s, struct waiter *w)
{
    if (!s->places || s->taken < s->places) {
        s->taken++;
        return true;
    }
    w->next = NULL;
    if (s->first)
        s->last->next = w;
    else
        s->first = w;
    s->last = w;
    return false;
}

/* The same, but its turn is before all that wait. */
static inline bool server_take_ahead(struct server *s, struct waiter *w)
{
    struct waiter *first = s->first;

    if (!first)
        return server_take(s, w);
    w->next = first;
    s->first = w;
    return false;
}

/* Gives a place back; who gets it, or NULL. */
static inline struct waiter *server_release(struct server *s)
{
    struct waiter *w = s->first;

    if (!w) {
        s->taken--;
        return NULL;
    }
    s->first = w->next;
    return w;
}

#endif
