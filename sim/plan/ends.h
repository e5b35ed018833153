/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ends.h - the first and the last operations of each rank in a plan, to which
 * operations before or after the plan are joined. */
#ifndef SIM_PLAN_ENDS_H
#define SIM_PLAN_ENDS_H

#include "sim/plan/plan.h"

/* The operations that end on a rank and have no successor on that rank: for
 * rank r they are ends[first[r]] to before ends[first[r + 1]]. */
struct rank_ends {
    size_t *first;
    uint32_t *ends; /* as dependencies */
};

/* Returns the ends among the operations from `from` on; dependencies on
 * operations before it do not count. rank_ends_clear() frees them. */
struct rank_ends rank_ends_list(const struct plan *p, size_t from);
void rank_ends_clear(struct rank_ends *l);

/* Returns whether this end of the operation, its receive or the rest, has a
 * dependency not before `from` that ends on its own rank. */
bool plan_is_held(const struct plan *p, size_t from, size_t op, bool receive);

#endif
