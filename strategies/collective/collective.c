/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of all-to-alls, and their plans phase by phase. */
#include "strategies/collective/collective.h"

#include "strategies/collective/collective_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const collective_exchange_names[] = {"pairwise", "nonblocking"};

#define COLLECTIVE(x) &x##_collective,
const struct collective_algorithm *const collectives[] = {
#include "strategies/collective/list.def"
};
#undef COLLECTIVE
const size_t ncollectives = sizeof collectives / sizeof collectives[0];

const struct collective_algorithm *collective_find(const char *name,
                                                   struct err *err)
{
    char known[256] = "";

    for (size_t i = 0; i < ncollectives; i++) {
        size_t used = strlen(known);
        if (!strcmp(name, collectives[i]->name))
            return collectives[i];
        snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                 collectives[i]->name);
    }
    err_set(err, ERR_INPUT, __FILE__, __LINE__,
            "%s: unknown all-to-all (known: %s)", name, known);
    return NULL;
}

const struct collective_phase *
collective_phase(const struct collective_algorithm *a, const char *name)
{
    for (const struct collective_phase *f = a->phases; f->build; f++)
        if (f->name && !strcmp(name, f->name))
            return f;
    return NULL;
}

static int collective_check(const struct machine *m,
                            const struct collective_algorithm *a,
                            const struct collective *c, struct err *err)
{
    if (!c->nodes || c->nodes > m->network.nodes)
        return fail(err, "%s: expected 1 to %u nodes, got %u", a->name,
                    m->network.nodes, c->nodes);
    if (!c->ranks_per_node || c->ranks_per_node > m->ncores)
        return fail(err, "%s: %s has %u cores a node, for %u ranks", a->name,
                    m->name, m->ncores, c->ranks_per_node);
    if (!c->groups || c->ranks_per_node % c->groups ||
        (c->groups > 1 && !a->grouped))
        return fail(err, "%s: %u ranks a node do not make %u equal groups",
                    a->name, c->ranks_per_node, c->groups);
    return 0;
}

static void collective_spread(struct collective_build *b)
{
    uint32_t ranks = b->nodes * b->c->ranks_per_node;

    for (uint32_t r = 0; r < ranks && b->c->spread_s > 0; r++)
        b->after[r] = (struct collective_after){
            {plan_work(b->p, r, b->c->spread_s * r / ranks)}, 1};
}

int collective_plan(struct plan *p, const struct machine *m,
                    const struct collective_algorithm *a,
                    const struct collective_phase *phase,
                    const struct collective *c, struct err *err)
{
    memset(p, 0, sizeof *p);
    if (collective_check(m, a, c, err) < 0)
        return -1;

    struct collective_build b = {
        .p = p,
        .m = m,
        .c = c,
        .nodes = phase && phase->on_node ? 1 : c->nodes,
        .ranks = c->nodes * c->ranks_per_node,
        .per_group = c->ranks_per_node / c->groups,
    };
    plan_init(p, m, a->name, b.nodes, c->ranks_per_node, NULL);
    p->working_set_B =
        2.0 * b.ranks * (double)c->bytes * (a->leaders ? b.per_group : 1);
    b.after = xcalloc((size_t)b.nodes * c->ranks_per_node, sizeof *b.after);
    collective_spread(&b);
    for (unsigned round = 0; round < c->rounds || round == 0; round++)
        for (const struct collective_phase *f = a->phases; f->build; f++)
            if (!phase || f == phase)
                f->build(&b);
    free(b.after);
    return 0;
}
