/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rounds.h - the plan of a halo with several rounds, which follow each
 * other. */
#ifndef STRATEGIES_EXCHANGE_ROUNDS_H
#define STRATEGIES_EXCHANGE_ROUNDS_H

#include "strategies/strategy.h"

/* Plans one round; on -1 the plan is empty. */
typedef int round_plan_fn(const struct strategy *s, struct plan *plan,
                          const struct machine *m, const struct halo *halo,
                          const struct strategy_options *options,
                          struct err *err);

/* Plans all rounds of a halo that has several (sim/plan/chain.h says when one
 * begins). Pieces refer to the classes of all rounds. Every round uses the same
 * buffers, so that the working set is that of the largest. On -1 the plan is
 * empty. */
int rounds_plan(round_plan_fn *plan_one, const struct strategy *s,
                struct plan *plan, const struct machine *m,
                const struct halo *halo, const struct strategy_options *options,
                struct err *err) MUST_CHECK;

#endif
