/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outbox.h - what one GPU sends to others: updates wait in a channel for each
 * GPU, are gathered into batches where an aggregator does so, and go. The only
 * file of the agents that moves bytes while they run asynchronously. */
#ifndef STRATEGIES_AGENTS_OUTBOX_H
#define STRATEGIES_AGENTS_OUTBOX_H

#include "strategies/agents/sparse.h"
#include "strategies/agents/update.h"

#include <stdbool.h>

struct engine;
struct execution;
struct fabric;
struct machine;
struct observer;
struct transfer_events;

/* What all GPUs of a run have in common. Borrowed for the run. */
struct outbox_setup {
    struct engine *engine;
    /* A process for each GPU, by the same numbers; its events are
     * outbox_events, its user is this. */
    struct fabric *fabric;
    const struct machine *m;
    const struct execution *x;
    struct observer *observer;
    uint32_t ngpus;
    /* Threads of a GPU that are resident at once: the most updates that it has
     * under way, since a thread waits for its own. */
    uint64_t threads;
    /* From when updates have arrived to when the GPU has taken them in. */
    double receive_s;
    double send_s; /* round a ring: what the CPU calls to send */

    void *arg; /* the calls' first */
    /* Before updates are sent: adds what has come up for them since they were
     * found. NULL: nothing can, each is of its own. */
    void (*pack)(void *arg, uint32_t from, struct updates *list);
    void (*deliver)(void *arg, uint32_t from, uint32_t to,
                    const struct updates *list);
    /* Something has arrived, or there is room: the GPU may begin to work. */
    void (*wake)(void *arg, uint32_t gpu);
};

struct outbox {
    const struct outbox_setup *setup;
    uint32_t gpu;
    /* To the GPUs that something was found for; their numbers by GPU. */
    struct channel **channels;
    uint32_t nchannels, room;
    struct sparse numbers;
    /* Those that updates were added to since the last flush. */
    struct channel **fresh;
    uint32_t nfresh;
    struct due *due; /* the aggregator's deadlines, from due_first on */
    size_t due_first, ndue, due_room;
    uint64_t most;          /* updates of a channel, without a stall */
    uint32_t crowded;       /* channels that have more */
    struct parcel *parcels; /* that are under way */
    uint64_t going;         /* parcels that no GPU has taken in */
    uint64_t under_way;     /* own stores that have not arrived yet */
};
extern const struct transfer_events outbox_events;

void outbox_init(struct outbox *b, const struct outbox_setup *setup,
                 uint32_t gpu);
void outbox_clear(struct outbox *b);

void outbox_add(struct outbox *b, uint32_t to, struct update u);
/* Sends what was added, now or when there is a batch of it. */
void outbox_flush(struct outbox *b);

/* For supersteps, which do not flush: for how many GPUs something waits; what
 * waits for the i-th of them, by number; and none of it waits any more. */
uint32_t outbox_to(struct outbox *b);
struct updates *outbox_waiting(struct outbox *b, uint32_t i, uint32_t *to);
void outbox_empty(struct outbox *b);
bool outbox_is_empty(const struct outbox *b);
/* And nothing that it sent is under way. */
bool outbox_is_quiet(const struct outbox *b);

/* The GPU's threads wait for their own stores, or for room to gather. */
bool outbox_is_stalled(const struct outbox *b);
/* For how many others, GPUs or nodes, it gathers updates. */
uint32_t outbox_destinations(const struct outbox *b);

#endif
