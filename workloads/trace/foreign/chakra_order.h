/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chakra_order.h - the nodes of a rank in an order in which each comes after
 * its dependencies. A node waits if it is in the file before them. */
#ifndef WORKLOADS_TRACE_FOREIGN_CHAKRA_ORDER_H
#define WORKLOADS_TRACE_FOREIGN_CHAKRA_ORDER_H

#include "workloads/trace/foreign/chakra.h"

struct chakra_slot {
    uint64_t id;
    /* CHAKRA_GIVEN if it was returned; else the first of the nodes that wait
     * for it, plus 1, or 0. */
    uint32_t state;
    bool sends; /* it sends, and was returned */
    bool used;
    bool there; /* it is in the file, returned or waiting */
};
#define CHAKRA_GIVEN UINT32_MAX

struct chakra_waiting {
    struct chakra_node node;
    /* The next node that waits for the same one, plus 1, or 0; for a free
     * entry, the next free entry. */
    uint32_t next;
    bool used;
};

struct chakra_order {
    struct chakra_slot *slots;
    size_t nslots, used;
    struct chakra_waiting *waiting;
    size_t nwaiting, room;
    uint32_t spare;  /* first free entry plus 1, or 0 */
    uint32_t *ready; /* entries of `waiting` that may be returned now */
    size_t nready, ready_room;
    uint64_t absent; /* dependencies on nodes that are not in the file */
};

void chakra_order_clear(struct chakra_order *o);

/* Adds a node of the file; takes over its contents and leaves it empty. Returns
 * 1, or 0 if its id was there before. */
int chakra_order_add(struct chakra_order *o, struct chakra_node *n);
/* Returns a node whose dependencies were all returned; false if there is
 * none. */
bool chakra_order_take(struct chakra_order *o, struct chakra_node *n);
/* Ends the file: dependencies on nodes that are not in the file count as
 * complete. */
void chakra_order_end(struct chakra_order *o);
/* Returns a node that still waits; NULL if none does. */
const struct chakra_node *chakra_order_rest(const struct chakra_order *o);

#endif
