/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of collectives as plans, one or several that follow each other, and
 * their rows. */
#include "validate/measure/call.h"

#include "strategies/collective/libraries/library.h"

#include <stdio.h>

/* A loop of calls has no barrier, so that its ranks run ahead of each other; it
 * is unrolled as long as the plan stays small. */
enum { LOOP_ROUNDS = 6, LOOP_WARM_UP = 2, LOOP_MAX_OPS = 4000 };

/* --- the plan ------------------------------------------------------------- */

struct collective experiment_call(const struct experiment *x)
{
    enum collective_kind kind = x->collective->kind;

    return (struct collective){.kind = kind,
                               .nodes = x->nodes,
                               .ranks_per_node = x->ranks_per_node,
                               .ranks = x->ranks,
                               .bytes = x->bytes,
                               .element_B = 4,
                               .segment_B = x->segment_B,
                               .per_gpu = x->per_gpu,
                               .by_thread = x->by_thread,
                               .calls = x->in_graph ? CALLS_GRAPH : CALLS_ROW,
                               .out_of_place = (x->placed || x->out_of_place) &&
                                               kind != COLLECTIVE_ALLTOALL &&
                                               kind != COLLECTIVE_BROADCAST,
                               .memory = x->staged ? COLLECTIVE_STAGED
                                         : x->gpu  ? COLLECTIVE_DEVICE
                                                   : COLLECTIVE_HOST};
}

int call_loop(struct plan *p, const struct machine *m,
              const struct experiment *x, const struct collective_phase *phase,
              struct collective c, double spread_s, struct err *err)
{
    if (collective_plan(p, m, x->collective, phase, &c, err) < 0)
        return -1;
    if (p->nops > LOOP_MAX_OPS)
        return 0;
    plan_clear(p);
    c.rounds = LOOP_ROUNDS;
    c.spread_s = spread_s;
    return collective_plan(p, m, x->collective, phase, &c, err);
}

int call_plan(struct plan *p, const struct machine *m,
              const struct experiment *x, struct err *err)
{
    struct collective c = experiment_call(x);

    if (collective_plan(p, m, x->collective, NULL, &c, err) < 0)
        return -1;
    return x->placed && x->placed->known
               ? placement_apply(&x->placed->placement, m, p, err)
               : 0;
}

int call_loop_plan(struct plan *p, const struct machine *m,
                   const struct experiment *x, struct err *err)
{
    return call_loop(p, m, x, NULL, experiment_call(x), 1e-6, err);
}

static double last_end(const struct op_times *ops, size_t n)
{
    double end = 0;

    for (size_t i = 0; i < n; i++)
        if (ops[i].end_s > end)
            end = ops[i].end_s;
    return end;
}

/* The ranks' late starts come first if the loop was unrolled. */
double call_loop_measure(const struct plan *p, const struct op_times *ops)
{
    size_t ranks = (size_t)p->nodes * p->ranks_per_node;

    if (p->ops[0].kind != OP_WORK)
        return last_end(ops, p->nops);
    size_t round = (p->nops - ranks) / LOOP_ROUNDS;
    return (last_end(ops, p->nops) -
            last_end(ops, ranks + LOOP_WARM_UP * round)) /
           (LOOP_ROUNDS - LOOP_WARM_UP);
}

/* --- rows ----------------------------------------------------------------- */

const char *call_refusal(const struct experiment *x)
{
    struct collective c = experiment_call(x);

    return x->collective->refuses ? x->collective->refuses(&c) : NULL;
}

/* Finds the choice of the library. Returns 1 if there is no plan of it. */
int call_by_library(struct row *r, struct experiment *x,
                    const struct collective_library *library,
                    enum collective_kind kind)
{
    /* The library is asked with an algorithm of the kind; any will do. */
    const struct collective_algorithm asked = {.kind = kind};

    x->collective = &asked;
    const struct collective c = experiment_call(x);
    const struct library_choice choice = library_choose(library, r->m, &c);
    x->collective = choice.ours;
    if (!choice.ours)
        return leave_out(r, "%s of %s: no plan of what it takes",
                         collective_kind_names[kind], library->name);
    return 0;
}

int call_gpu_ranks(struct row *r, struct experiment *x, unsigned per_node)
{
    if (x->gpu && per_node > r->m->ngpus * (x->per_gpu ? x->per_gpu : 1))
        return leave_out(r, "%s has %u GPUs a node, for %u ranks", r->m->name,
                         r->m->ngpus, per_node);
    if (per_node > r->m->ncores)
        return leave_out(r, "%s has %u cores a node, for %u ranks", r->m->name,
                         r->m->ncores, per_node);
    x->ranks_per_node = per_node;
    x->ranks = per_node * x->nodes;
    return 0;
}

void call_gpu_name(struct measured_point *out, const char *kind,
                   const char *how)
{
    const struct experiment *x = &out->x;

    snprintf(out->group, sizeof out->group, "%s/%s/%u", kind, how, x->nodes);
    snprintf(out->label, sizeof out->label, "%u ranks, %llu B%s", x->ranks,
             (unsigned long long)x->bytes, rack(x));
    snprintf(out->decision, sizeof out->decision, "%s, %u nodes, %s", kind,
             x->nodes, out->label);
    snprintf(out->choice, sizeof out->choice, "%s", how);
}
