/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a collective around its steps: its phases by name, segments, the
 * cores of its ranks, copies to hosts and back. */
#include "strategies/collective/collective.h"

#include "strategies/collective/collective_steps.h"

#include <stdlib.h>
#include <string.h>

const char *const collective_exchange_names[] = {"pairwise", "nonblocking"};

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

/* The limit is on messages: each segment is one of each rank. */
uint64_t collective_most_segments(const struct collective *c)
{
    return (UINT64_C(1) << 24) / collective_ranks(c);
}

uint64_t collective_segments(const struct collective *c)
{
    return c->segment_B ? c->bytes / c->segment_B : 0;
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
