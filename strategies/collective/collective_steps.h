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
/* The GPU that the rank is on, in the whole job. */
uint32_t collective_gpu_of(const struct collective_build *b, uint32_t rank);

#endif
