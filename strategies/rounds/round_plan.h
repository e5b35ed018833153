/* SPDX-License-Identifier: GPL-3.0-or-later */
/* round_plan.h - one round as a plan: hosts compute, gather, send, scatter and
 * agree whether there is another. */
#ifndef STRATEGIES_ROUNDS_ROUND_PLAN_H
#define STRATEGIES_ROUNDS_ROUND_PLAN_H

#include "platforms/machine.h"
#include "sim/plan/plan.h"
#include "strategies/rounds/round.h"

/* Of all threads of a host together. */
struct round_costs {
    double arc_s, vertex_s;
    double arcs, vertices; /* as many times the counted ones, and of the bytes
                              by vertices; 1: as counted */
};

/* A machine's own, of so many threads of a host; 0: one on each core. */
int round_costs_of(struct round_costs *c, const struct machine *m,
                   unsigned threads, struct err *err) MUST_CHECK;

/*
 * A rank is a host, alone on its node. It works on its arcs; gathers what is
 * for each peer, one after the other, by all threads; what arrives is scattered
 * when it is there and the threads are free. A step begins on a host when all
 * that the one before brings it is scattered. The round ends with a reduction
 * of 8 B over all hosts by recursive doubling.
 */
void round_plan(struct plan *p, const struct machine *m, const struct round *r,
                uint32_t hosts, const struct round_costs *c,
                enum runtime runtime);

/* What the busiest host computes, without gathering and scattering values. */
double round_compute_s(const struct round *r, uint32_t hosts,
                       const struct round_costs *c);

#endif
