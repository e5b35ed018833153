/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stats.h - the contents of a trace, counted in one reading: calls, messages,
 * peers, sizes, tags, wildcards, collectives, communicators. Memory grows with
 * the ranks, their peers and their tags, not with the events.
 *
 * A call is counted once, even if its reader made several events of it (as for
 * MPI_Sendrecv): consecutive events with one name and place are one call.
 */
#ifndef WORKLOADS_TRACE_STATS_H
#define WORKLOADS_TRACE_STATS_H

#include "workloads/trace/comms.h"

enum { TRACE_SIZES = 65 }; /* [0]: 0 bytes; [i]: from 2^(i-1) to below 2^i */

/* The calls of one name. */
struct trace_name {
    char *name;
    uint32_t as; /* bits of enum trace_call as which it was read */
    uint64_t calls;
    double time_s; /* between begin and end if there are clocks */
};

/* The name of a kind of event: "send", "receive", ... */
extern const char *const trace_call_names[NTRACE_CALLS];

/* The counts of one rank. */
struct trace_rank_stats {
    uint64_t events, calls;
    uint64_t sends, send_bytes; /* not to MPI_PROC_NULL */
    uint64_t recvs, collectives;
    uint64_t peers; /* ranks to which it sends or from which it receives */
    double begin_s, end_s;        /* NAN if there is no clock */
    double in_calls_s, compute_s; /* compute_s without a clock: sum of work_s */
    double flops;                 /* sum over computes without seconds */
    uint64_t begun, waited;       /* requests */
    uint64_t unresolved;          /* receives whose sender is unknown */
    /* Number of messages to it with the most frequent pair of source and tag,
     * and number of all messages to it. Messages of a missing sender are
     * counted as received. */
    uint64_t top_tuple, messages_to;
    bool finalized;
};

struct trace_tag {
    uint32_t tag;
    uint64_t messages;
};

struct trace_wildcards {
    uint64_t source, tag, both; /* a receive counts in one of them */
};

struct trace_collective_stats {
    uint64_t calls;       /* one per member */
    uint64_t operations;  /* one per first member; 0 if no member is known */
    uint64_t bytes;       /* sum of the members' contributions */
    uint32_t least, most; /* members of its communicators; 0 if not known */
    double time_s;
};

struct trace_comm_stats {
    uint64_t messages, bytes, collectives; /* calls of its members */
};

struct trace_stats {
    const struct trace *trace; /* borrowed */
    uint32_t missing;          /* ranks without events */
    uint64_t events, of[NTRACE_CALLS];
    struct trace_rank_stats *rank;
    struct trace_name *names; /* sorted by calls, the most first */
    size_t nnames;
    uint64_t messages, bytes; /* two-sided sends only */
    uint64_t synchronous, in_gpu, blocking_sends, blocking_recvs;
    uint64_t sizes[TRACE_SIZES], size_bytes[TRACE_SIZES];
    uint64_t largest, smallest; /* bytes of a message */
    /* Pairs of a sender and a receiver that have messages; if the sender is
     * missing, its messages are known from the receiver. */
    uint64_t pairs;
    /* Pairs of which one sends more than the other receives, and by how much:
     * surplus of sends, of receives. A pair is left out if the receiver has
     * receives whose sender is unknown. */
    uint64_t odd_pairs, unreceived, unsent;
    struct trace_tag *tags; /* tags of sends; the most frequent first */
    size_t ntags;
    struct trace_wildcards recvs, probes;
    struct trace_collective_stats collectives[NTRACE_COLLECTIVES];
    struct trace_comms *comms;
    struct trace_comm_stats *comm; /* indexed by number of the communicator */
    uint64_t puts, put_bytes, gets, get_bytes;
    /* Number of events whose communicators are not in the trace, and a message
     * about the first of them, owned. */
    uint64_t unknown_comm;
    char *unknown_comm_first;
    bool has_clock;
};

/* Reads all events of a trace from the present position of each rank. The trace
 * must live as long as the result. On -1 there is nothing to clear. */
int trace_stats_read(struct trace_stats *s, struct trace *t,
                     struct err *err) MUST_CHECK;
void trace_stats_clear(struct trace_stats *s);

/* The least, mean and largest value over the ranks that are not missing. */
struct trace_range {
    double least, mean, most;
};
struct trace_range
trace_stats_range(const struct trace_stats *s,
                  double (*of)(const struct trace_rank_stats *));

/* Returns the least size that sizes[i] counts. */
uint64_t trace_size_from(int i);

#endif
