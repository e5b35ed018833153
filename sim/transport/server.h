/* SPDX-License-Identifier: GPL-3.0-or-later */
/* server.h - a resource that serves transfers first come first served, a
 * bounded number of them at a time. */
#ifndef SIM_TRANSPORT_SERVER_H
#define SIM_TRANSPORT_SERVER_H

#include <stdbool.h>
#include <stddef.h>

/* The first member of any struct that can wait for a server. It waits for one
 * server at a time. */
struct waiter {
    struct waiter *next; /* next in the queue */
};

struct server {
    unsigned places, taken;      /* if places is 0 there is no bound */
    struct waiter *first, *last; /* the queue */
};

static inline void server_init(struct server *s, unsigned places)
{
    *s = (struct server){.places = places};
}

/* Returns true and takes a place if one is free. */
static inline bool server_take(struct server *s)
{
    if (s->places && s->taken == s->places)
        return false;
    s->taken++;
    return true;
}

/* Appends w to the queue. */
static inline void server_wait(struct server *s, struct waiter *w)
{
    w->next = NULL;
    if (s->first)
        s->last->next = w;
    else
        s->first = w;
    s->last = w;
}

/* Puts w before all others in the queue. */
static inline void server_wait_first(struct server *s, struct waiter *w)
{
    w->next = s->first;
    if (!s->first)
        s->last = w;
    s->first = w;
}

/* Removes the first of the queue. */
static inline void server_next(struct server *s)
{
    s->first = s->first->next;
}

#endif
