/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tuples.h - the number of messages, or receives, under way that have one
 * receiver, source, tag and communicator. */
#ifndef SIM_TRANSPORT_TUPLES_H
#define SIM_TRANSPORT_TUPLES_H

#include "sim/transport/match.h"

#include <stdbool.h>

struct tuple {
    struct envelope e;
    bool receives;
    uint32_t n;    /* 0 if the slot is empty */
    uint32_t last; /* the operation that was added last */
};

/* An empty table is all 0. */
struct tuples {
    struct tuple *list; /* hash table with open addressing */
    uint64_t size, used;
};

/* Adds an operation and returns how many equal ones there are now. Sets *before
 * to the last equal one before it, MATCH_NONE if there is none. */
uint32_t tuples_add(struct tuples *t, struct envelope e, bool receives,
                    uint32_t op, uint32_t *before);
/* Removes one operation and returns how many equal ones there were. */
uint32_t tuples_drop(struct tuples *t, struct envelope e, bool receives);
void tuples_clear(struct tuples *t);

#endif
