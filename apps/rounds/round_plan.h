/* SPDX-License-Identifier: GPL-3.0-or-later */
/* round_plan.h - one round as a plan: hosts compute, gather, send, scatter and
 * agree whether there is another round. */
#ifndef APPS_ROUNDS_ROUND_PLAN_H
#define APPS_ROUNDS_ROUND_PLAN_H

#include "platforms/machine.h"
#include "sim/plan/plan.h"
#include "apps/rounds/round.h"

/* Costs for all threads of a host together, in seconds. */
struct round_costs {
    double arc_s, vertex_s;
    /* Factors of the counted arcs and vertices; that of vertices is also that
     * of bytes; 1 if as counted. */
    double arcs, vertices;
};

/* Gets the costs of a machine, for `threads` threads of a host; 0 for one on
 * each core. Fails if the machine has too few cores, or no costs. */
int round_costs_of(struct round_costs *c, const struct machine *m,
                   unsigned threads, struct err *err) MUST_CHECK;

/*
 * Makes the plan. A rank is a host, alone on its node. It works on its arcs;
 * gathers the values for each peer, one after the other, with all threads; a
 * message is scattered once it has arrived and the threads are free. A step
 * begins on a host once all messages of the one before are scattered there. The
 * round ends with its reductions, each of 8 B over all hosts by recursive
 * doubling, because the hosts have to agree whether there is another round.
 */
void round_plan(struct plan *p, const struct machine *m, const struct round *r,
                uint32_t hosts, const struct round_costs *c,
                enum runtime runtime);

/* Returns the time of the busiest host's computation, without gathering and
 * scattering values. */
double round_compute_s(const struct round *r, uint32_t hosts,
                       const struct round_costs *c);

#endif
