/* SPDX-License-Identifier: GPL-3.0-or-later */
/* round.h - what hosts do and send in one round of a graph algorithm, counted
 * while it really runs: no times, and so of every machine. */
#ifndef STRATEGIES_ROUNDS_ROUND_H
#define STRATEGIES_ROUNDS_ROUND_H

#include <stddef.h>
#include <stdint.h>

/* What the threads of a host do. */
struct effort {
    uint64_t arcs;     /* looked at */
    uint64_t vertices; /* whose labels are read or written one by one */
};

/* From one host to another; gathered before, in the order of the list by each
 * sender, and scattered when it has arrived. */
struct round_message {
    uint32_t src, dst;
    uint64_t bytes;  /* values and what says whose they are */
    uint64_t values; /* in it */
    struct effort gather, scatter;
};

/* What is sent before the next is gathered. */
enum round_step_kind {
    STEP_REDUCE,    /* mirrors to their master */
    STEP_BROADCAST, /* a master to its mirrors */
    STEP_VISITED,   /* bits of the vertices that need nothing more */
    NSTEP_KINDS
};
extern const char *const round_step_names[NSTEP_KINDS];

struct round_step {
    enum round_step_kind kind;
    struct round_message *messages;
    size_t n, room;
};
enum { ROUND_STEPS = 2 };

struct round {
    uint64_t active; /* proxies whose arcs are gone along, of all hosts */
    /* Of each host: before it gathers anything, and after it has gathered all.
     */
    struct effort *before, *after;
    struct round_step steps[ROUND_STEPS];
    unsigned nsteps;
    unsigned reductions; /* of a few bytes over all hosts, at the end */
};

/* All rounds of a run. Equal ones are kept once. */
struct rounds {
    uint32_t hosts;
    struct round *kinds;
    size_t nkinds;
    uint32_t *kind; /* of each round */
    size_t n;
    uint64_t *hashes; /* of the kinds */
};

/* A round to be filled in. */
void round_init(struct round *r, uint32_t hosts);
struct round_step *round_add_step(struct round *r, enum round_step_kind kind);
/* Lasts until the next is added; all zeros but for its ends. */
struct round_message *round_add_message(struct round_step *s, uint32_t src,
                                        uint32_t dst);
/* Takes the round over: nothing is left in it. */
void rounds_add(struct rounds *r, struct round *one);
void rounds_clear(struct rounds *r);

static inline const struct round *rounds_at(const struct rounds *r, size_t i)
{
    return &r->kinds[r->kind[i]];
}

/* Sums over all steps of a round. */
uint64_t round_bytes(const struct round *r);
uint64_t round_messages(const struct round *r);

#endif
