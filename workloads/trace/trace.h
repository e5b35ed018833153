/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace.h - the calls of the ranks of an application, in any format: a sequence
 * of events for each rank, which are read one after the other so that memory
 * does not grow with the trace. A format is one file here and one line in
 * list.def; no other file names it.
 *
 * A reader translates calls into their meaning: MPI_Sendrecv becomes a send, a
 * receive and a wait for both, MPI_Start of a persistent request a send or a
 * receive, MPI_Waitany a wait for the request that it returned, and MPI_Test a
 * wait if it succeeded, else TRACE_POLL. Every event keeps the name of the
 * call.
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
    TRACE_COMPUTE, /* for work_s or work_flops, or between two clocks */
    TRACE_SEND,    /* begins a send */
    TRACE_RECV,  /* posts a receive; peer and tag may be wildcards (match.h) */
    TRACE_PROBE, /* waits for a message, which stays unreceived */
    TRACE_WAIT,  /* waits until its requests are complete */
    TRACE_POLL,  /* a test without success, which takes no time */
    TRACE_COLLECTIVE, /* a collective of all members of comm */
    TRACE_COMM,       /* makes a communicator, as `how` says */
    TRACE_PUT,        /* one-sided, to peer */
    TRACE_GET,        /* one-sided, from peer */
    /* Waits for its puts and gets to peer to complete, or to all if that is
     * ANY_RANK. */
    TRACE_FLUSH,
    TRACE_CANCEL, /* cancels its request */
    TRACE_INIT,
    TRACE_FINALIZE,
    TRACE_OTHER,   /* known, without effect on time: MPI_Comm_rank */
    TRACE_UNKNOWN, /* not understood; counted by name */
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

/* The way in which a communicator was made. */
enum trace_how {
    TRACE_DUP,     /* a duplicate of comm; a collective of its members */
    TRACE_SPLIT,   /* a split of comm by colour and key; a collective, too */
    TRACE_MEMBERS, /* these ranks of comm; a collective (MPI_Comm_create) */
    /* These ranks of the world; the trace has the members, so no call is
     * simulated. */
    TRACE_KNOWN,
};

#define TRACE_WORLD 0u           /* the communicator of all ranks */
#define NO_PEER (UINT32_MAX - 1) /* MPI_PROC_NULL: complete at once */
#define NO_REQUEST UINT64_MAX
#define NO_COMM UINT32_MAX /* result of a split with MPI_UNDEFINED */

/* One call of a rank. Lists belong to the reader and are valid until the rank's
 * next event. A field that an event does not need is 0, or has the value of
 * trace_event_blank. */
struct trace_event {
    uint8_t call;       /* enum trace_call */
    uint8_t collective; /* enum trace_collective */
    uint8_t how;        /* enum trace_how */
    /* For a send, receive or collective: the rank continues when it is
     * complete. */
    bool blocks;
    bool synchronous; /* a send that is complete only when it is received */
    bool in_gpu;      /* its buffer is in GPU memory */
    /*
     * The event is not in the order of its rank. It begins when the requests in
     * its list are complete and the nstarted requests after them have begun,
     * and its own request is complete at its end. This is for formats that are
     * graphs.
     */
    bool free;
    /* For graphs: the unit of the rank that it occupies (GOAL's cpu, a stream);
     * 0 is the first. */
    uint8_t lane;
    uint32_t comm;     /* the rank's own number; TRACE_WORLD */
    uint32_t new_comm; /* number that TRACE_COMM gives, or NO_COMM */
    uint32_t color, key;
    uint32_t peer; /* rank in comm; the root of a rooted collective */
    uint32_t tag;
    /* For a receive with wildcards or a probe: the peer and tag of its message
     * if they are known, else ANY_RANK and ANY_TAG. */
    uint32_t got_peer, got_tag;
    /* For a message, its size; for a receive, the size of its buffer. For a
     * collective, the bytes that the rank sends to (and receives from) each
     * member: the whole vector of a broadcast, reduction or scan. */
    uint64_t bytes, recv_bytes;
    /* For collectives whose members have different counts: bytes to, and from,
     * each member, ncounts of each; NULL if the counts are equal. */
    const uint64_t *counts, *recv_counts;
    size_t ncounts;
    /* The request that it begins, or NO_REQUEST. A rank may reuse a number
     * after it has waited for it. */
    uint64_t request;
    /* The requests for which it waits; for TRACE_CANCEL, the request that it
     * cancels. */
    const uint64_t *requests;
    size_t nrequests, nstarted;
    const uint32_t *members; /* for TRACE_MEMBERS and TRACE_KNOWN */
    size_t nmembers;
    double work_s;     /* for TRACE_COMPUTE; NAN if only flops are known */
    double work_flops; /* for TRACE_COMPUTE if seconds are unknown */
    /* Times on the trace's clock; NAN if it has none. The rank computes between
     * the end of one event and the beginning of the next. */
    double begin_s, end_s;
    const char *name; /* "MPI_Isend"; static, or owned by the trace */
    uint64_t place;   /* line, or offset in bytes, in the rank's file */
};

