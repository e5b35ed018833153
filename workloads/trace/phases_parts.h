/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phases_parts.h - declarations that the files of phases.c share: the steps of
 * each rank of a trace, without times. */
#ifndef WORKLOADS_TRACE_PHASES_PARTS_H
#define WORKLOADS_TRACE_PHASES_PARTS_H

#include "workloads/trace/phases.h"

#define NOT_ANY UINT32_MAX

/* One end of a message: its send, or its receive. */
struct half {
    uint32_t peer;    /* rank of the other end */
    uint32_t partner; /* the other end, in peer's halves; NOT_ANY if none */
    uint32_t channel; /* number of its sender, receiver, communicator and tag */
    uint32_t batch;   /* batch of its rank, or NOT_ANY */
    bool sends, matched, begun, in_gpu;
    uint64_t bytes;
};

/* The kinds of a rank's steps: it begins a half, waits for a half, or meets
 * other ranks. */
enum step_kind { STEP_BEGIN, STEP_WAIT, STEP_MEET };

struct step {
    uint32_t kind;
    uint32_t of; /* number of a half of the rank, or of a meeting */
};

struct batch {
    struct trace_batch is; /* `phase` is set last */
    uint32_t first_half, end_half;
    size_t first_step, end_step;
};

struct rank_steps {
    struct half *halves;
    struct step *steps;
    struct batch *batches;
    size_t nhalves, halves_room, nsteps, steps_room;
    uint32_t nbatches, batches_room;
};

/* A barrier: `wanted` ranks must come before one of them continues. */
struct meeting {
    uint32_t wanted, came;
    uint32_t last; /* the rank that came last, or NOT_ANY */
};

struct channel {
    uint32_t src, dst, comm, tag;
    /* List of halves that are not matched yet, all of one kind, linked by
     * `partner`; NOT_ANY. */
    uint32_t head, tail;
    bool sends;  /* whether these are sends */
    bool unsure; /* whether a wildcard may receive its messages */
};

struct trace_steps {
    struct rank_steps *rank;
    uint32_t ranks;
    struct channel *channels;
    size_t nchannels, channels_room;
    struct meeting *meetings;
    size_t nmeetings, meetings_room;
    uint64_t messages, bytes; /* sums over all sends */
    bool graph; /* whether events are not in the order of their ranks */
};

/* Reads the steps of all ranks. On -1 there is nothing to clear. */
int trace_steps_read(struct trace_steps *s, struct trace *t,
                     struct err *err) MUST_CHECK;
void trace_steps_clear(struct trace_steps *s);

/*
 * Carries out the steps, each rank as far as it can go. phase_of has the phase
 * of each batch, rank after rank, or NOT_ANY; phases are the meetings of their
 * ranks. If no rank can continue, the first phase in which a rank waits is
 * given up: given_up[phase] becomes true.
 */
void trace_steps_walk(struct trace_steps *s, const uint32_t *phase_of,
                      struct meeting *phases, bool *given_up);

/* A table of pairs of numbers with one value for each. */
struct pair_entry {
    uint64_t a, b;
    uint32_t value; /* NOT_ANY if the entry is free, or its pair was removed */
    bool used;
};
struct pairs {
    struct pair_entry *entries;
    size_t room, used;
};
/* Returns the value of a pair, or NOT_ANY. */
uint32_t pairs_get(const struct pairs *t, uint64_t a, uint64_t b);
/* Sets the value of a pair; NOT_ANY removes it. */
void pairs_set(struct pairs *t, uint64_t a, uint64_t b, uint32_t value);
void pairs_clear(struct pairs *t);

#endif
