/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares the parts of a loop before it runs (their steps, the successors of
 * their operations, the open dependencies as a step begins), and keeps the
 * steps that have begun. */
#include "sim/plan/exec_steps.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- parts ---------------------------------------------------------------- */

/* Turns "op i waits for j" into "j is followed by i", i rising: for the a->n
 * dependencies in the same step, or on the step before (last), which has
 * `nops`; and adds them to the open dependencies of each operation, or of its
 * receive. */
static void parts_turn_dependencies(struct after *a, const struct plan *p,
                                    size_t nops, bool last, uint32_t *missing,
                                    uint32_t *unposted)
{
    uint32_t of = last ? LAST_STEP : 0;

    if (!a->n)
        return;
    a->first = xcalloc(nops + 1, sizeof *a->first);
    a->list = xcalloc(a->n, sizeof *a->list);
    for (size_t i = 0; i < p->ndeps; i++)
        if ((p->deps[i] & LAST_STEP) == of)
            a->first[(p->deps[i] & DEP_OP) + 1]++;
    for (size_t i = 0; i < nops; i++)
        a->first[i + 1] += a->first[i];
    /* While a list is filled, its beginning is the place of its next item;
     * afterwards it is the list's end. */
    for (uint32_t i = 0; i < p->nops; i++)
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++) {
            uint32_t dep = p->deps[d];
            if ((dep & LAST_STEP) != of)
                continue;
            a->list[a->first[dep & DEP_OP]++] = i | (dep & ~DEP_OP);
            ++*(dep & FOR_RECEIVE ? &unposted[i] : &missing[i]);
        }
    memmove(a->first + 1, a->first, nops * sizeof *a->first);
    a->first[0] = 0;
}

/* Returns whether the receives of messages have dependencies, and counts the
 * dependencies on the same step and on the one before. */
static bool parts_receive(struct exec_part *part)
{
    const struct plan *p = part->body;
    uint32_t all = 0;

    for (size_t i = 0; i < p->ndeps; i++) {
        part->of_last.n += !!(p->deps[i] & LAST_STEP);
        all |= p->deps[i];
    }
    part->own.n = p->ndeps - part->of_last.n;
    return all & FOR_RECEIVE;
}

static void parts_number(struct exec *x)
{
    uint32_t steps = 0;
    uint64_t ops = 0;

    x->nparts = x->l->nmore + 1;
    x->parts = xcalloc(x->nparts, sizeof *x->parts);
    for (unsigned i = 0; i < x->nparts; i++) {
        struct exec_part *part = &x->parts[i];
        part->body = loop_body(x->l, i);
        part->begin = steps;
        part->ops_before = ops;
        part->end = steps += loop_part_steps(x->l, i);
        ops += (uint64_t)loop_part_steps(x->l, i) * part->body->nops;
        if (part->body->nops > x->most_nops)
            x->most_nops = part->body->nops;
        x->receives = parts_receive(part) || x->receives;
    }
    x->nsteps = steps;
}

static void part_room(struct exec *x, struct exec_part *part)
{
    part->missing = xcalloc(part->body->nops, sizeof *part->missing);
    if (x->receives)
        part->unposted = xcalloc(part->body->nops, sizeof *part->unposted);
}

/* Finds the dependencies of the first part, and the open ones of the first
 * step, in which there are none on a step before. */
static void parts_depend_first(struct exec *x, struct exec_step *first)
{
    struct exec_part *part = x->parts;
    size_t nops = part->body->nops;

    parts_turn_dependencies(&part->own, part->body, nops, false, first->place,
                            first->unposted);
    if (part->end == 1)
        return;
    part_room(x, part);
    memcpy(part->missing, first->place, nops * sizeof *part->missing);
    if (x->receives)
        memcpy(part->unposted, first->unposted, nops * sizeof *part->unposted);
    parts_turn_dependencies(&part->of_last, part->body, nops, true,
                            part->missing, part->unposted);
}

/* LAST_STEP in a part's first step refers to the part before; therefore bodies
 * that differ in their operations are parts of one step. */
