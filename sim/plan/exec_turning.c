/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the operations that wait for one, if messages turn: their order changes
 * from step to step, so it is kept by the operations' numbers, as in the
 * unrolled plan. */
#include "sim/plan/exec_state.h"

#include <assert.h>

static void turning_sort_in(struct waiting_list *l, struct waiting w)
{
    size_t at = l->n++;

    assert(l->n <= LOOP_MOST_WAITERS); /* because of loop_check() */
    for (; at > 0 &&
           (l->who[at - 1].step > w.step ||
            (l->who[at - 1].step == w.step && l->who[at - 1].op > w.op));
         at--)
        l->who[at] = l->who[at - 1];
    l->who[at] = w;
}

static void turning_collect(struct waiting_list *l, const struct exec *x,
                            const struct after *after, uint32_t step,
                            uint32_t end, bool sent)
{
    for (uint32_t i = after->first[end]; i < after->first[end + 1]; i++) {
        uint32_t who = after->list[i];
        struct waiting w = {step, who & DEP_OP, who & FOR_RECEIVE};
        if (!!(who & AFTER_SENT) != sent)
            continue;
        if (w.receive && exec_part_of(x, step) == 0)
            w.op = loop_start(x->l, step, w.op);
        turning_sort_in(l, w);
    }
}

void exec_turning_waiters(struct waiting_list *l, const struct exec *x,
                          uint32_t step, uint32_t op, bool sent)
{
    uint32_t end = sent ? op : loop_end(x->l, step, op);
    const struct after *own = &x->parts[0].own;

    l->n = 0;
    if (own->n)
        turning_collect(l, x, own, step, end, sent);
    if (step + 1 >= x->nsteps)
        return;
    const struct after *next = &x->parts[exec_part_of(x, step + 1)].of_last;
    if (next->n)
        turning_collect(l, x, next, step + 1, end, sent);
}
