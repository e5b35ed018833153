/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace.h - what the ranks of an application did, in the words of one format or
 * another: for each rank a sequence of events, read one after the other, so
 * that memory does not grow with the trace. A format is one file here and one
 * line in list.def; nothing else names it.
 *
 * A reader says what calls mean, not what they were: MPI_Sendrecv is a send, a
 * receive and a wait for both, MPI_Start of a persistent request a send or a
 * receive, MPI_Waitany a wait for what it returned, MPI_Test a wait when it
 * said yes and else TRACE_POLL. Every event keeps the call's own name.
 */
#ifndef WORKLOADS_TRACE_TRACE_H
#define WORKLOADS_TRACE_TRACE_H

#include "base/err.h"
#include "sim/transport/match.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trace_call {
    TRACE_COMPUTE,    /* work_s, or work_flops, or between two clocks */
    TRACE_SEND,       /* begins a send */
    TRACE_RECV,       /* posts a receive; peer, tag perhaps ANY_ (match.h) */
    TRACE_PROBE,      /* until such a message is there, which stays there */
    TRACE_WAIT,       /* until its requests are complete */
    TRACE_POLL,       /* looked, and nothing was there: takes no time */
    TRACE_COLLECTIVE, /* of all members of comm */
    TRACE_COMM,       /* made a communicator; see `how` */
    TRACE_PUT,        /* one-sided, to peer */
    TRACE_GET,        /* one-sided, from peer */
    TRACE_FLUSH,      /* until its puts and gets (to peer, or ANY_RANK: to all)
                         are complete */
    TRACE_CANCEL,     /* its request will not be served */
    TRACE_INIT,
    TRACE_FINALIZE,
    TRACE_OTHER,   /* known, and without a meaning for time: MPI_Comm_rank */
    TRACE_UNKNOWN, /* not understood: counted by name */
    NTRACE_CALLS
};

enum trace_collective {
    TRACE_BARRIER,
    TRACE_BROADCAST,
    TRACE_REDUCE,
    TRACE_ALLREDUCE,
    TRACE_GATHER,
    TRACE_SCATTER,
    TRACE_ALLGATHER,
    TRACE_ALLTOALL,
    TRACE_REDUCE_SCATTER,
    TRACE_SCAN,
    TRACE_EXSCAN,
    NTRACE_COLLECTIVES
};
extern const char *const trace_collective_names[NTRACE_COLLECTIVES];

/* How a communicator was made. */
enum trace_how {
    TRACE_DUP,     /* like comm; a collective of its members */
    TRACE_SPLIT,   /* of comm by colour and key, likewise */
    TRACE_MEMBERS, /* of these ranks of comm, likewise (MPI_Comm_create) */
    TRACE_KNOWN,   /* of these ranks of the world: the trace says so, and it
                      costs nothing */
};

#define TRACE_WORLD 0u           /* the communicator of all ranks */
#define NO_PEER (UINT32_MAX - 1) /* MPI_PROC_NULL: complete at once */
#define NO_REQUEST UINT64_MAX
#define NO_COMM UINT32_MAX /* of a split with MPI_UNDEFINED */

/* One thing that a rank did. Lists belong to the reader and last until the
 * rank's next event. What an event does not have is 0, or as trace_event_new()
 * says. */
struct trace_event {
    uint8_t call;       /* enum trace_call */
    uint8_t collective; /* enum trace_collective */
    uint8_t how;        /* enum trace_how */
    /* A send, receive, collective: the rank goes on when it is complete. */
    bool blocks;
    bool synchronous; /* a send: complete only when it is received */
    bool in_gpu;      /* the memory is a GPU's */
    /*
     * Not in the order of its rank: begins when the requests in its list are
     * complete, and those after them (nstarted) have begun, and its own request
     * is complete at its end. For formats that are graphs.
     */
    bool free;
    /* The graph's: which of a rank's units it occupies (GOAL's cpu, a stream);
     * 0: the first. */
    uint8_t lane;
    uint32_t comm;     /* the rank's own number of it; TRACE_WORLD */
    uint32_t new_comm; /* TRACE_COMM: the number that it gives, or NO_COMM */
    uint32_t color, key;
    uint32_t peer; /* rank in comm; of a rooted collective: the root */
    uint32_t tag;
    /* Of a receive with wildcards, a probe: what it got, where that is known;
     * else ANY_. */
    uint32_t got_peer, got_tag;
    /* Of a message; of a receive, that it has room for. Of a collective, what
     * the rank brings to (and gets from) each member: all of a broadcast,
     * reduction or scan. */
    uint64_t bytes, recv_bytes;
    /* Collectives whose members have different counts: bytes to, and from, each
     * member, ncounts of each; NULL: equal. */
    const uint64_t *counts, *recv_counts;
    size_t ncounts;
    uint64_t request; /* that it begins; NO_REQUEST. A rank may use a number
                         again when it has waited for it. */
    /* That it waits for; of TRACE_CANCEL: the one. */
    const uint64_t *requests;
    size_t nrequests, nstarted;
    const uint32_t *members; /* of TRACE_MEMBERS, TRACE_KNOWN */
    size_t nmembers;
    double work_s;     /* TRACE_COMPUTE; NAN: see flops */
    double work_flops; /* TRACE_COMPUTE, where nobody knows seconds */
    /* On the trace's clock; NAN: it has none. Between the end of one event and
     * the beginning of the next the rank computes. */
    double begin_s, end_s;
    const char *name; /* "MPI_Isend", of static life or of the trace's */
    uint64_t place;   /* line, or offset in bytes, in the rank's file */
};

