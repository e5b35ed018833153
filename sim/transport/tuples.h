/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tuples.h - how many messages, or receives, of one receiver, source, tag and
 * communicator are under way. */
#ifndef SIM_TRANSPORT_TUPLES_H
#define SIM_TRANSPORT_TUPLES_H

#include "sim/transport/match.h"

#include <stdbool.h>

struct tuple {
    struct envelope e;
    bool receives;
    uint32_t n;    /* 0: there is none */
    uint32_t last; /* the operation that came last */
};

/* All 0: empty. */
struct tuples {
    struct tuple *list; /* open addressing */
    uint64_t size, used;
};

/* One more; of the same before it, the last one is *before, which is MATCH_NONE
 * where there are none. Returns how many there are now. */
uint32_t tuples_add(struct tuples *t, struct envelope e, bool receives,
                    uint32_t op, uint32_t *before);
/* One less; returns how many there were. */
uint32_t tuples_drop(struct tuples *t, struct envelope e, bool receives);
void tuples_clear(struct tuples *t);

#endif
