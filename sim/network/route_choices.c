/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the rails of flows from their NICs, and counts the flows of nodes if
 * their routes depend on that. */
#include "sim/network/route_choices.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

void route_choices_init(struct route_choices *t, const struct machine *m,
                        const struct node_routes *node_routes, unsigned nodes)
{
    *t =
        (struct route_choices){.m = m,
                               .node_routes = node_routes,
                               .nodes = nodes,
                               .endpoints = node_routes_endpoints(node_routes)};
    net_routes_init(&t->net, &m->network, nodes);
    if (m->network.routing != ROUTING_MINIMAL)
        t->started = xcalloc(nodes, sizeof *t->started);
}

void route_choices_clear(struct route_choices *t)
{
    free(t->started);
}

void route_choices_forget(struct route_choices *t)
{
    if (t->started)
        memset(t->started, 0, t->nodes * sizeof *t->started);
}

static struct route_choice choice_of(const struct route_choices *t,
                                     uint32_t from, uint32_t to, int *nic)
{
    const struct network *n = &t->m->network;
    struct route_choice choice = {from / t->endpoints, to / t->endpoints, 0, 0,
                                  0};

    if (!n->rails)
        return choice;
    unsigned out = node_routes_nic(t->node_routes, from % t->endpoints, *nic);
    if (!n->joined)
        *nic = (int)out;
    unsigned in = node_routes_nic(t->node_routes, to % t->endpoints, *nic);
    choice.from_rail = out % n->rails;
    choice.to_rail = in % n->rails;
    return choice;
}

struct route_choice route_choices_next(struct route_choices *t, uint32_t from,
                                       uint32_t to, int *nic)
{
    struct route_choice choice = choice_of(t, from, to, nic);

    if (t->started)
        choice.draw = ++t->started[choice.from];
    return choice;
}

double route_choices_latency_s(const struct route_choices *t, uint32_t from,
                               uint32_t to, int nic)
{
    double hop_s = t->m->network.hop_s;

    if (!(hop_s > 0) || from / t->endpoints == to / t->endpoints)
        return 0;
    struct route_choice choice = choice_of(t, from, to, &nic);
    if (t->m->network.routing == ROUTING_VALIANT)
        choice.draw = 1;
    return hop_s * (double)(net_routes_find(&t->net, &choice, NULL, 0) - 1);
}
