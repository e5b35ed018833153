/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chakra_order.h - the nodes of a rank in an order in which each comes after
 * those that it depends on. A node that stands in the file before them waits.
 */
#ifndef WORKLOADS_TRACE_FOREIGN_CHAKRA_ORDER_H
#define WORKLOADS_TRACE_FOREIGN_CHAKRA_ORDER_H

#include "workloads/trace/foreign/chakra.h"

struct chakra_slot {
    uint64_t id;
    /* CHAKRA_GIVEN; else 1 + the first of the nodes that wait for it; 0 */
    uint32_t state;
    bool sends; /* a node that sends, and was given */
    bool used;
    bool there; /* in the file, given or waiting */
};
#define CHAKRA_GIVEN UINT32_MAX

struct chakra_waiting {
    struct chakra_node node;
    uint32_t next; /* 1 + the next that waits for the same (of one that is not
                      used: that is not used); 0 */
    bool used;
};

struct chakra_order {
    struct chakra_slot *slots;
    size_t nslots, used;
    struct chakra_waiting *waiting;
    size_t nwaiting, room;
    uint32_t spare;  /* 1 + the first that is not used; 0 */
    uint32_t *ready; /* of waiting: may be given now */
    size_t nready, ready_room;
    uint64_t absent; /* dependencies on nodes that are not in the file */
};

void chakra_order_clear(struct chakra_order *o);

/* A node of the file, which is taken over (and left empty): 1, its id was there
 * before: 0. */
int chakra_order_add(struct chakra_order *o, struct chakra_node *n);
/* A node all of whose dependencies were given: it is now. */
bool chakra_order_take(struct chakra_order *o, struct chakra_node *n);
/* There are no more: what nodes depend on that is not in the file is taken as
 * complete. */
void chakra_order_end(struct chakra_order *o);
/* A node that waits still; NULL: none does. */
const struct chakra_node *chakra_order_rest(const struct chakra_order *o);

#endif
