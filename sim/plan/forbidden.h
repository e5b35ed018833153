/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forbidden.h - checks a plan against the rules of a machine's matching. */
#ifndef SIM_PLAN_FORBIDDEN_H
#define SIM_PLAN_FORBIDDEN_H

#include "sim/plan/plan.h"
#include "sim/transport/match_queues.h"

/* Returns -1 and an error that names rank, operation and reason if a receive
 * has a wildcard that the machine's matching forbids, or that its engine cannot
 * match. */
int forbidden_wildcards(const struct plan *p, const struct machine *m,
                        struct err *err) MUST_CHECK;

/* Returns -1 and such an error if a rule was broken while the plan ran. */
int forbidden_in_run(const struct plan *p, const struct machine *m,
                     struct match_broken broken, struct err *err) MUST_CHECK;

#endif
