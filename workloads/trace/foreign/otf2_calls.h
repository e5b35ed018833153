/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * otf2_calls.h - the records of one location of an OTF2 archive, combined into
 * events. The record of a posted receive does not have its peer, but the record
 * of its completion has. Events therefore wait in a queue until they are known;
 * its length is the number of events between an MPI_Irecv and its wait.
 */
#ifndef WORKLOADS_TRACE_FOREIGN_OTF2_CALLS_H
#define WORKLOADS_TRACE_FOREIGN_OTF2_CALLS_H

#include "workloads/trace/foreign/otf2_defs.h"
#include "workloads/trace/trace.h"

/* Facts that had to be left out or assumed, which are counted. */
enum otf2_remark {
    OTF2_OPEN_RECEIVES,
    OTF2_CANCELLED_RECEIVES,
    OTF2_LATE_RECEIVES,
    OTF2_SENDS_WITHOUT_REQUEST,
    OTF2_UNEVEN,
    OTF2_STRANGE_COMMS,
    OTF2_GROUP_SYNCS,
    OTF2_LOCKS,
    OTF2_PAUSES,
    OTF2_UNKNOWN_RECORDS,
    OTF2_NREMARKS
};

struct otf2_item {
    struct trace_event e;
    uint64_t one;   /* a list of one request */
    uint64_t *list; /* a list of several requests; owned */
    bool open;      /* its fields are not known yet */
    bool dropped;
};

/* A receive or collective that is not complete. */
struct otf2_pending {
    /* item: its number, counted from the rank's first. */
    uint64_t request, item;
};

struct otf2_list {
    uint64_t *values;
    size_t n, room;
};

struct otf2_queue {
    const struct trace *trace;
    const struct otf2_defs *defs;
    uint32_t rank;
    struct otf2_item *items;
    size_t head, n, room; /* items[head..n) wait */
    uint64_t passed;      /* number of items before items[0] */
    uint64_t *taken;      /* list of the event that was returned last */
    struct otf2_pending *pending;
    size_t pending_head, npending, pending_room;
    /* The call in which the rank is. */
    unsigned depth;
    enum otf2_call call;
    const char *name;
    double begin_s;
    uint64_t first;     /* number of its first item */
    uint64_t place;     /* place of its first record */
    unsigned nblocking; /* sends and receives without a request */
    bool tested, flush;
    uint32_t flush_comm;
    struct otf2_list done; /* requests that completed in it */
    /* Requests that were given to sends that have none. */
    struct otf2_list unnamed;
    uint64_t next_request;
    double last_s;
    bool *known;   /* communicators for which an event was pushed */
    uint32_t self; /* the rank, as the member of its MPI_COMM_SELF */
    uint64_t remarks[OTF2_NREMARKS];
    struct err *err; /* set while records are read */
    bool failed;
};

/* Initialises the queue of a rank, which borrows the trace and its
 * definitions. */
void otf2_queue_init(struct otf2_queue *q, const struct trace *trace,
                     const struct otf2_defs *defs, uint32_t rank);
void otf2_queue_clear(struct otf2_queue *q);

/* Returns callbacks whose user data is a queue; NULL if there is no memory. */
OTF2_EvtReaderCallbacks *otf2_event_callbacks(void);

/* Ends the queue: no more records come. */
void otf2_queue_end(struct otf2_queue *q);

/* Returns the first event if it is known; it is valid until the next call.
 * Returns false if there is none yet. */
bool otf2_queue_take(struct otf2_queue *q, struct trace_event *e);

#endif
