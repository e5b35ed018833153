/* SPDX-License-Identifier: GPL-3.0-or-later */
/* envelopes.h - a hash table of the envelopes of messages and receives that are
 * under way: two numbers for each. */
#ifndef SIM_TRANSPORT_ENVELOPES_H
#define SIM_TRANSPORT_ENVELOPES_H

#include "sim/transport/match.h"

struct envelope_entry {
    struct envelope key;
    bool receives; /* it is of receives, part of the key */
    /* The operations with this envelope, as many as the owner counts, or the
     * first of a queue, plus 1; 0 if the entry is not used. */
    uint32_t n;
    uint32_t last; /* the operation that was added last */
};

/* An empty table is all 0. */
struct envelopes {
    struct envelope_entry *list; /* open addressing */
    uint64_t size, used;         /* size: 0 or a power of 2 */
};

/* Returns NULL if the key is not in the table. */
struct envelope_entry *envelopes_find(const struct envelopes *t,
                                      struct envelope key, bool receives);
/* Returns the key's entry; if it is new, its n is 0 until the caller sets it,
 * as it must before the next call. */
struct envelope_entry *envelopes_want(struct envelopes *t, struct envelope key,
                                      bool receives);
/* Removes an entry whose n has become 0; others may move. */
void envelopes_drop(struct envelopes *t, struct envelope_entry *gone);
void envelopes_clear(struct envelopes *t);

#endif
