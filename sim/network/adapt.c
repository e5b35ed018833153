/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the flows on each link between switches, and compares two routes by
 * them. */
#include "sim/network/adapt.h"

#include "base/err.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The links between switches on the route of a flow. */
struct taken {
    uint32_t links[ADAPT_MOST];
    uint32_t n;
};

struct adapt {
    bool global;
    uint32_t *flows; /* number of flows, indexed by link */
    size_t flows_room;
    struct taken *taken; /* indexed by flow */
    size_t taken_room;
};

struct adapt *adapt_new(enum routing routing)
{
    if (routing != ROUTING_UGAL_L && routing != ROUTING_UGAL_G)
        return NULL;
    struct adapt *a = xcalloc(1, sizeof *a);
    a->global = routing == ROUTING_UGAL_G;
    return a;
}

void adapt_free(struct adapt *a)
{
    if (!a)
        return;
    free(a->flows);
    free(a->taken);
    free(a);
}

/* Returns q h of a route. */
static double adapt_cost(const struct adapt *a, const struct adapt_route *route)
{
    size_t last = a->global || route->n < 3 ? route->n - 1 : 2;
    double worst = 0;

    for (size_t i = 1; i < last; i++) {
        uint32_t link = route->links[i];
        double q = link < a->flows_room ? a->flows[link] / route->Bps[i] : 0;
        if (q > worst)
            worst = q;
    }
    return worst * (double)(route->n - 2);
}

bool adapt_detours(const struct adapt *a, const struct adapt_route *minimal,
                   const struct adapt_route *drawn)
{
    return adapt_cost(a, minimal) > adapt_cost(a, drawn);
}

static void *grown(void *array, size_t need, size_t *room, size_t size)
{
    if (need <= *room)
        return array;
    size_t more = 2 * need + 64;
    array = xrealloc(array, more, size);
    memset((char *)array + *room * size, 0, (more - *room) * size);
    *room = more;
    return array;
}

void adapt_begin(struct adapt *a, uint32_t flow,
                 const struct adapt_route *route)
{
    a->taken =
        grown(a->taken, (size_t)flow + 1, &a->taken_room, sizeof *a->taken);
    struct taken *t = &a->taken[flow];
    assert(t->n == 0);
    for (size_t i = 1; i + 1 < route->n; i++) {
        uint32_t link = route->links[i];
        a->flows =
            grown(a->flows, (size_t)link + 1, &a->flows_room, sizeof *a->flows);
        a->flows[link]++;
        t->links[t->n++] = link;
    }
}

void adapt_end(struct adapt *a, uint32_t flow)
{
    if (flow >= a->taken_room)
        return;
    struct taken *t = &a->taken[flow];
    for (uint32_t i = 0; i < t->n; i++)
        a->flows[t->links[i]]--;
    t->n = 0;
}
