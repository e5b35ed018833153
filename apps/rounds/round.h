/* SPDX-License-Identifier: GPL-3.0-or-later */
/* round.h - the work and messages of hosts in one round of a graph algorithm,
 * counted while it is executed. It has no times, so it is the same for every
 * machine. */
#ifndef APPS_ROUNDS_ROUND_H
#define APPS_ROUNDS_ROUND_H

#include <stddef.h>
#include <stdint.h>

/* The work of a host's threads. */
struct effort {
    uint64_t arcs; /* arcs looked at */
    /* Vertices whose labels are read or written one by one. */
    uint64_t vertices;
};

/* A message from one host to another; it is gathered before, in the order of
 * the list by each sender, and scattered when it has arrived. */
struct round_message {
    uint32_t src, dst;
    uint64_t bytes;  /* values and the names of their vertices */
    uint64_t values; /* values in it */
    struct effort gather, scatter;
};

/* A step: the messages that are sent before those of the next step are
 * gathered. */
enum round_step_kind {
    STEP_REDUCE,    /* mirrors to their master */
    STEP_BROADCAST, /* a master to its mirrors */
    STEP_VISITED,   /* bits of vertices that need nothing more */
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
    uint64_t active; /* proxies whose arcs are visited, of all hosts */
    /* For each host: its work before it gathers anything, and after it has
     * gathered all. */
    struct effort *before, *after;
    struct round_step steps[ROUND_STEPS];
    unsigned nsteps;
    /* Reductions of a few bytes over all hosts, at the end. */
    unsigned reductions;
};

/* All rounds of a run. Equal ones are stored once. */
struct rounds {
    uint32_t hosts;
    struct round *kinds;
    size_t nkinds;
    uint32_t *kind; /* index in kinds for each round */
    size_t n;
    uint64_t *hashes; /* hashes of the kinds */
};

/* Starts a round, which the caller fills in. */
void round_init(struct round *r, uint32_t hosts);
struct round_step *round_add_step(struct round *r, enum round_step_kind kind);
/* Adds a message of zeros except its ends; it is valid until the next is
 * added. */
struct round_message *round_add_message(struct round_step *s, uint32_t src,
                                        uint32_t dst);
/* Moves the round into r, so that *one is empty. */
void rounds_add(struct rounds *r, struct round *one);
void rounds_clear(struct rounds *r);

static inline const struct round *rounds_at(const struct rounds *r, size_t i)
{
    return &r->kinds[r->kind[i]];
}

/* Return sums over all steps of a round. */
uint64_t round_bytes(const struct round *r);
uint64_t round_messages(const struct round *r);

#endif
