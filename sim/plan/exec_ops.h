/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_ops.h - runs one plan in one engine. */
#ifndef SIM_PLAN_EXEC_OPS_H
#define SIM_PLAN_EXEC_OPS_H

#include "sim/plan/exec.h"

/* Allocates the results that are kept of each operation, and the partners of a
 * plan with sends and receives. */
void exec_result_init(struct exec_result *r, const struct plan *p,
                      enum exec_keep keep);

/* Fills time_s, and those of ops, waits and partner that are allocated; times
 * count from the engine's present time. */
int exec_ops(struct exec_result *r, struct engine *e, const struct machine *m,
             const struct plan *p, struct err *err) MUST_CHECK;

#endif
