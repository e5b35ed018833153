/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan_check.h - whether a plan can be run. */
#ifndef SIM_PLAN_PLAN_CHECK_H
#define SIM_PLAN_PLAN_CHECK_H

#include "sim/plan/plan.h"

/* Returns -1 and an error if an operation waits for one that ends on another
 * rank, because only a simulator can do that. */
int plan_check_ranks(const struct plan *p, struct err *err) MUST_CHECK;

/* Returns -1 and an error if the plan cannot run on this machine: it needs more
 * nodes, ranks or GPUs than there are, or a kind of message that the machine
 * lacks. */
int plan_check(const struct plan *p, const struct machine *m,
               struct err *err) MUST_CHECK;

#endif
