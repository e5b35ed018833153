/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events of traces that are graphs: each depends on the events that it names,
 * not on all before it, and may be done outside its rank's CPU. */
#include "apps/replay/replay_state.h"

#include <inttypes.h>

/* Adds the dependencies of an operation, because the event begins when it
 * begins. */
static void replay_free_with(struct replay *r, uint32_t rank, uint32_t op)
{
    const struct plan *p = r->p;

    for (uint32_t i = plan_first_dep(p, op); i < plan_end_dep(p, op); i++)
        replay_deps_add(&r->ranks[rank].after, p->deps[i]);
}

/* Collects the dependencies of the event; returns 1 if all exist, 0 if a
 * collective does not exist yet, -1 on an error. */
static int replay_free_after(struct replay *r, uint32_t rank, struct err *err)
{
    struct replay_rank *of = &r->ranks[rank];
    const struct trace_event *e = &of->e;

    of->after.n = 0;
    for (size_t i = 0; i < e->nrequests + e->nstarted; i++) {
        const struct request_of *q =
            requests_find(&of->requests, e->requests[i]);
        if (!q)
            return trace_fail(r->t, rank, e, err,
                              "comes after %" PRIu64
                              ", which is not before it in the trace",
                              e->requests[i]);
        if (q->pending)
            return 0;
        if (q->op == NO_OP)
            continue;
        if (i < e->nrequests)
            replay_deps_add(&of->after, q->op);
        else
            replay_free_with(r, rank, q->op & DEP_OP);
    }
    return 1;
}

static int replay_free_compute(struct replay *r, uint32_t rank, struct err *err)
{
    const struct trace_event *e = &r->ranks[rank].e;
    double work_s;

    if (replay_compute_s(r, rank, &work_s, err) < 0)
        return -1;
    uint32_t op = plan_work_beside(r->p, rank, e->lane, work_s);
    replay_hang(r, rank);
    if (e->request != NO_REQUEST)
        replay_request(r, rank, e->request, op);
    return 1;
}

/* Does an event that takes no time, because it still orders those after it. */
static int replay_free_nothing(struct replay *r, uint32_t rank, struct err *err)
{
    const struct trace_event *e = &r->ranks[rank].e;
    uint32_t joined = replay_join(r, rank);

    if (e->request != NO_REQUEST)
        replay_request(r, rank, e->request, joined);
    return replay_event(r, rank, err);
}

int replay_free(struct replay *r, uint32_t rank, struct err *err)
{
    struct replay_rank *of = &r->ranks[rank];
    bool message = of->e.call == TRACE_SEND || of->e.call == TRACE_RECV;
    bool collective =
        of->e.call == TRACE_COLLECTIVE || of->e.call == TRACE_COMM;
    int result = of->arrived ? 1 : replay_free_after(r, rank, err);

    r->origin->graph = true;
    if (result <= 0)
        return result;
    if (of->e.call == TRACE_COMPUTE)
        result = replay_free_compute(r, rank, err);
    else if (message || collective)
        result = replay_event(r, rank, err);
    else
        result = replay_free_nothing(r, rank, err);
    if (result > 0)
        of->after.n = 0;
    return result;
}