/* No peer, tag, request or clock. */
extern const struct trace_event trace_event_blank;

static inline struct trace_event trace_event_new(enum trace_call call)
{
    struct trace_event e = trace_event_blank;

    e.call = (uint8_t)call;
    return e;
}

/* The same in place, which is quicker. */
static inline void trace_event_set(struct trace_event *e, enum trace_call call)
{
    *e = trace_event_blank;
    e->call = (uint8_t)call;
}

/* What is known of a rank without reading its events. */
struct trace_rank {
    const char *file;  /* its events are in; the trace's */
    bool missing;      /* there is none */
    bool places_lines; /* `place` is a line, not an offset */
};

struct trace {
    const struct trace_format *format;
    char *path;
    uint32_t ranks;
    struct trace_rank *rank; /* of each */
    bool has_clock;          /* events have times */
    bool has_flops;          /* computes are in flops */
    bool ranks_are_gpus;     /* each is one that has a GPU of its own */
    /* What a reader had to leave out or take for granted, a sentence each,
     * owned: said by `sluice show trace`. */
    char **remarks;
    size_t nremarks;
    void *state; /* the format's */
};

struct trace_format {
    const char *name;    /* "dumpi" */
    const char *summary; /* one line for `sluice list formats` */
    const char *files;   /* which file of several is named */
    /* Does it look like one? head: its first bytes, unpacked, at most
     * TRACE_HEAD_B; of a folder none. */
    bool (*is)(const char *path, const char *head, size_t head_B);
    /* Finds the ranks: ranks, rank, has_clock, state. After an error close() is
     * called all the same. */
    int (*open)(struct trace *t, struct err *err);
    /* The next event of a rank that is there: 1, at its end 0, or -1. Ranks may
     * be read in any order, each at its own pace. */
    int (*next)(struct trace *t, uint32_t rank, struct trace_event *e,
                struct err *err);
    /* From its first event again. */
    int (*rewind)(struct trace *t, uint32_t rank, struct err *err);
    void (*close)(struct trace *t);
};
#define TRACE_HEAD_B 4096

#define TRACE_FORMAT(x) extern const struct trace_format x##_format;
#include "workloads/trace/list.def"
#undef TRACE_FORMAT

extern const struct trace_format *const trace_formats[];
extern const size_t ntrace_formats;

/* words: "PATH", or "FORMAT:PATH" where its kind cannot be seen in it. A file
 * of no known kind is an error that lists the kinds. */
int trace_open(struct trace *t, const char *words, struct err *err) MUST_CHECK;
void trace_close(struct trace *t);

/* See struct trace_format. */
int trace_next(struct trace *t, uint32_t rank, struct trace_event *e,
               struct err *err) MUST_CHECK;
int trace_rewind(struct trace *t, uint32_t rank, struct err *err) MUST_CHECK;

/* For formats: so many ranks, none missing, in no file yet. */
void trace_set_ranks(struct trace *t, uint32_t ranks);
void trace_remark(struct trace *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* -1 and an error at this event of the rank: "FILE:LINE: rank R: ..." or
 * "FILE: byte OFFSET: rank R: ...". */
int trace_fail(const struct trace *t, uint32_t rank,
               const struct trace_event *e, struct err *err, const char *format,
               ...) __attribute__((format(printf, 5, 6)));

#endif
