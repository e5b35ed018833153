/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * match_queues.h - the queues of messages and receives of each rank and
 * communicator, how long they were, and the engines that work on them.
 *
 * match.h says who is matched with whom, at once. Here a pair that an engine of
 * a GPU has to find waits until a pass of that engine is over that began when
 * both were there: a pass takes all that is in the two queues, and what comes
 * meanwhile is the next one's. Messages that wait for a receive, and receives
 * that wait for a message, stay in the queues, and each pass looks at them
 * again, as the kernels do. There is one engine for each rank and communicator.
 */
#ifndef SIM_TRANSPORT_MATCH_QUEUES_H
#define SIM_TRANSPORT_MATCH_QUEUES_H

#include "sim/network/engine.h"
#include "sim/transport/match.h"
#include "sim/transport/matching.h"

/* A queue's length: the longest ever, and as the searches through it found it
 * (messages the PRQ, receives the UMQ). */
struct match_length {
    uint32_t now, most;
    uint64_t searches, sum;
};

/* Of a rank in one communicator. */
struct match_counts {
    uint32_t rank, context;
    struct match_length umq, prq; /* unexpected messages, posted receives */
    /* Of an engine of its own: */
    uint64_t passes; /* in which it searched */
    double busy_s;
    uint32_t most_waiting; /* pairs that one pass found */
};

/* What is refused: the operation that breaks the rule. */
struct match_broken {
    bool is_broken;
    enum forbidden rule;
    uint32_t op;    /* a message or a receive */
    uint32_t other; /* FORBID_EQUAL: the one that is like it */
};

/* How the owner hears of pairs that an engine found. */
struct match_listener {
    void *user;
    void (*matched)(void *user, uint32_t send, uint32_t recv);
};

struct match_queues;

/* For operations numbered below nops, among ranks below `ranks`; borrows the
 * law and the engine. */
struct match_queues *match_queues_new(const struct matching *l,
                                      struct engine *engine, uint32_t ranks,
                                      size_t nops,
                                      struct match_listener listener);
void match_queues_free(struct match_queues *q);

/* A message is sent (match_send()). */
void match_queues_sent(struct match_queues *q, uint32_t send,
                       struct envelope e);
/* What match.h says of a message that is delivered, or of a receive that is
 * posted: the other one, or MATCH_NONE. true: an engine is to find the pair;
 * else it is found, or there is none. */
bool match_queues_arrival(struct match_queues *q, uint32_t send, uint32_t recv,
                          struct envelope e); /* the message's */
bool match_queues_posting(struct match_queues *q, uint32_t recv, uint32_t send,
                          struct envelope e); /* the receive's */

/* The first rule that was broken. */
struct match_broken match_queues_broken(const struct match_queues *q);
/* Of all ranks and communicators that had messages or receives, in order of
 * these; the caller frees. */
struct match_counts *match_queues_counts(const struct match_queues *q,
                                         size_t *n);

#endif
