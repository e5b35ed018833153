/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranks of a replay: where they are, how long they compute, and whether
 * they can continue. */
#include "apps/replay/replay_state.h"

#include <math.h>

unsigned replay_node(const struct replay *r, uint32_t rank)
{
    const struct placement *at = r->o->placement;

    return at && at->slot ? at->slot[rank] / at->ranks_per_node
                          : rank / r->p->ranks_per_node;
}

void replay_wake(struct replay *r, uint32_t rank)
{
    struct replay_rank *of = &r->ranks[rank];

    if (of->queued || of->ended)
        return;
    of->queued = true;
    r->queue[r->nqueue++] = rank;
}

int replay_compute_s(struct replay *r, uint32_t rank, double *out,
                     struct err *err)
{
    const struct trace_event *e = &r->ranks[rank].e;
    double work_s = e->work_s;

    if (isnan(work_s) && e->work_flops > 0)
        work_s = e->work_flops / r->o->flops;
    else if (isnan(work_s))
        work_s = isnan(e->end_s - e->begin_s) ? 0 : e->end_s - e->begin_s;
    if (!(work_s >= 0 && work_s <= 1e12))
        return trace_fail(r->t, rank, e, err,
                          "computes for %g s: expected 0 to 1e12", work_s);
    *out = work_s * r->o->compute_scale;
    return 0;
}

uint32_t replay_gpu(const struct replay *r, uint32_t rank)
{
    return plan_gpu_of(r->p, r->m->ngpus, rank);
}
