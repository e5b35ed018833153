/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * adapt.h - adaptive routing: as a flow starts, it takes either the minimal
 * route or a drawn route over a third group: the one with fewer flows per
 * bandwidth, times hops, and the minimal one if they are equal (UGAL: Singh,
 * Load-Balanced Routing in Interconnection Networks, 2005; for dragonflies: Kim
 * et al., Technology-Driven, Highly-Scalable Dragonfly Topology, 2008).
 *
 * UGAL takes the minimal route if q_m h_m <= q_d h_d: waiting packets times
 * hops. No packets wait here, so q is the number of flows on a link over its
 * bandwidth. UGAL-L uses the first link between switches, because the sender's
 * switch sees that one; UGAL-G uses the worst of all links between switches, as
 * if a switch knew them all (Kim et al.: those of the group to other groups).
 */
#ifndef SIM_NETWORK_ADAPT_H
#define SIM_NETWORK_ADAPT_H

#include "platforms/machine.h"

#include <stddef.h>
#include <stdint.h>

/* The largest number of links of a route between two nodes. */
enum { ADAPT_MOST = 16 };

struct adapt;

/* Returns NULL if the routing is not adaptive. */
struct adapt *adapt_new(enum routing routing);
void adapt_free(struct adapt *a); /* does nothing for NULL */

/* A route: its links in order, by number, and their bandwidths. The first and
 * the last link are those of the nodes. */
struct adapt_route {
    uint32_t links[ADAPT_MOST];
    double Bps[ADAPT_MOST];
    size_t n;
};
/* Returns whether the drawn route is the better one. */
bool adapt_detours(const struct adapt *a, const struct adapt_route *minimal,
                   const struct adapt_route *drawn);
/* Record that the flow of this number is on a route, and that it has ended. */
void adapt_begin(struct adapt *a, uint32_t flow,
                 const struct adapt_route *route);
void adapt_end(struct adapt *a, uint32_t flow);

#endif
