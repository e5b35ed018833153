/* SPDX-License-Identifier: GPL-3.0-or-later */
/* template.h - a collective of a trace as operations of its members, numbered
 * from 0, which each call copies into the plan for its own ranks. */
#ifndef APPS_REPLAY_TEMPLATE_H
#define APPS_REPLAY_TEMPLATE_H

#include "base/err.h"
#include "sim/plan/plan.h"
#include "strategies/collective/libraries/library.h"
#include "workloads/trace/trace.h"

struct template
{
    struct plan plan;
    /* For each operation the ends that begin after the operations of their rank
     * before the collective: TEMPLATE_ bits. */
    uint8_t *begins;
    /* For member i: the operations that it has to wait for,
     * exits[first_exit[i]] to before exits[first_exit[i + 1]], as plan_after()
     * takes them. */
    uint32_t *exits, *first_exit;
};
enum { TEMPLATE_SENDER = 1, TEMPLATE_RECEIVER = 2 };

/* The parameters that all members have in common. */
struct template_key {
    uint8_t kind; /* enum trace_collective */
    bool in_gpu;
    uint32_t root; /* a member of comm */
    uint32_t comm; /* number of the communicator */
    uint64_t bytes;
};
/* The parameters that differ, in the order of the communicator. */
struct template_members {
    uint32_t n;
    const uint32_t *node; /* nodes of the job */
    /* Bytes that each member contributes (gets, in a scatter or a
     * reduce-scatter); NULL if they are the key's. */
    const uint64_t *bytes;
    /* For an all-to-all: counts[i][k] are the bytes of member i for member k;
     * NULL if they are the key's. */
    const uint64_t *const *counts;
};

struct template_slot;
struct templates {
    const struct machine *m;
    const struct collective_library *library;
    const struct collective_algorithm *chosen[NCOLLECTIVE_KINDS];
    struct template_slot *slots;
    size_t size, used;
    size_t ops;              /* operations of all kept templates */
    struct template scratch; /* the newest that is not kept */
    /* Templates by another algorithm than the library's, because that one
     * cannot be planned for these ranks. */
    uint64_t others;
    /* Templates by another algorithm than the chosen one, for the same
     * reason. */
    uint64_t unchosen;
};

/* Prepares templates. `algorithms` is "A,..." or "KIND=A,...", which replace
 * the library's; NULL or "auto" for none. */
int templates_init(struct templates *ts, const struct machine *m,
                   const struct collective_library *library,
                   const char *algorithms, struct err *err) MUST_CHECK;
void templates_clear(struct templates *ts);
/* Returns the operations of such a call of two members or more, valid until the
 * next call. Returns NULL and an error if no algorithm can do it on this
 * machine. */
const struct template *templates_get(struct templates *ts,
                                     const struct template_key *key,
                                     const struct template_members *members,
                                     struct err *err) MUST_CHECK;

/* --- template_build.c: those that strategies/collective lacks ------------- */

/* Returns whether the template is built here, because strategies/collective has
 * no such collective or the members' counts differ. */
bool template_is_own(const struct template_key *key,
                     const struct template_members *members);
void template_build(struct plan *p, const struct machine *m,
                    const struct collective *shape,
                    const struct template_key *key,
                    const struct template_members *members);

#endif
