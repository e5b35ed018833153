/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the ranks of a trace, each until others have to come first, and makes
 * one plan of all. */
#include "apps/replay/replay_state.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* --- one event ------------------------------------------------------------ */

/* Adds the time since the event before, by the clock, to the rank's
 * computation. */
static void replay_gap(struct replay *r, struct replay_rank *of)
{
    double gap_s = of->e.begin_s - of->end_s; /* NAN if it is not known */

    if (gap_s > 0)
        of->work_s += gap_s * r->o->compute_scale;
    if (!isnan(of->e.end_s))
        of->end_s = of->e.end_s;
}

/* Fails if the event has too many bytes; a receive may have room for any
 * number. */
static int replay_check_bytes(const struct replay *r, uint32_t rank,
                              struct err *err)
{
    const struct trace_event *e = &r->ranks[rank].e;

    if (e->bytes <= REPLAY_MOST_B || e->call == TRACE_RECV ||
        e->call == TRACE_OTHER || e->call == TRACE_UNKNOWN)
        return 0;
    return trace_fail(r->t, rank, e, err,
                      "%" PRIu64 " bytes: expected at most 2^53", e->bytes);
}

/* --- all events ----------------------------------------------------------- */

static int replay_read(struct replay *r, uint32_t rank, struct err *err)
{
    struct replay_rank *of = &r->ranks[rank];
    int result = trace_next(r->t, rank, &of->e, err);

    if (result == 0) {
        replay_flush(r, rank);
        of->ended = true;
    }
    if (result <= 0)
        return result;
    if (!of->e.free)
        replay_gap(r, of);
    of->held = true;
    return replay_check_bytes(r, rank, err) < 0 ? -1 : 1;
}

static int replay_too_many(struct replay *r, uint32_t rank, struct err *err)
{
    if (r->p->nops < DEP_OP / 2 && r->p->ndeps < UINT32_MAX / 2)
        return 0;
    return trace_fail(r->t, rank, &r->ranks[rank].e, err,
                      "more than %zu operations: a plan has no room for more",
                      r->p->nops);
}

/* Does events of a rank until others have to come first, or its trace ends. */
static int replay_rank_on(struct replay *r, uint32_t rank, struct err *err)
{
    struct replay_rank *of = &r->ranks[rank];

    for (;;) {
        int result = of->held ? 1 : replay_read(r, rank, err);
        if (result > 0)
            result = of->e.free ? replay_free(r, rank, err)
                                : replay_event(r, rank, err);
        if (result <= 0) {
            replay_place(r, rank);
            return result;
        }
        replay_place(r, rank);
        of->held = false;
        of->events++;
        if (replay_too_many(r, rank, err) < 0)
            return -1;
    }
}

static int replay_run(struct replay *r, struct err *err)
{
    for (uint32_t i = r->t->ranks; i-- > 0;)
        replay_wake(r, i);
    while (r->nqueue) {
        uint32_t rank = r->queue[--r->nqueue];
        r->ranks[rank].queued = false;
        if (replay_rank_on(r, rank, err) < 0)
            return -1;
    }
    return replay_all_came(r, err);
}

/* --- remarks -------------------------------------------------------------- */

static void replay_remarks(struct replay *r)
{
    struct plan_origin *o = r->origin;

    for (size_t i = 0; i < r->t->nremarks; i++)
        plan_origin_remark(o, "%s", r->t->remarks[i]);
    if (r->unknown)
        plan_origin_remark(o,
                           "%" PRIu64 " calls are not understood and left out, "
                           "the first is %s",
                           r->unknown, r->unknown_name);
    if (r->unbegun)
        plan_origin_remark(o,
                           "%" PRIu64 " requests that are waited for begin "
                           "before the trace: left out",
                           r->unbegun);
    if (r->ncancelled)
        plan_origin_remark(o,
                           "%zu receives are cancelled: left out, but for "
                           "%" PRIu64 " that took a message before",
                           r->ncancelled, r->served);
    if (r->phases && r->m->matching.engine != MATCHER_NONE)
        plan_origin_remark(o, "what a strategy brings is matched at no cost, "
                              "unlike what is as given");
    if (r->templates.unchosen)
        plan_origin_remark(o,
                           "%" PRIu64 " kinds of collectives by another "
                           "algorithm than that of --algorithm, which cannot "
                           "be planned for their ranks",
                           r->templates.unchosen);
    if (r->templates.others)
        plan_origin_remark(o,
                           "%" PRIu64 " kinds of collectives by another "
                           "algorithm than the library takes, which cannot "
                           "be planned for their ranks",
                           r->templates.others);
}

