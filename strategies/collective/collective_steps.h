/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collective_steps.h - the step that is being planned: the operations of each
 * rank so far. */
#ifndef STRATEGIES_COLLECTIVE_COLLECTIVE_STEPS_H
#define STRATEGIES_COLLECTIVE_COLLECTIVE_STEPS_H

#include "strategies/collective/collective_build.h"

struct collective_step_item {
    uint32_t dep;  /* in the form of plan_after() */
    uint32_t next; /* next item of its rank: 1 + its index; 0: none */
    bool adds;     /* a message whose elements are to be added */
};

struct collective_steps {
    struct collective_step_item *items;
    uint32_t n, room;
    uint32_t *first, *last; /* indexed by rank; values as in `next` */
    uint32_t *ranks;        /* ranks that have an item */
    uint32_t nranks;
    uint32_t *scratch;             /* as large as items */
    enum collective_action action; /* action of the newest message */
};

/* Allocates an empty step; the caller frees it with collective_steps_free(). */
struct collective_steps *collective_steps_new(uint32_t ranks);
void collective_steps_free(struct collective_steps *s);

/* Returns the GPU whose memory the rank's messages use, or NO_GPU for host
 * memory. */
uint32_t collective_gpu(const struct collective_build *b, uint32_t rank);
/* Lets the newest operation wait for the rank's operations of the step before:
 * operations of this plan, or, with LAST_STEP, of the last step of a loop. */
void collective_behind(struct collective_build *b, uint32_t rank);

/* --- collective.c --------------------------------------------------------- */

/* Returns a builder for the request, in which `after` and `steps` are not yet
 * allocated. */
struct collective_build collective_begin(struct plan *p,
                                         const struct machine *m,
                                         const struct collective *c,
                                         unsigned nodes);
/* Makes a plan for the builder's ranks that has no operations yet. */
void collective_empty(struct plan *p, const struct collective_build *b,
                      const struct collective_algorithm *a);
/* Plans the copies before all else (in) or after it: between GPU and host if
 * the data are staged, else, before it, those of an input that is not in
 * place. */
void collective_stage(struct collective_build *b, bool in);

/* --- collective_loop.c ---------------------------------------------------- */

/* Makes the loop of an algorithm that has sections, for a request that has been
 * checked. */
void collective_make_sections(struct loop *l, const struct machine *m,
                              const struct collective_algorithm *a,
                              const struct collective *c);

#endif
