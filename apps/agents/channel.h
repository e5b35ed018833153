/* SPDX-License-Identifier: GPL-3.0-or-later */
/* channel.h - the updates of an outbox for one other GPU, and their transfers.
 * Only outbox.c and channel.c include it. */
#ifndef APPS_AGENTS_CHANNEL_H
#define APPS_AGENTS_CHANNEL_H

#include "apps/agents/outbox.h"

/* The updates from one GPU to another. Transfers are in order: updates that are
 * found while one is in flight wait, and are sent together. */
struct channel {
    struct outbox *from;
    uint32_t to;
    bool flowing;
    bool fresh;         /* updates were added since the last flush */
    struct updates out; /* found, and not sent yet */
    size_t counted;     /* updates of `out` that are counted as under way */
    /* Updates of `out` that are counted as held by the aggregator. */
    size_t gathered;
    bool expected; /* the observer counts the updates as coming */
    /* For the aggregator, between nodes: the time at which `out` is sent even
     * if it does not fill a batch. */
    double deadline_s;
    bool waiting;   /* a timer for deadline_s is set */
    bool calling;   /* round a ring: the CPU is about to send */
    uint32_t going; /* parcels that the next GPU has not accepted */
    /* Time at which the next GPU has accepted all parcels so far. */
    double taken_s;
};

/* A deadline of the aggregator: at `s` it sends the updates of c. */
struct due {
    struct channel *c;
    double s;
};

/* Returns the outbox's channel to GPU `to`, which it makes if there is none. */
struct channel *channel_to(struct outbox *b, uint32_t to);
static inline void channel_add(struct channel *c, struct update u)
{
    updates_add(&c->out, u);
    c->from->crowded += c->out.n == c->from->most + 1;
}
/* Keeps the count of crowded channels; called before `out` is emptied. */
void channel_empties(const struct channel *c);

/* Tells the observer that updates are coming to the receiver. */
void channel_expect(struct channel *c);
/* Sends the updates of the channel: now, or once they fill a batch, or once the
 * transfer before them has left. */
void channel_send(struct channel *c);
/* Frees the parcels of a run that has ended early. */
void channel_drop_parcels(struct outbox *b);

#endif
