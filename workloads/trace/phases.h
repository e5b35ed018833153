/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * phases.h - the halo-like phases of a trace: messages between several ranks
 * that none of them waits for before all have begun. A batch is one rank's
 * part: it begins sends and receives of known peers that do not block, and
 * nothing else, and then waits for all of them, by one wait or by several. A
 * send that blocks counts as begun among them if it is not the first: a rank
 * that waits for it waits for the buffer, not for what others do after their
 * batches. A phase is a batch of each of some ranks, such that every message
 * that begins in it ends in it. So its messages can be brought in any other
 * way, as long as a rank begins when it has begun its batch, and goes on from
 * its first wait when it has all that it gets: as far as nobody who takes part
 * depends, within the phase, on what he does after it. That is so if the trace
 * can be carried out with every phase taken as a barrier of its ranks; phases
 * that it cannot be with are none.
 */
#ifndef WORKLOADS_TRACE_PHASES_H
#define WORKLOADS_TRACE_PHASES_H

#include "workloads/trace/trace.h"

/* All that one rank sends another in a phase; to itself as well. */
struct phase_volume {
    uint32_t src, dst;
    uint32_t messages; /* the trace's that it stands for */
    uint32_t empty;    /* those of no bytes */
    uint64_t bytes;
};

struct trace_phase {
    uint32_t *ranks; /* that take part, rising */
    uint32_t nranks;
    struct phase_volume *volumes; /* by src, then dst */
    size_t nvolumes;
    uint64_t messages, bytes; /* the trace's */
    bool in_gpu;              /* all are in GPU memory */
};

/*
 * A rank's part of a phase; events are counted from 0 as trace_next() gives
 * them. The sends and receives among first ... begin, and the waits among wait
 * ... end, are the phase's; there is no other communication between them.
 */
struct trace_batch {
    uint32_t phase;
    uint64_t first, begin; /* the first and the last that begin */
    uint64_t wait, end;    /* the first and the last wait for them */
};

/* Why a batch is in no phase. */
enum no_phase {
    IN_PHASE,
    LONE_MESSAGE, /* nothing can be sent together with it */
    OTHER_END, /* its messages are not in a batch on the other side, or not in
                  the trace */
    WITH_WILDCARD, /* a receive from anyone, or a probe, may see its messages */
    MIXED_MEMORY,  /* a GPU's, and the host's */
    TOO_LONG,      /* a message is longer than its receive */
    SEVERAL,       /* a rank has several batches with the same others */
    IN_CIRCLE,     /* see above */
    NNO_PHASE
};
extern const char *const no_phase_names[NNO_PHASE];

struct trace_phases {
    struct trace_phase *phases;
    uint32_t n, ranks;
    struct trace_batch *batches;    /* all ranks', in order */
    size_t *first_batch;            /* each rank's, and the next one's */
    uint64_t messages, bytes;       /* all that are sent in the trace */
    uint64_t in_messages, in_bytes; /* in phases */
    size_t left[NNO_PHASE];         /* batches by why they are in none */
};

/* Reads the trace from its beginning, and leaves it there. On -1 there is
 * nothing to clear. Of a trace that is a graph there are none. */
int trace_phases_find(struct trace_phases *p, struct trace *t,
                      struct err *err) MUST_CHECK;
void trace_phases_clear(struct trace_phases *p);

#endif
