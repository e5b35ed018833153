/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * match_queues.h - the queues of messages and receives of each rank and
 * communicator, their lengths, and the engines that search them.
 *
 * match.h decides at once which message a receive takes. Here a pair that an
 * engine of a GPU has to find waits for the end of a pass that began when both
 * were there: a pass takes all pairs that are in the two queues, and later ones
 * wait for the next pass. Messages without a receive, and receives without a
 * message, stay in the queues, and each pass looks at them again, because the
 * kernels do. There is one engine for each rank and communicator.
 */
#ifndef SIM_TRANSPORT_MATCH_QUEUES_H
#define SIM_TRANSPORT_MATCH_QUEUES_H

#include "sim/network/engine.h"
#include "sim/transport/match.h"
#include "sim/transport/matching.h"

/* The length of a queue: now, at most, and summed over the searches through it
 * (messages search the PRQ, receives the UMQ). */
struct match_length {
    uint32_t now, most;
    uint64_t searches, sum;
};

/* The counts of one rank in one communicator. */
struct match_counts {
    uint32_t rank, context;
    struct match_length umq, prq; /* unexpected messages, posted receives */
    /* The next fields are 0 if the rank has no engine. */
    uint64_t passes; /* passes that searched */
    double busy_s;
    uint32_t most_waiting; /* most pairs that one pass found */
};

/* An operation that the machine's matching refuses, because it breaks a rule.
 */
struct match_broken {
    bool is_broken;
    enum forbidden rule;
    uint32_t op; /* a message or a receive */
    /* If rule is FORBID_EQUAL: the operation with an equal envelope. */
    uint32_t other;
};

/* The callback for pairs that an engine found. */
struct match_listener {
    void *user;
    void (*matched)(void *user, uint32_t send, uint32_t recv);
};

struct match_queues;

/* Makes the queues of operations numbered below nops, among ranks below
 * `ranks`. Borrows l and the engine; the caller frees the queues. */
struct match_queues *match_queues_new(const struct matching *l,
                                      struct engine *engine, uint32_t ranks,
                                      size_t nops,
                                      struct match_listener listener);
void match_queues_free(struct match_queues *q);

/* Adds a message at the moment when it is sent (match_send()). */
void match_queues_sent(struct match_queues *q, uint32_t send,
                       struct envelope e);
/* Add a delivered message, or a posted receive, with the operation that match.h
 * found for it, or MATCH_NONE. Return true if an engine has to find the pair,
 * false if it is found already or if there is none. */
bool match_queues_arrival(struct match_queues *q, uint32_t send, uint32_t recv,
                          struct envelope e); /* of the message */
bool match_queues_posting(struct match_queues *q, uint32_t recv, uint32_t send,
                          struct envelope e); /* of the receive */

/* Returns the first operation that broke a rule, if any. */
struct match_broken match_queues_broken(const struct match_queues *q);
/* Returns the counts of all ranks and communicators that had messages or
 * receives, sorted by rank and communicator. The caller frees the array. */
struct match_counts *match_queues_counts(const struct match_queues *q,
                                         size_t *n);

#endif
