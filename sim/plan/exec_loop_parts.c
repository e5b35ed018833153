/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares the parts of a loop before it runs: their steps, the successors of
 * their operations, and the open dependencies as a step begins. */
#include "sim/plan/exec_loop_state.h"

#include <stdlib.h>

/* Turns "op i waits for j" into "j is followed by i", i rising: for
 * dependencies in the same step, or on the step before (last), which has
 * `nops`. */
static void parts_turn_dependencies(struct after *a, const struct plan *p,
                                    size_t nops, bool last)
{
    uint32_t *at = xcalloc(nops + 1, sizeof *at);

    a->first = xcalloc(nops + 2, sizeof *a->first);
    a->list = xcalloc(p->ndeps, sizeof *a->list);
    for (size_t i = 0; i < p->ndeps; i++)
        if (!!(p->deps[i] & LAST_STEP) == last)
            a->first[(p->deps[i] & DEP_OP) + 1]++;
    for (size_t i = 0; i < nops; i++) {
        a->first[i + 1] += a->first[i];
        at[i] = a->first[i];
    }
    for (uint32_t i = 0; i < p->nops; i++)
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++)
            if (!!(p->deps[d] & LAST_STEP) == last)
                a->list[at[p->deps[d] & DEP_OP]++] = i | (p->deps[d] & ~DEP_OP);
    free(at);
}

struct waits *loop_waits_of(const struct plan *p, bool first)
{
    struct waits *w = xcalloc(p->nops, sizeof *w);

    for (size_t i = 0; i < p->nops; i++)
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++) {
            if (first && p->deps[d] & LAST_STEP)
                continue;
            w[i].missing += !(p->deps[d] & FOR_RECEIVE);
            w[i].unposted += !!(p->deps[d] & FOR_RECEIVE);
        }
    return w;
}

static void parts_number(struct loop_run *x)
{
    uint32_t steps = 0;
    uint64_t ops = 0;

    x->nparts = x->l->nmore + 1;
    x->parts = xcalloc(x->nparts, sizeof *x->parts);
    for (unsigned i = 0; i < x->nparts; i++) {
        struct part_run *part = &x->parts[i];
        part->body = loop_body(x->l, i);
        part->begin = steps;
        part->ops_before = ops;
        part->end = steps += loop_part_steps(x->l, i);
        ops += (uint64_t)loop_part_steps(x->l, i) * part->body->nops;
        if (part->body->nops > x->most_nops)
            x->most_nops = part->body->nops;
    }
    x->nsteps = steps;
}

/* LAST_STEP in a part's first step refers to the part before; therefore bodies
 * that differ in their operations are parts of one step. */
static void parts_depend(struct loop_run *x)
{
    for (unsigned i = 0; i < x->nparts; i++) {
        struct part_run *part = &x->parts[i];
        size_t before = part->body->nops;
        if (i && x->parts[i - 1].body->nops > before)
            before = x->parts[i - 1].body->nops;
        parts_turn_dependencies(&part->own, part->body, part->body->nops,
                                false);
        parts_turn_dependencies(&part->of_last, part->body, before, true);
        part->fresh = loop_waits_of(part->body, false);
    }
}

void loop_parts_init(struct loop_run *x)
{
    parts_number(x);
    if (!x->l->at_once)
        parts_depend(x);
}

void loop_parts_clear(struct loop_run *x)
{
    for (unsigned i = 0; i < x->nparts; i++) {
        free(x->parts[i].own.first);
        free(x->parts[i].own.list);
        free(x->parts[i].of_last.first);
        free(x->parts[i].of_last.list);
        free(x->parts[i].fresh);
    }
    free(x->parts);
}