/* --- the whole ------------------------------------------------------------ */

/* Moves the ranks to the places of the placement. */
static int replay_moved(struct plan *p, const struct machine *m,
                        const struct placement *at, struct err *err)
{
    if (placement_apply(at, m, p, err) < 0)
        return -1;
    uint32_t slots = p->nodes * p->ranks_per_node;
    p->origin->rank_at = xcalloc(slots, sizeof *p->origin->rank_at);
    for (uint32_t i = 0; i < slots; i++)
        p->origin->rank_at[i] = UINT32_MAX;
    for (uint32_t i = 0; i < at->ranks; i++)
        p->origin->rank_at[at->slot[i]] = i;
    return 0;
}

static int replay_check(const struct trace *t, const struct replay_options *o,
                        struct err *err)
{
    for (uint32_t i = 0; i < t->ranks; i++)
        if (t->rank[i].missing)
            return fail(err,
                        "%s: rank %u of %u is missing: only with all can it be "
                        "simulated",
                        t->path, i, t->ranks);
    if (!(o->compute_scale >= 0 && o->compute_scale <= 1e9))
        return fail(err, "--compute-scale: expected 0 to 1e9, got %g",
                    o->compute_scale);
    return 0;
}

static void replay_open(struct replay *r, const struct plan *shape)
{
    uint32_t ranks = r->t->ranks;

    plan_init(r->p, r->m, shape->name, shape->nodes, shape->ranks_per_node,
              shape->core);
    r->origin = r->p->origin = plan_origin_new(ranks);
    r->ranks = xcalloc(ranks, sizeof *r->ranks);
    r->queue = xcalloc(ranks, sizeof *r->queue);
    r->comms = trace_comms_new(r->t);
    for (uint32_t i = 0; i < ranks; i++) {
        const char *file = r->t->rank[i].file;
        r->origin->file[i] = xstrdup(file ? file : r->t->path);
        r->ranks[i].end_s = NAN;
    }
    replay_phases_init(r);
    r->origin->lines = ranks && r->t->rank[0].places_lines;
}

static void replay_clear(struct replay *r)
{
    for (uint32_t i = 0; r->ranks && i < r->t->ranks; i++) {
        struct replay_rank *of = &r->ranks[i];
        requests_clear(&of->requests);
        free(of->after.items);
        free(of->onesided.items);
        free(of->onesided_to.items);
    }
    replay_collectives_clear(r);
    replay_phases_clear(r);
    templates_clear(&r->templates);
    if (r->comms)
        trace_comms_free(r->comms);
    free(r->cancelled);
    free(r->ranks);
    free(r->queue);
}

int replay_plan(struct plan *p, const struct machine *m, struct trace *t,
                const struct plan *shape, const struct replay_options *o,
                struct err *err)
{
    struct replay r = {.p = p, .m = m, .t = t, .o = o};

    *p = (struct plan){0};
    if (replay_check(t, o, err) < 0 ||
        templates_init(&r.templates, m, o->library, o->algorithms, err) < 0)
        return -1;
    replay_open(&r, shape);
    int result = replay_run(&r, err);
    if (result == 0) {
        replay_balance(&r);
        for (uint32_t i = 0; i < t->ranks; i++)
            r.origin->events += r.ranks[i].events;
        replay_remarks(&r);
    }
    replay_clear(&r);
    if (result == 0 && o->placement && o->placement->slot)
        result = replay_moved(p, m, o->placement, err);
    if (result < 0)
        plan_clear(p);
    return result;
}
