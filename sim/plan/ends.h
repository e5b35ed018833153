/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ends.h - what each rank does first and last in a plan: where something is put
 * before or behind it. */
#ifndef SIM_PLAN_ENDS_H
#define SIM_PLAN_ENDS_H

#include "sim/plan/plan.h"

/* What ends on each rank and is behind no other operation of that rank: of
 * rank r they are ends[first[r]] to before ends[first[r + 1]]. */
struct rank_ends {
    size_t *first;
    uint32_t *ends; /* as dependencies */
};

/* Of the operations from `from` on; waits that lead before it do not count. */
struct rank_ends rank_ends_list(const struct plan *p, size_t from);
void rank_ends_clear(struct rank_ends *l);

/* Whether this end of the operation, its receive or all else, has a dependency
 * not before `from` that ends on its own rank. */
bool plan_is_held(const struct plan *p, size_t from, size_t op, bool receive);

#endif
