/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * match.h - which receive takes which message, by the rules of MPI (MPI 4.0,
 * 3.5): by receiver, source, tag and communicator, with wildcards. Messages of
 * one pair of ranks do not overtake each other. If several receives fit, the
 * one posted first takes the message; if several messages fit, the receive
 * takes the one that arrived first.
 *
 * Queues are found by hashing (receiver, source, tag), wildcards included, so
 * that the cost of a match does not grow with the number of operations that
 * wait.
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
    uint32_t dst, src, tag; /* a receive may have ANY_RANK and ANY_TAG */
    /* MPI's communicator; both ends must have the same. */
    uint32_t context;
};

struct match;

/* Makes the matching of operations numbered below nops, among ranks below
 * `ranks`. The caller frees it with match_free(). */
struct match *match_new(uint32_t ranks, size_t nops);
void match_free(struct match *m);

/* Announces a receive with wildcards. All of these are announced before the
 * first message arrives, because a rank without wildcards searches fewer
 * queues. */
void match_announce(struct match *m, struct envelope recv);

/* Sends a message, which takes its place in the order of its pair of ranks. */
void match_send(struct match *m, uint32_t send, struct envelope e);

/*
 * Delivers a message that was sent; the tag and context of e are ignored. Calls
 * found(arg, send, recv) for the match of the message, and for those of
 * messages of its pair that arrived early and waited for it. If no posted
 * receive fits a message, recv is MATCH_NONE.
 */
void match_arrive(struct match *m, uint32_t send, struct envelope e,
                  void (*found)(void *arg, uint32_t send, uint32_t recv),
                  void *arg);

/* Fills in the tag and the context of a message that was sent. */
void match_complete(const struct match *m, uint32_t send, struct envelope *e);

/* Posts a receive. Returns the message that it takes, or MATCH_NONE if it
 * waits. */
uint32_t match_post(struct match *m, uint32_t recv, struct envelope e);

/* Returns the message that a receive posted now would take, and leaves it
 * there, or MATCH_NONE. Probes are announced as receives are. */
uint32_t match_peek(struct match *m, struct envelope probe);
/* Returns whether a receive of these wildcards may take the message. */
static inline bool match_fits(struct envelope recv, struct envelope message)
{
    return recv.dst == message.dst && recv.context == message.context &&
           (recv.src == ANY_RANK || recv.src == message.src) &&
           (recv.tag == ANY_TAG || recv.tag == message.tag);
}

/*
 * Starts to count the entries at which a runtime would look if it kept two
 * lists for each rank and communicator, of posted receives and of unexpected
 * messages, and searched them from their beginning. match_walked() returns
 * their number for a message and its receive: at the arrival of the one plus at
 * the posting of the other. If a receive has wildcards, it is still one entry.
 */
void match_count_walks(struct match *m);
uint32_t match_walked(const struct match *m, uint32_t send, uint32_t recv);

#endif
