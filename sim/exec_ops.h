/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_ops.h - one plan in one engine: what sim/exec.c does in its child. */
#ifndef SIM_EXEC_OPS_H
#define SIM_EXEC_OPS_H

#include "sim/exec.h"

/* Fills ops[0..p->nops) with times counted from the engine's now, and waits
 * (all 0 before), unless it is NULL. */
int exec_ops(struct op_times *ops, struct op_waits *waits, struct engine *e,
             const struct machine *m, const struct plan *p,
             struct err *err) MUST_CHECK;

#endif
