/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checks of requests, and plans phase by phase. */
#include "strategies/collective/collective.h"

#include "strategies/collective/collective_steps.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether each rank has a block of its own. */
static bool collective_in_blocks(enum collective_kind kind)
{
    return kind == COLLECTIVE_ALLGATHER || kind == COLLECTIVE_REDUCE_SCATTER ||
           kind == COLLECTIVE_ALLTOALL;
}

static int collective_check_size(const struct collective_algorithm *a,
                                 const struct collective *c, struct err *err)
{
    uint64_t element = c->element_B ? c->element_B : 1;
    uint64_t blocks = collective_in_blocks(c->kind) ? collective_ranks(c) : 1;

    if (c->bytes % (element * blocks))
        return fail(err,
                    "%s: %llu bytes are no whole elements of %llu B for %llu "
                    "ranks",
                    a->name, (unsigned long long)c->bytes,
                    (unsigned long long)element, (unsigned long long)blocks);
    if (c->root >= collective_ranks(c))
        return fail(err, "%s: root %u of %u ranks", a->name, c->root,
                    collective_ranks(c));
    return 0;
}

static int collective_check_segments(const struct collective_algorithm *a,
                                     const struct collective *c,
                                     struct err *err)
{
    uint64_t segments = collective_segments(c);

    if (segments <= collective_most_segments(c))
        return 0;
    return fail(err, "%s: %llu segments of %llu B for %u ranks: at most %llu",
                a->name, (unsigned long long)segments,
                (unsigned long long)c->segment_B, collective_ranks(c),
                (unsigned long long)collective_most_segments(c));
}

static int collective_check_gpus(const struct collective_algorithm *a,
                                 const struct machine *m,
                                 const struct collective *c, struct err *err)
{
    unsigned per_gpu = collective_per_gpu(c);
    const struct copy_table *copies = &m->copies;

    if (c->memory != COLLECTIVE_HOST && copies->mps && copies->mps_clients &&
        per_gpu > copies->mps_clients)
        return fail(err,
                    "%s: MPS serves at most %u processes of a GPU of %s, not "
                    "%u",
                    a->name, copies->mps_clients, m->name, per_gpu);

    if (c->memory == COLLECTIVE_HOST ||
        c->ranks_per_node <= (uint64_t)m->ngpus * per_gpu)
        return 0;
    return fail(err, "%s: %s has %u GPUs a node, for %u ranks with %u on each",
                a->name, m->name, m->ngpus, c->ranks_per_node, per_gpu);
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
    unsigned groups = c->groups ? c->groups : 1;
    if (groups > 1 && !a->grouped)
        return fail(err, "%s: has no groups", a->name);
    if (c->ranks_per_node % groups)
        return fail(err, "%s: %u ranks a node do not make %u equal groups",
                    a->name, c->ranks_per_node, groups);
    if (c->mixed && (a->by_node || a->shared))
        return fail(err,
                    "%s: the ranks of a node are not consecutive, which it "
                    "relies on",
                    a->name);
    const char *why = a->refuses ? a->refuses(c) : NULL;
    if (why)
        return fail(err, "%s: %s", a->name, why);
    if (collective_check_gpus(a, m, c, err) < 0 ||
        collective_check_segments(a, c, err) < 0)
        return -1;
    return collective_check_size(a, c, err);
}

/* --- plans ---------------------------------------------------------------- */

static void collective_spread(struct collective_build *b)
{
    uint32_t ranks = b->nodes * b->c->ranks_per_node;

    for (uint32_t r = 0; r < ranks && b->c->spread_s > 0; r++)
        b->after[r] = (struct collective_after){
            {plan_work(b->p, r, b->c->spread_s * r / ranks)}, 1};
}

static void collective_build_all(struct collective_build *b,
                                 const struct collective_algorithm *a,
                                 const struct collective_phase *phase)
{
    if (!phase)
        collective_stage(b, true);
    for (const struct collective_phase *f = a->phases; f->build; f++)
        if (!phase || f == phase) {
            f->build(b);
            collective_step(b);
        }
    if (!phase)
        collective_stage(b, false);
}

static void collective_open(struct collective_build *b,
                            const struct collective_algorithm *a)
{
    const struct collective *c = b->c;

    collective_empty(b->p, b, a);
    b->after = xcalloc((size_t)b->nodes * c->ranks_per_node, sizeof *b->after);
    b->steps = collective_steps_new(b->nodes * c->ranks_per_node);
}

int collective_loop(struct loop *l, const struct machine *m,
                    const struct collective_algorithm *a,
                    const struct collective *c, struct err *err)
{
    memset(l, 0, sizeof *l);
    if (!a->make_loop && !a->sections[0].build)
        return 1;
    if (collective_check(m, a, c, err) < 0)
        return -1;
    if (a->make_loop)
        return a->make_loop(l, m, a, c, err);
    collective_make_sections(l, m, a, c);
    return 0;
}

/* Makes the plan of all steps of the loop. */
static int collective_plan_loop(struct plan *p, const struct machine *m,
                                const struct collective_algorithm *a,
                                const struct collective *c, struct err *err)
{
    struct loop l;
    int result = collective_loop(&l, m, a, c, err);

    assert(result <= 0);
    if (result == 0)
        result = loop_unroll(p, &l, err);
    loop_clear(&l);
    return result;
}

void collective_plan_by(struct plan *p, const struct machine *m,
                        const struct collective *c,
                        void (*build)(struct collective_build *b, void *arg),
                        void *arg)
{
    static const struct collective_algorithm none = {.name = "collective"};
    struct collective_build b;

    memset(p, 0, sizeof *p);
    b = collective_begin(p, m, c, c->nodes);
    collective_open(&b, &none);
    build(&b, arg);
    free(b.after);
    collective_steps_free(b.steps);
}

int collective_plan(struct plan *p, const struct machine *m,
                    const struct collective_algorithm *a,
                    const struct collective_phase *phase,
                    const struct collective *c, struct err *err)
{
    memset(p, 0, sizeof *p);
    if (!a->phases[0].build)
        return collective_plan_loop(p, m, a, c, err);
    if (collective_check(m, a, c, err) < 0)
        return -1;

    struct collective_build b =
        collective_begin(p, m, c, phase && phase->on_node ? 1 : c->nodes);
    collective_open(&b, a);
    collective_spread(&b);
    for (unsigned round = 0; round < c->rounds || round == 0; round++)
        collective_build_all(&b, a, phase);
    free(b.after);
    collective_steps_free(b.steps);
    return 0;
}
