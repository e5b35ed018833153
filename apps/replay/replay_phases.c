/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phases of the trace that a strategy sends: their ranks meet once they have
 * begun their batches, and continue from the first wait. */
#include "apps/replay/replay_state.h"
#include "apps/replay/splice.h"

#include <stdlib.h>

/* A phase: first its members that have come, later the ends of its
 * operations. */
struct replay_phase {
    uint32_t came;
    uint32_t *after; /* one per rank of it; NULL if none has come */
    uint64_t *place;
    bool there; /* it is in the plan, and after[] has its ends */
};

void replay_phases_init(struct replay *r)
{
    const struct trace_phases *p = r->o->phases;

    if (!r->o->strategy)
        return;
    r->phases = xcalloc(p->n, sizeof *r->phases);
    for (uint32_t i = 0; i < r->t->ranks; i++)
        r->ranks[i].batch = p->first_batch[i];
}

void replay_phases_clear(struct replay *r)
{
    for (uint32_t i = 0; r->phases && i < r->o->phases->n; i++) {
        free(r->phases[i].after);
        free(r->phases[i].place);
    }
    free(r->phases);
}

static struct splice_ranks replay_where(const struct replay *r,
                                        const struct trace_phase *p)
{
    const struct placement *at = r->o->placement;

    return (struct splice_ranks){
        .slot = at ? at->slot : NULL,
        .ranks_per_node = r->p->ranks_per_node,
        .host = !p->in_gpu && !r->o->all_in_gpus,
    };
}

/* Adds the phase to the plan, because all of its ranks have come. */
static int replay_splice(struct replay *r, uint32_t number, struct err *err)
{
    const struct trace_phase *p = &r->o->phases->phases[number];
    struct replay_phase *of = &r->phases[number];
    const struct splice_ranks where = replay_where(r, p);
    size_t first = r->p->nops;
    struct splice s;

    if (splice_make(&s, r->o->strategy, r->m, p, &where, &r->o->exchange, err) <
        0)
        return -1;
    splice_add(&s, r->p, r->m, p, &where, of->after);
    splice_clear(&s);
    for (size_t i = first; i < r->p->nops; i++)
        plan_origin_place(r->origin, i + 1,
                          of->place[trace_phase_member(p, r->p->ops[i].src)]);
    of->there = true;
    for (uint32_t i = 0; i < p->nranks; i++)
        replay_wake(r, p->ranks[i]);
    return 0;
}

/* Notes that the rank has begun all of its batch. */
static int replay_phase_come(struct replay *r, uint32_t rank, uint32_t number,
                             struct err *err)
{
    const struct trace_phase *p = &r->o->phases->phases[number];
    struct replay_phase *of = &r->phases[number];
    struct replay_rank *at = &r->ranks[rank];
    uint32_t member = trace_phase_member(p, rank);

    if (of->there)
        return 1;
    if (at->came)
        return 0;
    if (!of->after) {
        of->after = xcalloc(p->nranks, sizeof *of->after);
        of->place = xcalloc(p->nranks, sizeof *of->place);
    }
    of->after[member] = replay_join(r, rank);
    of->place[member] = at->e.place;
    replay_place(r, rank);
    at->came = true;
    at->phase_epoch = at->epoch;
    if (++of->came < p->nranks)
        return 0;
    return replay_splice(r, number, err) < 0 ? -1 : 1;
}

/* Makes the rank wait for its operations since, and for its part of the phase,
 * which began after its operations before. */
static void replay_phase_wait(struct replay *r, uint32_t rank, uint32_t number)
{
    struct replay_phase *of = &r->phases[number];
    struct replay_rank *at = &r->ranks[rank];
    uint32_t end =
        of->after[trace_phase_member(&r->o->phases->phases[number], rank)];

    replay_flush(r, rank);
    if (at->epoch == at->phase_epoch) {
        replay_go_on(r, rank, end);
    } else {
        replay_deps_add(&at->after, end);
        at->epoch++;
    }
    at->came = false;
}

int replay_in_phase(struct replay *r, uint32_t rank, struct err *err)
{
    const struct trace_phases *p = r->o->phases;
    struct replay_rank *at = &r->ranks[rank];

    if (!r->phases || at->batch == p->first_batch[rank + 1])
        return REPLAY_NO_PHASE;
    const struct trace_batch *b = &p->batches[at->batch];
    bool begins = at->e.call == TRACE_SEND || at->e.call == TRACE_RECV;
    if (at->events < b->first || (!begins && at->e.call != TRACE_WAIT))
        return REPLAY_NO_PHASE;
    if (begins && at->events < b->begin)
        return 1;
    if (begins && at->events == b->begin)
        return replay_phase_come(r, rank, b->phase, err);
    if (begins || at->events < b->wait)
        return REPLAY_NO_PHASE;
    if (at->events == b->wait)
        replay_phase_wait(r, rank, b->phase);
    at->batch += at->events == b->end;
    return 1;
}
