/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queues.h - the lengths of the queues of message matching when a trace was
 * made, rebuilt without a model of a machine (as Klenk et al. 2017, section
 * IV): the unexpected message queue (UMQ) and the posted receive queue (PRQ),
 * one of each for every rank and communicator.
 *
 * A message arrives when its send begins, and a receive is posted when it
 * begins, in the order of order.h. If a message matches a posted receive, that
 * leaves the PRQ; else the message enters the UMQ. If a receive matches a
 * message in the UMQ, that leaves it; else the receive enters the PRQ.
 * sim/transport/match.h defines which match. Sends are complete at once, and
 * collectives send no messages here, because no trace has the messages that a
 * library sends within them.
 */
#ifndef WORKLOADS_TRACE_QUEUES_H
#define WORKLOADS_TRACE_QUEUES_H

#include "workloads/trace/trace.h"

struct queue_length {
    uint64_t now;  /* entries that are left at the end of the trace */
    uint64_t most; /* the largest length */
    /* Searches through the queue (receives search the UMQ, messages the PRQ):
     * their number, and the sum of the lengths that they found. */
    uint64_t searches, sum;
};

static inline double queue_mean(const struct queue_length *q)
{
    return q->searches ? (double)q->sum / (double)q->searches : 0;
}

/* The counts of one rank, within one communicator or over all of its own. */
struct queue_counts {
    uint32_t rank, context;
    struct queue_length umq, prq;
    uint64_t messages; /* received by the rank */
    uint64_t receives;
    uint64_t unexpected;        /* messages that found no posted receive */
    uint64_t any_rank, any_tag; /* receives with this wildcard */
    /* Entries that searches compared, from the first of a list to the match,
     * for messages and receives that found each other. */
    uint64_t looked_at;
};

struct rank_queues {
    /* Sums over its communicators; for lengths, the largest. */
    struct queue_counts all;
    uint32_t peers;    /* ranks to or from which it has messages */
    uint32_t tags;     /* distinct tags of its sends and receives */
    uint32_t contexts; /* communicators of its sends and receives */
    /* Number of the messages to it that have the most frequent pair of source
     * and tag. */
    uint64_t most_frequent;
};

struct trace_queues {
    uint32_t ranks;
    struct rank_queues *rank;
    /* One for each rank and communicator, in the order of first use. */
    struct queue_counts *queues;
    size_t nqueues;
    uint64_t tags;     /* distinct tags of all ranks */
    uint64_t contexts; /* communicators with messages */
    /* Receives that stay in the PRQ until they are cancelled. */
    uint64_t cancelled;
    uint64_t forced; /* see order.h */
    /* Sends and receives whose peers are not known (comms.h); only their tags
     * and wildcards are counted. */
    uint64_t unknown;
    /* Ranks without events. If there are any, only peers, tags and wildcards
     * are counted, because lengths need all messages. */
    uint32_t missing;
};

/* Reads the trace twice. It needs 27 bytes of memory for each operation, and
 * some 50 for each different (receiver, source, tag). On -1 there is nothing to
 * clear. */
int trace_queues(struct trace_queues *q, struct trace *t,
                 struct err *err) MUST_CHECK;
void trace_queues_clear(struct trace_queues *q);

#endif
