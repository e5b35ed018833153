/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rounds.h - a plan for each round of a halo, one behind the other. */
#ifndef STRATEGIES_EXCHANGE_ROUNDS_H
#define STRATEGIES_EXCHANGE_ROUNDS_H

#include "strategies/strategy.h"

/* The plan of one round; on -1 it is empty. */
typedef int round_plan_fn(const struct strategy *s, struct plan *plan,
                          const struct machine *m, const struct halo *halo,
                          const struct strategy_options *options,
                          struct err *err);

/*
 * The plan of all rounds of a halo of several (sim/plan/chain.h says when one
 * begins). Pieces are of the classes of all rounds; every round uses the same
 * buffers, so that the working set is that of the largest. On -1 the plan is
 * empty.
 */
int rounds_plan(round_plan_fn *plan_one, const struct strategy *s,
                struct plan *plan, const struct machine *m,
                const struct halo *halo, const struct strategy_options *options,
                struct err *err) MUST_CHECK;

#endif
