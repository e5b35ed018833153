/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collectives as loops: each section of equal steps is a part of a loop, so
 * that memory holds only a few steps. */
#include "strategies/collective/collective_steps.h"

#include <stdlib.h>

/* Marks the ranks' last operations as operations of the step before. */
static void collective_next_step(struct collective_build *b)
{
    for (uint32_t r = 0; r < b->ranks; r++)
        for (int i = 0; i < b->after[r].n; i++)
            b->after[r].deps[i] |= LAST_STEP;
}

/* Clears the dependencies of ranks that are idle in this step. Such a rank next
 * receives a message that depends on its earlier operations, so that its
 * receive need not wait for them. */
static void collective_forget_idle(struct collective_build *b)
{
    for (uint32_t r = 0; r < b->ranks; r++)
        if (b->after[r].n && b->after[r].deps[0] & LAST_STEP)
            b->after[r].n = 0;
}

/* Appends a part of `steps` steps to the loop; none if no rank has an
 * operation. */
static void collective_add_part(struct loop *l, struct collective_build *b,
                                const struct collective_algorithm *a,
                                void (*build)(struct collective_build *b),
                                uint32_t steps)
{
    struct plan body;

    collective_empty(&body, b, a);
    b->p = &body;
    build(b);
    collective_step(b);
    if (!body.nops) {
        plan_clear(&body);
        return;
    }
    collective_forget_idle(b);
    collective_next_step(b);
    if (l->steps) {
        loop_add_part(l, body, steps);
        return;
    }
    l->body = body;
    l->steps = steps;
}

static void collective_stage_out(struct collective_build *b)
{
    collective_stage(b, true);
}

static void collective_stage_in(struct collective_build *b)
{
    collective_stage(b, false);
}

/* The first step of a section is a part of its own, because its operations wait
 * for operations that have other numbers than in the following steps. */
static void collective_add_sections(struct loop *l, struct collective_build *b,
                                    const struct collective_algorithm *a)
{
    bool staged = b->c->memory == COLLECTIVE_STAGED;

    if (staged || b->c->out_of_place)
        collective_add_part(l, b, a, collective_stage_out, 1);
    for (const struct collective_section *s = a->sections; s->build; s++) {
        uint32_t steps = s->steps(b);
        if (steps)
            collective_add_part(l, b, a, s->build, 1);
        if (steps > 1)
            collective_add_part(l, b, a, s->build, steps - 1);
    }
    if (staged)
        collective_add_part(l, b, a, collective_stage_in, 1);
}

void collective_make_sections(struct loop *l, const struct machine *m,
                              const struct collective_algorithm *a,
                              const struct collective *c)
{
    struct collective_build b = collective_begin(NULL, m, c, c->nodes);

    if (b.elements % b.ranks)
        b.elements += b.ranks - b.elements % b.ranks;
    b.after = xcalloc((size_t)b.nodes * c->ranks_per_node, sizeof *b.after);
    b.steps = collective_steps_new(b.nodes * c->ranks_per_node);
    collective_add_sections(l, &b, a);
    l->repeats = true;
    free(b.after);
    collective_steps_free(b.steps);
}

bool collective_rounds(const struct collective *c)
{
    return c->bytes / (c->element_B ? c->element_B : 1) % collective_ranks(c);
}
