/* SPDX-License-Identifier: GPL-3.0-or-later */
/* template.h - a collective of a trace as operations of its members, numbered
 * from 0, which each call puts into the plan for ranks of its own. */
#ifndef STRATEGIES_REPLAY_TEMPLATE_H
#define STRATEGIES_REPLAY_TEMPLATE_H

#include "base/err.h"
#include "sim/plan/plan.h"
#include "strategies/collective/libraries/library.h"
#include "workloads/trace/trace.h"

struct template
{
    struct plan plan;
    /* Of each operation: what it waits for at its beginning, whatever its rank
     * did before the collective. */
    uint8_t *begins;
    /* Of member i: what it has to wait for, exits[first_exit[i]] to before
     * exits[first_exit[i + 1]], as plan_after() takes them. */
    uint32_t *exits, *first_exit;
};
enum { TEMPLATE_SENDER = 1, TEMPLATE_RECEIVER = 2 };

/* What all members say alike. */
struct template_key {
    uint8_t kind; /* enum trace_collective */
    bool in_gpu;
    uint32_t root; /* in comm */
    uint32_t comm; /* its number */
    uint64_t bytes;
};
/* What they do not, in the order of the communicator. */
struct template_members {
    uint32_t n;
    const uint32_t *node; /* of the job */
    /* NULL: each brings (gets, of a scatter and a reduce-scatter) as much as
     * the key says. */
    const uint64_t *bytes;
    /* Of an all-to-all: what member i has for member k, counts[i][k]; NULL:
     * what the key says. */
    const uint64_t *const *counts;
};

struct template_slot;
struct templates {
    const struct machine *m;
    const struct collective_library *library;
    const struct collective_algorithm *chosen[NCOLLECTIVE_KINDS];
    struct template_slot *slots;
    size_t size, used;
    size_t ops;              /* of all that are kept */
    struct template scratch; /* of the newest that is not kept */
    uint64_t others; /* that are by another algorithm than the library takes,
                        since that cannot be planned for these ranks */
};

/* algorithms: "A,..." or "KIND=A,...", taken in place of the library's; NULL,
 * "auto": none. */
int templates_init(struct templates *ts, const struct machine *m,
                   const struct collective_library *library,
                   const char *algorithms, struct err *err) MUST_CHECK;
void templates_clear(struct templates *ts);
/* The operations of such a call of two members or more; lasts until the next
 * one. NULL and an error: no algorithm can do it on this machine. */
const struct template *templates_get(struct templates *ts,
                                     const struct template_key *key,
                                     const struct template_members *members,
                                     struct err *err) MUST_CHECK;

/* --- template_build.c: what strategies/collective has no algorithms for ----
 */

/* Whether the members' counts have to be those that they say. */
bool template_is_own(const struct template_key *key,
                     const struct template_members *members);
void template_build(struct plan *p, const struct machine *m,
                    const struct collective *shape,
                    const struct template_key *key,
                    const struct template_members *members);

#endif
