/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roles.h - which ranks carry the messages between nodes.
 *
 * A role follows places, not numbers. The ranks of a node are put into an order
 * by what the GPUs near them exchange with other nodes: first the socket, and
 * on it the GPU, that receives most more than it sends; last the one that sends
 * most more than it receives. Where this is equal, what receives more is
 * before, and then the order is that of numbers. It is the numbering of local
 * ranks of line 18 of Algorithm 1 (Lockhart et al. 2022): receives are dealt
 * from local rank 0 on, sends from the last one back, each in descending order
 * of size. Equal messages are dealt by the places of their values (line 18
 * leaves it open), and then by how many nodes their ends are apart. */
#ifndef STRATEGIES_EXCHANGE_ROLES_H
#define STRATEGIES_EXCHANGE_ROLES_H

#include "strategies/exchange/exchange.h"

struct roles {
    uint32_t *order; /* the ranks of node k, from k * ranks_per_node on */
    uint32_t *place; /* of each rank: where it is in its node's order */
    uint32_t *n;     /* ranks of each node that take roles */
};

/* Orders all ranks, or only the host processes of GPUs, by the parcels that
 * leave their node; and sets the places of all parcels. */
void roles_order(struct roles *r, struct exchange *x, bool hosts_only);
void roles_clear(struct roles *r);

/* Chooses the sender and the receiver of each message between nodes, and sends
 * the parcels to the one and from there to the other. A message has the parcels
 * of one part, which are neighbours; parts are numbered from 0. */
void roles_send(const struct roles *r, struct exchange *x);

#endif