/* An event without peer, tag, request or clock. */
extern const struct trace_event trace_event_blank;

static inline struct trace_event trace_event_new(enum trace_call call)
{
    struct trace_event e = trace_event_blank;

    e.call = (uint8_t)call;
    return e;
}

/* Makes *e a new event in place, which is faster than trace_event_new(). */
static inline void trace_event_set(struct trace_event *e, enum trace_call call)
{
    *e = trace_event_blank;
    e->call = (uint8_t)call;
}

/* The facts about a rank that are known without reading its events. */
struct trace_rank {
    const char *file;  /* file of its events; owned by the trace */
    bool missing;      /* it has no events */
    bool places_lines; /* `place` is a line, not an offset */
};

struct trace {
    const struct trace_format *format;
    char *path;
    uint32_t ranks;
    struct trace_rank *rank; /* one per rank */
    bool has_clock;          /* events have times */
    bool has_flops;          /* computes are in flops */
    bool ranks_are_gpus;     /* each rank has a GPU of its own */
    /* Remarks about facts that a reader had to leave out or assume, one
     * sentence each, owned; `sluice show trace` prints them. */
    char **remarks;
    size_t nremarks;
    void *state; /* state of the format */
};

struct trace_format {
    const char *name;    /* "dumpi" */
    const char *summary; /* one line for `sluice list formats` */
    const char *files;   /* the file to name if there are several */
    /* Returns whether a file looks like one of this format. head has its first
     * bytes, unpacked, at most TRACE_HEAD_B; a folder has none. */
    bool (*is)(const char *path, const char *head, size_t head_B);
    /* Finds the ranks, and sets ranks, rank, has_clock and state. close() is
     * called even after an error. */
    int (*open)(struct trace *t, struct err *err);
    /* Reads the next event of a rank that is not missing. Returns 1, 0 at the
     * end, or -1. Ranks may be read in any order, each at its own pace. */
    int (*next)(struct trace *t, uint32_t rank, struct trace_event *e,
                struct err *err);
    /* Moves a rank back to its first event. */
    int (*rewind)(struct trace *t, uint32_t rank, struct err *err);
    void (*close)(struct trace *t);
};
#define TRACE_HEAD_B 4096

#define TRACE_FORMAT(x) extern const struct trace_format x##_format;
#include "workloads/trace/list.def"
#undef TRACE_FORMAT

extern const struct trace_format *const trace_formats[];
extern const size_t ntrace_formats;

/* Opens a trace. The words are "PATH", or "FORMAT:PATH" if the format cannot be
 * recognised. A file of no known format is an error that lists the formats.
 * After an error there is nothing to close. */
int trace_open(struct trace *t, const char *words, struct err *err) MUST_CHECK;
void trace_close(struct trace *t);

/* See struct trace_format. */
int trace_next(struct trace *t, uint32_t rank, struct trace_event *e,
               struct err *err) MUST_CHECK;
int trace_rewind(struct trace *t, uint32_t rank, struct err *err) MUST_CHECK;

/* Sets the number of ranks, none of them missing, without files; for
 * formats. */
void trace_set_ranks(struct trace *t, uint32_t ranks);
/* Adds "N TEXT" to the trace, or renews it if *at has its number plus 1;
 * nothing if n is 0. For formats, which count while they read. */
void trace_remark_count(struct trace *t, size_t *at, uint64_t n,
                        const char *text);
/* Adds a remark to the trace; for formats. */
void trace_remark(struct trace *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Fails at this event of the rank, with "FILE:LINE: rank R: ..." or "FILE: byte
 * OFFSET: rank R: ...". Returns -1. */
int trace_fail(const struct trace *t, uint32_t rank,
               const struct trace_event *e, struct err *err, const char *format,
               ...) __attribute__((format(printf, 5, 6)));

#endif
