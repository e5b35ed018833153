/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * match.h - which receive takes which message, as MPI says (MPI 4.0, 3.5): by
 * receiver, source, tag and communicator, with wildcards; messages of one pair
 * of ranks do not overtake each other; of several receives that fit, the one
 * posted first; of several messages that fit, the one that arrived first.
 *
 * Queues are found by hashing (receiver, source, tag), wildcards included, so a
 * match costs the same however much is waiting.
 */
#ifndef SIM_TRANSPORT_MATCH_H
#define SIM_TRANSPORT_MATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ANY_RANK UINT32_MAX
#define ANY_TAG UINT32_MAX
#define MATCH_NONE UINT32_MAX

struct envelope {
    uint32_t dst, src, tag; /* a receive's src and tag may be ANY_ */
    uint32_t context;       /* only within one: MPI's communicators */
};

struct match;

/* For operations numbered below nops, among ranks below `ranks`. */
struct match *match_new(uint32_t ranks, size_t nops);
void match_free(struct match *m);

/* Called for every receive with a wildcard before the first message arrives:
 * who has none need not look for any. */
void match_announce(struct match *m, struct envelope recv);

/* A message is sent: its place in the order of its pair is taken. */
void match_send(struct match *m, uint32_t send, struct envelope e);

/*
 * A sent message is there; the tag and context of e are not looked at.
 * found(arg, send, recv) tells of each match that follows: its own, and those
 * of messages of its pair that arrived early and waited for it. recv is
 * MATCH_NONE for a message that no posted receive fits.
 */
void match_arrive(struct match *m, uint32_t send, struct envelope e,
                  void (*found)(void *arg, uint32_t send, uint32_t recv),
                  void *arg);

/* Tag and context of a message that was sent. */
void match_complete(const struct match *m, uint32_t send, struct envelope *e);

/* A receive is posted: the message that it takes, or MATCH_NONE and it waits.
 */
uint32_t match_post(struct match *m, uint32_t recv, struct envelope e);

/* The message that a receive would take which was posted now, and which stays
 * there, or MATCH_NONE. Probes are announced as receives are. */
uint32_t match_peek(struct match *m, struct envelope probe);
/* A receive of these may take such a message. */
static inline bool match_fits(struct envelope recv, struct envelope message)
{
    return recv.dst == message.dst && recv.context == message.context &&
           (recv.src == ANY_RANK || recv.src == message.src) &&
           (recv.tag == ANY_TAG || recv.tag == message.tag);
}

/*
 * Counts from now on what a runtime would look at that keeps two lists for each
 * rank and communicator, of posted receives and of messages that none fits, and
 * searches them from their beginning: match_walked() says how many entries that
 * were for a message and its receive, at the arrival of the one and the posting
 * of the other. Wildcards of a receive count once.
 */
void match_count_walks(struct match *m);
uint32_t match_walked(const struct match *m, uint32_t send, uint32_t recv);

#endif
