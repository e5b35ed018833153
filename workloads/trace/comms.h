/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * comms.h - the communicators of a trace: which communicator a rank's own
 * number denotes, and which rank of the world is, for example, rank 5 in it.
 * The TRACE_COMM events may be added in any order among ranks, because the k-th
 * creation that a rank makes of a communicator belongs to the k-th of its other
 * members (MPI 4.0, 7.4: all members call in the same order).
 *
 * A duplicate, and a communicator whose members are listed, can be used as soon
 * as its rank has made it. A split can be used once all members of the parent
 * have come, because only then are its ranks known. TRACE_KNOWN is one
 * communicator for all ranks that name the same members and the same `key`: if
 * a trace has several communicators of equal members, it must give them
 * different keys, such as its own global numbers.
 *
 * Colours are those of ranks that get a communicator (others have new_comm
 * NO_COMM); keys are compared as signed numbers.
 *
 * If ranks are missing in the trace, the members of a split are not known. In
 * that case it has no members, and its peers are UNKNOWN_PEER.
 */
#ifndef WORKLOADS_TRACE_COMMS_H
#define WORKLOADS_TRACE_COMMS_H

#include "workloads/trace/trace.h"

#define UNKNOWN_PEER (UINT32_MAX - 2)

/* One communicator. It and its members live as long as the trace_comms. */
struct trace_comm {
    uint32_t number; /* among all of the trace; TRACE_WORLD for the world */
    uint32_t parent; /* number of the parent; the world for TRACE_KNOWN */
    uint8_t how;     /* enum trace_how; TRACE_KNOWN for the world */
    uint32_t n;      /* number of members; 0 if they are not known */
    /* Ranks of the world, by rank in the communicator. */
    const uint32_t *members;
};

struct trace_membership {
    const struct trace_comm *comm;
    /* The rank's own rank in it; UNKNOWN_PEER if it is not in the list or the
     * members are not known. */
    uint32_t me;
};

struct trace_comms;

/* Returns the communicators of a trace, at first the world alone; the caller
 * frees them. They borrow the trace, whose number of ranks must be known. */
struct trace_comms *trace_comms_new(const struct trace *t);
void trace_comms_free(struct trace_comms *c);

/*
 * Adds a TRACE_COMM event of a rank. Returns 1 if all members of the parent
 * have come now (always for TRACE_KNOWN), 0 if others are still to come, and -1
 * if ranks disagree: one splits a communicator that others duplicate, or lists
 * other members. If the rank used (and freed) the number before, it denotes the
 * new communicator from here on.
 */
int trace_comms_add(struct trace_comms *c, uint32_t rank,
                    const struct trace_event *e, struct err *err) MUST_CHECK;

/* Finds the communicator of an event (e->comm) for its rank. Returns 1 if it is
 * found, 0 if it is a split to which other ranks have not come yet, -1 if the
 * rank has no communicator of this number. */
int trace_comms_find(const struct trace_comms *c, uint32_t rank,
                     const struct trace_event *e, struct trace_membership *m,
                     struct err *err) MUST_CHECK;

/* Converts a peer, or root, of an event to a rank of the world; ANY_RANK and
 * NO_PEER stay as they are. Returns -1 if it is not a rank of the
 * communicator. */
int trace_comms_peer(const struct trace_comms *c, uint32_t rank,
                     const struct trace_event *e,
                     const struct trace_membership *m, uint32_t peer,
                     uint32_t *world, struct err *err) MUST_CHECK;

/* trace_comms_n() returns the number of communicators, the world (number 0)
 * included; trace_comms_get() returns the one with a number below that. */
uint32_t trace_comms_n(const struct trace_comms *c);
const struct trace_comm *trace_comms_get(const struct trace_comms *c,
                                         uint32_t number);

#endif
