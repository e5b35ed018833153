/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_ops.h - one plan in one engine. */
#ifndef SIM_PLAN_EXEC_OPS_H
#define SIM_PLAN_EXEC_OPS_H

#include "sim/plan/exec.h"

/* Room for what is kept of each operation, and for the partners of a plan with
 * sends and receives. */
void exec_result_init(struct exec_result *r, const struct plan *p,
                      enum exec_keep keep);

/* Fills time_s, and ops, waits and partner, as they are there; times are
 * counted from the engine's now. */
int exec_ops(struct exec_result *r, struct engine *e, const struct machine *m,
             const struct plan *p, struct err *err) MUST_CHECK;

#endif
