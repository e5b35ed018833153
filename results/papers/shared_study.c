/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates collectives of ranks that share GPUs on helios and odin. */
#include "results/papers/shared_study.h"

#include "platforms/platform.h"
#include "sim/plan/exec.h"
#include "strategies/collective/collective.h"
#include "strategies/shared_gpu/copy_choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const unsigned shared_shapes[NSHARED_SHAPES][2] = {
    {2, 2}, {2, 4}, {2, 8}, {2, 12}, {4, 2}, {4, 4}, {4, 6}, {8, 2}, {8, 3}};

int shared_size_of(uint64_t bytes)
{
    int i = 0;

    while (shared_size(i) < bytes)
        i++;
    return i;
}

int shared_study_open(struct shared_study *s, const char *const *sets,
                      size_t nsets, struct err *err)
{
    static const char *const names[] = {"helios", "odin", "odin"};
    const char **all = xcalloc(nsets + 1, sizeof *all);
    int result = 0;

    *s = (struct shared_study){0};
    for (size_t i = 0; i < nsets; i++)
        all[i] = sets[i];
    all[nsets] = "copies.mps=false";
    for (int i = 0; i < NSHARED_MACHINES && result == 0; i++)
        result = platform_load(&s->machines[i], names[i], all,
                               nsets + (i == ON_ODIN_NO_MPS), err);
    free(all);
    return result;
}

void shared_study_close(struct shared_study *s)
{
    for (int i = 0; i < NSHARED_MACHINES; i++)
        machine_clear(&s->machines[i]);
    free(s->known);
}

static bool shared_same(const struct shared_case *a,
                        const struct shared_case *b)
{
    return a->on == b->on && a->kind == b->kind && a->nodes == b->nodes &&
           a->gpus == b->gpus && a->per_gpu == b->per_gpu &&
           a->bytes == b->bytes && !strcmp(a->algorithm, b->algorithm);
}

/* Returns the time that osu_allreduce and osu_allgather print: the mean over
 * the ranks of the time from a barrier to the rank's end. */
static double shared_mean_end_s(const struct plan *p,
                                const struct exec_result *r)
{
    uint32_t ranks = p->nodes * p->ranks_per_node;
    double *end_s = xcalloc(ranks, sizeof *end_s), sum_s = 0;

    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        uint32_t rank = o->kind == OP_MSG ? o->dst : o->src;
        end_s[rank] = fmax(end_s[rank], r->ops[i].end_s);
    }
    for (uint32_t i = 0; i < ranks; i++)
        sum_s += end_s[i];
    free(end_s);
    return sum_s / ranks;
}

static int shared_simulate(struct shared_known *k, const struct machine *m,
                           struct err *err)
{
    const struct shared_case *x = &k->c;
    const struct collective_algorithm *a =
        collective_find(x->kind, x->algorithm, err);
    struct collective c = {.kind = x->kind,
                           .nodes = x->nodes,
                           .ranks_per_node = x->gpus * x->per_gpu,
                           .bytes = x->bytes,
                           .element_B = 4,
                           .memory = COLLECTIVE_DEVICE,
                           .per_gpu = x->per_gpu};
    struct exec_result r;
    struct plan p;

    if (x->kind == COLLECTIVE_ALLGATHER)
        c.bytes *= (uint64_t)x->nodes * c.ranks_per_node;
    if (!a || collective_plan(&p, m, a, NULL, &c, err) < 0)
        return -1;
    int result = exec_plan(&r, m, &p, NULL, EXEC_DETAILS, err);
    if (result == 0)
        k->time_s = shared_mean_end_s(&p, &r);
    choice_count(&p, x->nodes, &k->in, &k->out);
    exec_result_clear(&r);
    plan_clear(&p);
    return result;
}

const struct shared_known *
shared_study_get(struct shared_study *s, struct shared_case c, struct err *err)
{
    for (size_t i = 0; i < s->n; i++)
        if (shared_same(&s->known[i].c, &c))
            return &s->known[i];
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 256;
        s->known = xrealloc(s->known, s->room, sizeof *s->known);
    }
    s->known[s->n] = (struct shared_known){.c = c};
    return shared_simulate(&s->known[s->n], &s->machines[c.on], err) < 0
               ? NULL
               : &s->known[s->n++];
}

int shared_study_pairs(double *time_s, const struct shared_study *s,
                       enum shared_machine on, unsigned host, uint64_t bytes,
                       struct err *err)
{
    const struct machine *m = &s->machines[on];
    struct exec_result r;
    struct plan p;

    choice_pairs(&p, m, SHARED_PAIRS, host, bytes);
    int result = exec_plan(&r, m, &p, NULL, 0, err);
    *time_s = r.time_s;
    exec_result_clear(&r);
    plan_clear(&p);
    return result;
}
