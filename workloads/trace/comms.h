/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * comms.h - the communicators of a trace: whom a rank's own number of one
 * stands for, and which rank of the world is rank 5 in it. Fed with the
 * TRACE_COMM events of the ranks, in any order among ranks: the k-th that a
 * rank makes of a communicator belongs to the k-th of its other members (MPI
 * 4.0, 7.4: all members call, in the same order).
 *
 * A duplicate, or one of members that are listed, can be used as soon as its
 * rank has made it; a split when all members of the parent have come, since
 * only then its ranks are known. TRACE_KNOWN is one communicator for all ranks
 * that name the same members and the same `key`: a trace with several of equal
 * members must give them different keys (its own global numbers, say).
 *
 * Colours are those of ranks that get one (others have new_comm NO_COMM); keys
 * are compared as signed numbers.
 *
 * Where ranks are missing in the trace, who is in a split is not known: then it
 * has no members, and its peers are UNKNOWN_PEER.
 */
#ifndef WORKLOADS_TRACE_COMMS_H
#define WORKLOADS_TRACE_COMMS_H

#include "workloads/trace/trace.h"

#define UNKNOWN_PEER (UINT32_MAX - 2)

/* Lasts as long as the communicators; so does what it points to. */
struct trace_comm {
    uint32_t number;         /* among all of the trace; TRACE_WORLD */
    uint32_t parent;         /* likewise; of TRACE_KNOWN the world */
    uint8_t how;             /* enum trace_how; the world TRACE_KNOWN */
    uint32_t n;              /* members; 0: not known */
    const uint32_t *members; /* ranks of the world, by their rank in it */
};

struct trace_membership {
    const struct trace_comm *comm;
    uint32_t me; /* the rank's rank in it, or UNKNOWN_PEER: not in the list, or
                    nobody knows */
};

struct trace_comms;

/* Borrows the trace, whose ranks must be known, while it lives. */
struct trace_comms *trace_comms_new(const struct trace *t);
void trace_comms_free(struct trace_comms *c);

/*
 * A rank made one: 1 when all members of the parent have come now (always for
 * TRACE_KNOWN), 0 while others are to come, and -1 where ranks disagree: one
 * splits what others duplicate, or lists other members. A number that the rank
 * used before (and freed) stands for the new one from here on.
 */
int trace_comms_add(struct trace_comms *c, uint32_t rank,
                    const struct trace_event *e, struct err *err) MUST_CHECK;

/* The communicator of an event (e->comm) for its rank: 1; 0: a split that other
 * ranks have not come to yet; -1: the rank has none of this number. */
int trace_comms_find(const struct trace_comms *c, uint32_t rank,
                     const struct trace_event *e, struct trace_membership *m,
                     struct err *err) MUST_CHECK;

/* A peer, or root, of an event as rank of the world. ANY_RANK and NO_PEER
 * remain. -1: not a rank of this communicator. */
int trace_comms_peer(const struct trace_comms *c, uint32_t rank,
                     const struct trace_event *e,
                     const struct trace_membership *m, uint32_t peer,
                     uint32_t *world, struct err *err) MUST_CHECK;

/* All that were made, the world first; numbers count from it. */
uint32_t trace_comms_n(const struct trace_comms *c);
const struct trace_comm *trace_comms_get(const struct trace_comms *c,
                                         uint32_t number);

#endif
