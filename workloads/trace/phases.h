/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * phases.h - the phases of a trace that resemble a halo exchange: messages
 * between several ranks, where no rank waits before all its messages have
 * begun.
 *
 * A batch is one rank's part. It begins sends and receives of known peers that
 * do not block, and nothing else, and then waits for all of them, by one wait
 * or by several. A send that blocks counts as begun among them if it is not the
 * first, because a rank that waits for it waits for the buffer, not for
 * operations that others begin after their batches.
 *
 * A phase is a set of batches of different ranks such that every message that
 * begins in it ends in it. Its messages can therefore be sent by any other
 * algorithm, as long as a rank starts when it has begun its batch, and
 * continues after its first wait when it has received everything. That is right
 * only if no member depends, within the phase, on what another does after it.
 * It holds if the trace can be carried out with every phase as a barrier of its
 * ranks; a phase with which that is impossible is given up.
 */
#ifndef WORKLOADS_TRACE_PHASES_H
#define WORKLOADS_TRACE_PHASES_H

#include "workloads/trace/trace.h"

/* The messages that one rank sends to another, or to itself, in a phase. */
struct phase_volume {
    uint32_t src, dst;
    uint32_t messages; /* number of messages of the trace */
    uint32_t empty;    /* number of those without bytes */
    uint64_t bytes;
};

struct trace_phase {
    uint32_t *ranks; /* the ranks that take part, in increasing order */
    uint32_t nranks;
    struct phase_volume *volumes; /* sorted by src, then dst */
    size_t nvolumes;
    uint64_t messages, bytes; /* as in the trace */
    bool in_gpu;              /* whether all memory is GPU memory */
};

/*
 * A rank's part of a phase. Events are counted from 0 in the order of
 * trace_next(). The sends and receives among first ... begin, and the waits
 * among wait ... end, belong to the phase; there is no other communication
 * between them.
 */
struct trace_batch {
    uint32_t phase;
    /* The first and the last event that begins a message. */
    uint64_t first, begin;
    uint64_t wait, end; /* the first and the last wait for them */
};

/* The reason why a batch is in no phase. */
enum no_phase {
    IN_PHASE,
    LONE_MESSAGE, /* there is no other message to send with it */
    OTHER_END, /* a message's other end is in no batch, or not in the trace */
    WITH_WILDCARD, /* a receive from anyone, or a probe, may see its messages */
    MIXED_MEMORY,  /* some messages are in GPU memory and some in host memory */
    TOO_LONG,      /* a message is longer than its receive */
    SEVERAL,       /* a rank has several batches in the group */
    IN_CIRCLE,     /* it cannot be a barrier, see above */
    NNO_PHASE
};
extern const char *const no_phase_names[NNO_PHASE];

struct trace_phases {
    struct trace_phase *phases;
    uint32_t n, ranks;
    struct trace_batch *batches;    /* batches of all ranks, in order */
    size_t *first_batch;            /* first of each rank; ranks + 1 of them */
    uint64_t messages, bytes;       /* sent in the whole trace */
    uint64_t in_messages, in_bytes; /* sent in phases */
    size_t left[NNO_PHASE];         /* batches by enum no_phase */
};

/* Reads the trace from its beginning, and rewinds it. A trace that is a graph
 * has no phases. On -1 there is nothing to clear. */
int trace_phases_find(struct trace_phases *p, struct trace *t,
                      struct err *err) MUST_CHECK;
void trace_phases_clear(struct trace_phases *p);

/* Returns the rank's place among the ranks of a phase that it takes part in. */
uint32_t trace_phase_member(const struct trace_phase *p, uint32_t rank);

#endif