static void parts_depend(struct exec *x)
{
    for (unsigned i = 1; i < x->nparts; i++) {
        struct exec_part *part = &x->parts[i];
        size_t nops = part->body->nops, before = x->parts[i - 1].body->nops;
        part_room(x, part);
        parts_turn_dependencies(&part->own, part->body, nops, false,
                                part->missing, part->unposted);
        parts_turn_dependencies(&part->of_last, part->body,
                                before > nops ? before : nops, true,
                                part->missing, part->unposted);
    }
}

/* --- steps ---------------------------------------------------------------- */

/* Returns room for a step; if it is the first, with no open dependencies. */
static struct exec_step *step_new(struct exec *x, uint32_t step)
{
    const struct exec_part *part = &x->parts[exec_part_of(x, step)];
    struct exec_step *s = x->free_steps;
    size_t n = x->most_nops, nops = part->body->nops;

    if (s) {
        x->free_steps = s->free;
        memset(s->state, 0, nops * sizeof *s->state);
    } else {
        s = xcalloc(1, sizeof *s +
                           n * (x->receives ? 2 : 1) * sizeof *s->place +
                           n * sizeof *s->state);
        s->place = (uint32_t *)(s + 1);
        s->unposted = x->receives ? s->place + n : NULL;
        s->state = (uint8_t *)(s->place + (x->receives ? 2 * n : n));
    }
    s->part = part;
    s->step = step;
    s->left = nops;
    s->times = x->times ? x->times + part->ops_before +
                              (size_t)(step - part->begin) * nops
                        : NULL;
    if (++x->nlive > x->counts->most_steps)
        x->counts->most_steps = x->nlive;
    return s;
}

/* Returns the place of a step that has not ended. */
static struct exec_step **step_place(struct exec *x, uint32_t step)
{
    assert(step >= x->first);
    if (x->over + step - x->first >= x->steps_room) {
        size_t room = 2 * x->steps_room + 16;
        x->steps = xrealloc(x->steps, room, sizeof(struct exec_step *));
        memset(&x->steps[x->steps_room], 0,
               (room - x->steps_room) * sizeof(struct exec_step *));
        x->steps_room = room;
    }
    if (step >= x->end)
        x->end = step + 1;
    return exec_step_place(x, step);
}

struct exec_step *exec_begin_step(struct exec *x, uint32_t step)
{
    struct exec_step **at = step_place(x, step), *s = *at = step_new(x, step);

    memcpy(s->place, s->part->missing, s->left * sizeof *s->place);
    if (x->receives)
        memcpy(s->unposted, s->part->unposted, s->left * sizeof *s->unposted);
    return s;
}

/* The places of the first ended steps are kept until they are half of all,
 * because then moving the others costs each step the same, however many have
 * begun. */
void exec_end_step(struct exec *x, uint32_t step)
{
    struct exec_step **at = exec_step_place(x, step);

    (*at)->free = x->free_steps;
    x->free_steps = *at;
    x->nlive--;
    *at = NULL;
    /* Steps end in order, because none waits for one that has not begun. */
    while (x->first < x->end && !*exec_step_place(x, x->first)) {
        x->first++;
        x->over++;
    }
    if (2 * x->over < x->steps_room)
        return;
    memmove(x->steps, &x->steps[x->over],
            (x->steps_room - x->over) * sizeof(struct exec_step *));
    memset(&x->steps[x->steps_room - x->over], 0,
           x->over * sizeof(struct exec_step *));
    x->over = 0;
}

/* --- start and end -------------------------------------------------------- */

void exec_parts_init(struct exec *x)
{
    parts_number(x);
    if (x->l->at_once)
        return;
    struct exec_step *first = *step_place(x, 0) = step_new(x, 0);
    parts_depend_first(x, first);
    parts_depend(x);
    if (x->nsteps == 1) {
        x->plan = &x->l->body;
        x->only = first;
    }
}

void exec_parts_clear(struct exec *x)
{
    for (unsigned i = 0; i < x->nparts; i++) {
        struct exec_part *part = &x->parts[i];
        free(part->own.first);
        free(part->own.list);
        free(part->of_last.first);
        free(part->of_last.list);
        free(part->missing);
        free(part->unposted);
    }
    free(x->parts);
    for (size_t i = 0; i < x->steps_room; i++)
        free(x->steps[i]);
    free(x->steps);
    while (x->free_steps) {
        struct exec_step *s = x->free_steps;
        x->free_steps = s->free;
        free(s);
    }
}
