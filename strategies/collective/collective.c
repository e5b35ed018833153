/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of collectives, the checks of requests, and plans phase by
 * phase. */
#include "strategies/collective/collective.h"
#include "base/known.h"

#include "strategies/collective/collective_steps.h"

#include <assert.h>
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

const struct collective_algorithm *
collective_find(enum collective_kind kind, const char *name, struct err *err)
{
    const char *names[sizeof collectives / sizeof collectives[0]];
    size_t n = 0;

    for (size_t i = 0; i < ncollectives; i++) {
        if (collectives[i]->kind != kind)
            continue;
        if (!strcmp(name, collectives[i]->name))
            return collectives[i];
        names[n++] = collectives[i]->name;
    }
    char *hint = known_hint(name, names, n, "sluice list algorithms");
    (void)fail(err, "%s: unknown algorithm of %s%s", name,
               collective_kind_names[kind], hint);
    free(hint);
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

uint32_t collective_ranks(const struct collective *c)
{
    return c->ranks ? c->ranks : c->nodes * c->ranks_per_node;
}

/* --- checks --------------------------------------------------------------- */

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

/* The limit is on messages: each segment is one of each rank. */
uint64_t collective_most_segments(const struct collective *c)
{
    return (UINT64_C(1) << 24) / collective_ranks(c);
}

uint64_t collective_segments(const struct collective *c)
{
    return c->segment_B ? c->bytes / c->segment_B : 0;
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

/* Returns the bytes of a rank's input (in) or result. */
static uint64_t collective_of_rank(const struct collective_build *b,
                                   uint32_t rank, bool in)
{
    const struct collective *c = b->c;

    switch (c->kind) {
    case COLLECTIVE_ALLGATHER:
        return in ? c->bytes / b->ranks : c->bytes;
    case COLLECTIVE_REDUCE_SCATTER:
        return in ? c->bytes : c->bytes / b->ranks;
    case COLLECTIVE_BROADCAST:
        return in == (rank == c->root) ? c->bytes : 0;
    case COLLECTIVE_REDUCE:
        return in || rank == c->root ? c->bytes : 0;
    default:
        return c->bytes;
    }
}

static void collective_copy_own(struct collective_build *b)
{
    for (uint32_t r = 0; r < b->ranks; r++)
        collective_copy(b, r, collective_of_rank(b, r, true));
    collective_step(b);
}

/* Plans the copies between GPU and host if the data are staged, or else the
 * copy of the input to the buffer of the result. */
void collective_stage(struct collective_build *b, bool in)
{
    if (b->c->memory != COLLECTIVE_STAGED) {
        if (in && b->c->out_of_place)
            collective_copy_own(b);
        return;
    }
    for (uint32_t r = 0; r < b->ranks; r++) {
        uint64_t bytes = collective_of_rank(b, r, in);
        if (!bytes)
            continue;
        uint32_t op = plan_copy(b->p, in ? PHASE_COPY_OUT : PHASE_COPY_IN, r,
                                in ? D2H : H2D, collective_gpu_of(b, r), bytes);
        collective_behind(b, r);
        b->after[r] = (struct collective_after){{op}, 1};
    }
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

/* Returns the first core that no rank has, of the socket if one is left
 * there. */
static unsigned collective_free_core(const struct machine *m, bool *taken,
                                     unsigned socket)
{
    unsigned core = 0, any = m->ncores;

    for (; core < m->ncores; core++) {
        if (!taken[core] && machine_core_socket(m, core) == socket)
            break;
        if (!taken[core] && any == m->ncores)
            any = core;
    }
    core = core < m->ncores ? core : any;
    taken[core] = true;
    return core;
}

/* Returns the cores of a node's ranks, which the caller frees. If a GPU has one
 * rank, it gets the GPU's core; if it has several, they get cores of its
 * socket, or any that are left. */
static unsigned *collective_cores(const struct machine *m,
                                  const struct collective *c)
{
    unsigned per_gpu = collective_per_gpu(c);
    unsigned *cores = xcalloc(c->ranks_per_node, sizeof *cores);
    bool *taken = xcalloc(m->ncores, sizeof *taken);

    for (unsigned i = 0; i < c->ranks_per_node; i++)
        cores[i] = per_gpu == 1
                       ? machine_gpu_core(m, i)
                       : collective_free_core(
                             m, taken, machine_gpu(m, i / per_gpu)->socket);
    free(taken);
    return cores;
}

void collective_empty(struct plan *p, const struct collective_build *b,
                      const struct collective_algorithm *a)
{
    const struct collective *c = b->c;
    unsigned *cores =
        c->memory == COLLECTIVE_HOST ? NULL : collective_cores(b->m, c);

    plan_init(p, b->m, a->name, b->nodes, c->ranks_per_node, cores);
    free(cores);
    p->working_set_B = 2.0 * (double)c->bytes * (a->leaders ? b->per_group : 1);
}

static void collective_open(struct collective_build *b,
                            const struct collective_algorithm *a)
{
    const struct collective *c = b->c;

    collective_empty(b->p, b, a);
    b->after = xcalloc((size_t)b->nodes * c->ranks_per_node, sizeof *b->after);
    b->steps = collective_steps_new(b->nodes * c->ranks_per_node);
}

struct collective_build collective_begin(struct plan *p,
                                         const struct machine *m,
                                         const struct collective *c,
                                         unsigned nodes)
{
    unsigned element_B = c->element_B ? c->element_B : 1;

    return (struct collective_build){
        .p = p,
        .m = m,
        .c = c,
        .nodes = nodes,
        .ranks = collective_ranks(c),
        .per_group = c->ranks_per_node / (c->groups ? c->groups : 1),
        .block_B = c->bytes / collective_ranks(c),
        .element_B = element_B,
        .elements = c->bytes / element_B,
    };
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
