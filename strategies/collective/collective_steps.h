/* SPDX-License-Identifier: GPL-3.0-or-later */
/* collective_steps.h - what the step that is being planned has so far. */
#ifndef STRATEGIES_COLLECTIVE_COLLECTIVE_STEPS_H
#define STRATEGIES_COLLECTIVE_COLLECTIVE_STEPS_H

#include "strategies/collective/collective_build.h"

struct collective_step_item {
    uint32_t dep;  /* as plan_after() takes it */
    uint32_t next; /* of the same rank: 1 + its place in items; 0: none */
    bool adds;     /* a message whose elements are to be added */
};

struct collective_steps {
    struct collective_step_item *items;
    uint32_t n, room;
    uint32_t *first, *last; /* of each rank, as `next` */
    uint32_t *ranks;        /* that have any */
    uint32_t nranks;
    uint32_t *scratch;             /* as much room as items */
    enum collective_action action; /* of the newest message */
};

struct collective_steps *collective_steps_new(uint32_t ranks);
void collective_steps_free(struct collective_steps *s);

/* The GPU whose memory the rank's messages are in, or NO_GPU. */
uint32_t collective_gpu(const struct collective_build *b, uint32_t rank);
/* The newest operation is behind what the rank did in the step before:
 * operations of this plan, or, with LAST_STEP, of the last step of a loop. */
void collective_behind(struct collective_build *b, uint32_t rank);
/* The GPU that the rank is on, in the whole job. */
uint32_t collective_gpu_of(const struct collective_build *b, uint32_t rank);

/* --- collective.c --------------------------------------------------------- */

/* Without room for `after` and `steps`. */
struct collective_build collective_begin(struct plan *p,
                                         const struct machine *m,
                                         const struct collective *c,
                                         unsigned nodes);
/* A plan of these ranks without operations. */
void collective_empty(struct plan *p, const struct collective_build *b,
                      const struct collective_algorithm *a);
/* Between a rank's GPU and the host, before all and after all, if the data are
 * to go there. */
void collective_stage(struct collective_build *b, bool in);

/* --- collective_loop.c ---------------------------------------------------- */

/* Of a request that was checked, for an algorithm with sections. */
void collective_make_sections(struct loop *l, const struct machine *m,
                              const struct collective_algorithm *a,
                              const struct collective *c);

#endif
