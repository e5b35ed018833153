/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outbox.h - the updates that one GPU sends to others: they wait in a channel
 * per GPU, are gathered into batches if there is an aggregator, and are sent.
 * No other file of the agents moves bytes while they run asynchronously. */
#ifndef APPS_AGENTS_OUTBOX_H
#define APPS_AGENTS_OUTBOX_H

#include "apps/agents/sparse.h"
#include "apps/agents/update.h"

#include <stdbool.h>

struct engine;
struct execution;
struct fabric;
struct machine;
struct observer;
struct transfer_events;

/* The part that all GPUs of a run share. It is borrowed for the run. */
struct outbox_setup {
    struct engine *engine;
    /* It has one process per GPU, with the same numbers; its events are
     * outbox_events, its user is this struct. */
    struct fabric *fabric;
    const struct machine *m;
    const struct execution *x;
    struct observer *observer;
    uint32_t ngpus;
    /* Threads of a GPU that are resident at once: the most updates that it can
     * have under way, because a thread waits for its own. */
    uint64_t threads;
    /* Seconds from the arrival of updates until the GPU has accepted them. */
    double receive_s;
    double send_s; /* round a ring: seconds of the CPU's calls that send */

    void *arg; /* the first argument of the calls */
    /* Adds to updates, just before they are sent, the shares that have
     * accumulated since they were found. NULL if none can, because each update
     * is independent. */
    void (*pack)(void *arg, uint32_t from, struct updates *list);
    void (*deliver)(void *arg, uint32_t from, uint32_t to,
                    const struct updates *list);
    /* Called after an arrival, or when there is room again, because the GPU may
     * then begin to work. */
    void (*wake)(void *arg, uint32_t gpu);
};

struct outbox {
    const struct outbox_setup *setup;
    uint32_t gpu;
    /* The channels to the GPUs for which updates were found; their numbers by
     * GPU. */
    struct channel **channels;
    uint32_t nchannels, room;
    struct sparse numbers;
    /* The channels that got updates since the last flush. */
    struct channel **fresh;
    uint32_t nfresh;
    struct due *due; /* the aggregator's deadlines, from due_first on */
    size_t due_first, ndue, due_room;
    uint64_t most;          /* most updates of a channel without a stall */
    uint32_t crowded;       /* channels with more than `most` updates */
    struct parcel *parcels; /* the parcels under way */
    uint64_t going;         /* parcels that no GPU has accepted yet */
    uint64_t under_way;     /* own stores that have not arrived yet */
};
extern const struct transfer_events outbox_events;

void outbox_init(struct outbox *b, const struct outbox_setup *setup,
                 uint32_t gpu);
void outbox_clear(struct outbox *b);

void outbox_add(struct outbox *b, uint32_t to, struct update u);
/* Adds an update of value 0 for each vertex of the list, to its owner. */
void outbox_add_all(struct outbox *b, const uint32_t *owner,
                    const uint32_t *list, size_t n);
/* Sends the updates that were added, now or once they fill a batch. */
void outbox_flush(struct outbox *b);

/* For supersteps, which do not flush: outbox_to() returns the number of GPUs
 * for which updates wait; outbox_waiting() the updates for the i-th of them, by
 * number; outbox_empty() drops them all. */
uint32_t outbox_to(struct outbox *b);
struct updates *outbox_waiting(struct outbox *b, uint32_t i, uint32_t *to);
void outbox_empty(struct outbox *b);
bool outbox_is_empty(const struct outbox *b);
/* Returns whether it is empty and nothing that it sent is under way. */
bool outbox_is_quiet(const struct outbox *b);

/* Returns whether the GPU's threads wait for their own stores, or for room to
 * gather. */
bool outbox_is_stalled(const struct outbox *b);
/* Returns for how many destinations, GPUs or nodes, it gathers updates. */
uint32_t outbox_destinations(const struct outbox *b);

#endif
