/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queues.h - how long the queues of message matching were when a trace was
 * made, rebuilt without a model of a machine (as Klenk et al. 2017, section
 * IV): the unexpected message queue (UMQ) of each rank and the posted receive
 * queue (PRQ), one of each in every communicator.
 *
 * A message arrives when its send begins, a receive is posted when it begins,
 * in the order of order.h. A message that a posted receive fits takes it out of
 * the PRQ; else it goes into the UMQ. A receive that a message in the UMQ fits
 * takes that out; else it goes into the PRQ. What fits is said by
 * sim/transport/match.h. Sends are complete at once, and collectives send
 * nothing here: what a library sends within them is in no trace.
 */
#ifndef WORKLOADS_TRACE_QUEUES_H
#define WORKLOADS_TRACE_QUEUES_H

#include "workloads/trace/trace.h"

struct queue_length {
    uint64_t now;  /* at the end of the trace: what is left */
    uint64_t most; /* ever */
    /* Of the searches through it, of a receive through the UMQ, of a message
     * through the PRQ: how many, and the sum of the lengths that they found. */
    uint64_t searches, sum;
};

static inline double queue_mean(const struct queue_length *q)
{
    return q->searches ? (double)q->sum / (double)q->searches : 0;
}

/* Of one rank within one communicator, or of all of its own. */
struct queue_counts {
    uint32_t rank, context;
    struct queue_length umq, prq;
    uint64_t messages; /* that came to it */
    uint64_t receives;
    uint64_t unexpected;        /* messages that found no receive */
    uint64_t any_rank, any_tag; /* receives with such a wildcard */
    /* Entries that searches looked at, from the first of a list to the one
     * found, or all; of messages and receives that found each other. */
    uint64_t looked_at;
};

struct rank_queues {
    /* Sums; lengths: the longest of its communicators. */
    struct queue_counts all;
    uint32_t peers;    /* ranks to or from which it has messages */
    uint32_t tags;     /* different ones, of what it sends and receives */
    uint32_t contexts; /* communicators in which it does */
    /* Of the messages to it: those with the most frequent (source, tag). */
    uint64_t most_frequent;
};

struct trace_queues {
    uint32_t ranks;
    struct rank_queues *rank;
    struct queue_counts *queues; /* of each rank and communicator, in the
                                    order in which they were used first */
    size_t nqueues;
    uint64_t tags;      /* different ones, of all ranks */
    uint64_t contexts;  /* communicators with messages */
    uint64_t cancelled; /* receives: in the PRQ until then, take no message */
    uint64_t forced;    /* see order.h */
    uint64_t unknown;   /* messages and receives whose peers are not known
                           (comms.h): their tags and wildcards count */
    uint32_t missing;   /* ranks: with any, no lengths, only who and how */
};

/* Reads the trace twice. Memory: 27 bytes an operation, and for each different
 * (receiver, source, tag) some 50. */
int trace_queues(struct trace_queues *q, struct trace *t,
                 struct err *err) MUST_CHECK;
void trace_queues_clear(struct trace_queues *q);

#endif
