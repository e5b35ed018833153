/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec_steps.h - the parts of a running loop, and its steps under way. */
#ifndef SIM_PLAN_EXEC_STEPS_H
#define SIM_PLAN_EXEC_STEPS_H

#include "sim/plan/exec_state.h"

/* Makes the parts of x->l: parts, nparts, most_nops, receives and nsteps; and
 * their dependencies and the first step, unless all operations are posted at
 * once. */
void exec_parts_init(struct exec *x);
void exec_parts_clear(struct exec *x);
struct exec_step *exec_begin_step(struct exec *x, uint32_t step);
/* Returns a step that has not ended, and begins it if it has not begun. */
static inline struct exec_step *exec_step(struct exec *x, uint32_t step)
{
    struct exec_step *s = step < x->end ? *exec_step_place(x, step) : NULL;

    return s ? s : exec_begin_step(x, step);
}
void exec_end_step(struct exec *x, uint32_t step);

#endif
