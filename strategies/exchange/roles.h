/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * roles.h - the choice of the ranks that carry the messages between nodes.
 *
 * A role depends on the place of a rank, not on its number. The ranks of a node
 * are ordered by the values that the GPUs near them exchange with other nodes:
 * first the socket, and on it the GPU, that receives most more than it sends;
 * last the one that sends most more than it receives. If two are equal in that,
 * the one that receives more comes first, then the one nearer to those that
 * receive, then the one nearer to the middle, then the lower number. This order
 * takes the role of the local ranks in line 18 of Algorithm 1 (Lockhart et al.
 * 2022): receives are dealt from local rank 0 on, sends from the last one back,
 * each in descending order of size. Messages of equal size are dealt by the
 * places of their values (line 18 leaves that open), and then by the number of
 * nodes between their ends.
 */
#ifndef STRATEGIES_EXCHANGE_ROLES_H
#define STRATEGIES_EXCHANGE_ROLES_H

#include "strategies/exchange/exchange.h"

struct roles {
    uint32_t *order; /* node k's ranks begin at k * ranks_per_node */
    /* place[rank] is the rank's index in its node's order. */
    uint32_t *place;
    uint32_t *n; /* ranks of each node that take roles */
};

/* Orders all ranks, or only the host processes of GPUs, by the parcels that
 * leave their node, and sets the places of all parcels. roles_clear() frees the
 * order. */
void roles_order(struct roles *r, struct exchange *x, bool hosts_only);
void roles_clear(struct roles *r);

/* Chooses the sender and the receiver of each message between nodes, and sends
 * the parcels to the sender and from there to the receiver. A message has the
 * parcels of one part, which must be adjacent; parts are numbered from 0. */
void roles_send(const struct roles *r, struct exchange *x);

#endif
