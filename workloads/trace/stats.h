/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stats.h - what a trace holds, counted in one reading: calls, messages,
 * peers, sizes, tags, wildcards, collectives, communicators. Memory grows with
 * the ranks, their peers and their tags, not with the events.
 *
 * A call is counted once, though its reader may have made several events of it
 * (MPI_Sendrecv): those that follow each other with one name and place.
 */
#ifndef WORKLOADS_TRACE_STATS_H
#define WORKLOADS_TRACE_STATS_H

#include "workloads/trace/comms.h"

enum { TRACE_SIZES = 65 }; /* [0]: 0 bytes; [i]: from 2^(i-1) below 2^i */

/* Calls of one name. */
struct trace_name {
    char *name;
    uint32_t as; /* bits of enum trace_call: what it was read as */
    uint64_t calls;
    double time_s; /* between begin and end, where there are clocks */
};

/* "send", "receive", ...: what a kind of event is called. */
extern const char *const trace_call_names[NTRACE_CALLS];

/* What one rank did. */
struct trace_rank_stats {
    uint64_t events, calls;
    uint64_t sends, send_bytes; /* to a peer: not to MPI_PROC_NULL */
    uint64_t recvs, collectives;
    uint64_t peers;               /* that it sends to or receives from */
    double begin_s, end_s;        /* NAN: no clock */
    double in_calls_s, compute_s; /* without a clock: of computes */
    double flops;                 /* of computes without seconds */
    uint64_t begun, waited;       /* requests */
    uint64_t unresolved;          /* receives from nobody knows whom */
    /* Of the messages sent to it (of a rank that is missing: that it received),
     * those of the (source, tag) that most have. */
    uint64_t top_tuple, messages_to;
    bool finalized;
};

struct trace_tag {
    uint32_t tag;
    uint64_t messages;
};

struct trace_wildcards {
    uint64_t source, tag, both; /* each receive counts once */
};

struct trace_collective_stats {
    uint64_t calls;       /* of members */
    uint64_t operations;  /* by the first member; 0: it is in no known one */
    uint64_t bytes;       /* that members bring, in all */
    uint32_t least, most; /* members of its communicators; 0: not known */
    double time_s;
};

struct trace_comm_stats {
    uint64_t messages, bytes, collectives; /* by its members, calls */
};

struct trace_stats {
    const struct trace *trace; /* borrowed */
    uint32_t missing;          /* ranks without events */
    uint64_t events, of[NTRACE_CALLS];
    struct trace_rank_stats *rank;
    struct trace_name *names; /* those of most calls first */
    size_t nnames;
    uint64_t messages, bytes; /* sent; one-sided ones apart */
    uint64_t synchronous, in_gpu, blocking_sends, blocking_recvs;
    uint64_t sizes[TRACE_SIZES], size_bytes[TRACE_SIZES];
    uint64_t largest, smallest; /* bytes of a message */
    /* Of ranks, sender and receiver, that a message goes by; of a sender that
     * is missing: that the receiver says. */
    uint64_t pairs;
    /* Pairs of which one sends more than the other receives; messages more, and
     * receives more. Where senders of wildcards are not known, none. */
    uint64_t odd_pairs, unreceived, unsent;
    struct trace_tag *tags; /* of sends; the most frequent first */
    size_t ntags;
    struct trace_wildcards recvs, probes;
    struct trace_collective_stats collectives[NTRACE_COLLECTIVES];
    struct trace_comms *comms;
    struct trace_comm_stats *comm; /* of each */
    uint64_t puts, put_bytes, gets, get_bytes;
    /* Events of communicators that the trace does not say, and the first of
     * them, owned. */
    uint64_t unknown_comm;
    char *unknown_comm_first;
    bool has_clock;
};

/* Reads all events of a trace from where its ranks are. The trace must live as
 * long as the result. */
int trace_stats_read(struct trace_stats *s, struct trace *t,
                     struct err *err) MUST_CHECK;
void trace_stats_clear(struct trace_stats *s);

/* Over the ranks that are not missing. */
struct trace_range {
    double least, mean, most;
};
struct trace_range
trace_stats_range(const struct trace_stats *s,
                  double (*of)(const struct trace_rank_stats *));

/* The least size that sizes[i] counts. */
uint64_t trace_size_from(int i);

#endif
