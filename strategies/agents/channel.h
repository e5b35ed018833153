/* SPDX-License-Identifier: GPL-3.0-or-later */
/* channel.h - what an outbox has for one other GPU, and how that goes: of
 * outbox.c and channel.c alone. */
#ifndef STRATEGIES_AGENTS_CHANNEL_H
#define STRATEGIES_AGENTS_CHANNEL_H

#include "strategies/agents/outbox.h"

/* From one GPU to another. Bytes go in order: while some flow, what is found
 * meanwhile waits, and goes together. */
struct channel {
    struct outbox *from;
    uint32_t to;
    bool flowing;
    bool fresh;         /* updates were added since the last flush */
    struct updates out; /* found, and not yet sent */
    size_t counted;     /* of these, as under way */
    size_t gathered;    /* of these, as held by the aggregator */
    bool expected;      /* the observer has them as coming */
    /* The aggregator's, between nodes: by when what `out` holds is sent, though
     * it fills no batch. */
    double deadline_s;
    bool waiting;   /* a timer is set for it */
    bool calling;   /* round a ring: the CPU is about to send */
    uint32_t going; /* parcels that the next GPU has not taken in */
    double taken_s; /* and by when the next GPU has taken in what was sent */
};

/* By when the aggregator sends. */
struct due {
    struct channel *c;
    double s;
};

/* The outbox's channel to this GPU, made if there is none. */
struct channel *channel_to(struct outbox *b, uint32_t to);
void channel_add(struct channel *c, struct update u);
/* Before its updates are taken out. */
void channel_empties(const struct channel *c);

/* Who receives its updates knows that they are coming. */
void channel_expect(struct channel *c);
/* They go now, or when there is a batch, or what goes before has gone. */
void channel_send(struct channel *c);
/* Those of a run that has ended early. */
void channel_drop_parcels(struct outbox *b);

#endif
