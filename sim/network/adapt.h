/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * adapt.h - adaptive routing: of the minimal way and a drawn one over a third
 * group the one that promises more as a flow starts (UGAL: Singh, Load-Balanced
 * Routing in Interconnection Networks, 2005; of dragonflies: Kim et al. 2008).
 *
 * UGAL takes the minimal way when q_m h_m <= q_d h_d: packets that wait, times
 * hops. Nothing waits in queues here, so q is how many flows a link has, over
 * its bandwidth: UGAL-L looks at the first link between switches, which the
 * sender's switch sees; UGAL-G at the worst of all links between switches, as
 * if a switch knew them all (Kim et al.: those of the group to other groups).
 */
#ifndef SIM_NETWORK_ADAPT_H
#define SIM_NETWORK_ADAPT_H

#include "platforms/machine.h"

#include <stddef.h>
#include <stdint.h>

/* The most links of a way between two nodes. */
enum { ADAPT_MOST = 16 };

struct adapt;

/* NULL where the routing does not adapt. */
struct adapt *adapt_new(enum routing routing);
void adapt_free(struct adapt *a); /* NULL: nothing */

/* Links in order, by number, and their bandwidths; the first and the last are
 * those of the nodes. */
struct adapt_way {
    uint32_t links[ADAPT_MOST];
    double Bps[ADAPT_MOST];
    size_t n;
};
/* Whether the drawn way is the better one. */
bool adapt_detours(const struct adapt *a, const struct adapt_way *minimal,
                   const struct adapt_way *drawn);
/* A flow of that number is on a way, until it ends. */
void adapt_begin(struct adapt *a, uint32_t flow, const struct adapt_way *way);
void adapt_end(struct adapt *a, uint32_t flow);

#endif
