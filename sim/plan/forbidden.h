/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forbidden.h - what a machine's matching forbids, of a plan. */
#ifndef SIM_PLAN_FORBIDDEN_H
#define SIM_PLAN_FORBIDDEN_H

#include "sim/plan/plan.h"
#include "sim/transport/match_queues.h"

/* -1 and an error that names rank, operation and reason: a receive has a
 * wildcard that the machine's matching forbids, or that its engine cannot. */
int forbidden_wildcards(const struct plan *p, const struct machine *m,
                        struct err *err) MUST_CHECK;

/* -1 and such an error when a rule was broken while the plan ran. */
int forbidden_in_run(const struct plan *p, const struct machine *m,
                     struct match_broken broken, struct err *err) MUST_CHECK;

#endif
