/* SPDX-License-Identifier: GPL-3.0-or-later */
/* describe.h - an operation of a plan in words, for errors and reports. */
#ifndef SIM_PLAN_DESCRIBE_H
#define SIM_PLAN_DESCRIBE_H

#include "sim/plan/plan.h"

#include <stddef.h>

/* Writes one line for an operation: "message, rank 3 to 40, 8192 B,
 * off-node". */
void op_describe(char *text, size_t room, const struct machine *m,
                 const struct plan *p, uint32_t op);

#endif
