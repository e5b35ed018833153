/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phases_parts.h - what the files of phases.c share: what each rank of a trace
 * does, without its times. */
#ifndef WORKLOADS_TRACE_PHASES_PARTS_H
#define WORKLOADS_TRACE_PHASES_PARTS_H

#include "workloads/trace/phases.h"

#define NOT_ANY UINT32_MAX

/* One end of a message: its send, or its receive. */
struct half {
    uint32_t peer;    /* whose rank has the other */
    uint32_t partner; /* the other, among those of peer; NOT_ANY: none */
    uint32_t channel; /* from whom to whom, by which tag and communicator */
    uint32_t batch;   /* of its rank; NOT_ANY */
    bool sends, matched, begun, in_gpu;
    uint64_t bytes;
};

/* What a rank does: begins a half, waits for one, meets others. */
enum step_kind { STEP_BEGIN, STEP_WAIT, STEP_MEET };

struct step {
    uint32_t kind;
    uint32_t of; /* a half of the rank; or a meeting */
};

struct batch {
    struct trace_batch is; /* phase: set last */
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

/* Ranks that all have to come before one goes on. */
struct meeting {
    uint32_t wanted, came;
    uint32_t last; /* of those that came; NOT_ANY */
};

struct channel {
    uint32_t src, dst, comm, tag;
    uint32_t head, tail; /* halves that are not matched yet, all of one kind,
                            linked by `partner`; NOT_ANY */
    bool sends;          /* they are */
    bool unsure;         /* a wildcard may take what it carries */
};

struct trace_steps {
    struct rank_steps *rank;
    uint32_t ranks;
    struct channel *channels;
    size_t nchannels, channels_room;
    struct meeting *meetings;
    size_t nmeetings, meetings_room;
    uint64_t messages, bytes; /* sent */
    bool graph;               /* events are not in the order of their ranks */
};

/* Reads all that the ranks do. On -1 there is nothing to clear. */
int trace_steps_read(struct trace_steps *s, struct trace *t,
                     struct err *err) MUST_CHECK;
void trace_steps_clear(struct trace_steps *s);

/*
 * Carries the steps out, each rank as far as it gets. phase_of: of each batch,
 * rank after rank, or NOT_ANY; phases: where their ranks meet. Where nobody can
 * go on, the first phase that somebody waits in is given up: given_up[phase].
 */
void trace_steps_walk(struct trace_steps *s, const uint32_t *phase_of,
                      struct meeting *phases, bool *given_up);

/* A table of pairs of numbers. */
struct pair_entry {
    uint64_t a, b;
    uint32_t value; /* NOT_ANY: the place is free, or its pair was taken out */
    bool used;
};
struct pairs {
    struct pair_entry *entries;
    size_t room, used;
};
uint32_t pairs_get(const struct pairs *t, uint64_t a, uint64_t b);
/* NOT_ANY takes the pair out. */
void pairs_set(struct pairs *t, uint64_t a, uint64_t b, uint32_t value);
void pairs_clear(struct pairs *t);

#endif
