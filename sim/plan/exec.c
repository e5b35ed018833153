/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs plans in this process, or on SimGrid in processes of their own. */
#include "sim/plan/exec.h"

#include "base/jobs.h"
#include "sim/plan/exec_child.h"
#include "sim/plan/exec_teams.h"
#include "sim/plan/exec_ops.h"
#include "sim/plan/plan_check.h"

#include <stdlib.h>
#include <string.h>

const struct exec_options exec_defaults = {
    .engine = ENGINE_FLUID,
    .accuracy = ACCURACY_AUTO,
    .max_events = 10000000000,
};

static const struct exec_options *or_defaults(const struct exec_options *o)
{
    return o ? o : &exec_defaults;
}

double exec_accuracy_of(const struct exec_options *o, size_t flows)
{
    o = or_defaults(o);
    if (o->engine != ENGINE_FLUID)
        return 0;
    if (o->accuracy >= 0)
        return o->accuracy;
    return flows > AUTO_EXACT ? AUTO_TOLERANCE : 0;
}

double exec_accuracy(const struct exec_options *o, const struct plan *p)
{
    return exec_accuracy_of(o, p ? plan_flows(p) : 0);
}

enum engine_kind exec_engine(const struct exec_options *o)
{
    return or_defaults(o)->engine;
}

void exec_settle(struct engine *e, const struct exec_options *o,
                 double accuracy)
{
    engine_set_tolerance(e, accuracy);
    engine_set_max_events(e, or_defaults(o)->max_events);
}

void exec_result_clear(struct exec_result *r)
{
    free(r->ops);
    free(r->sent_s);
    free(r->partner);
    waits_clear(&r->waits);
    free(r->links);
    link_rates_clear(&r->rates);
    free(r->queues);
    free(r->hosts);
    memset(r, 0, sizeof *r);
}

struct engine *exec_engine_for(const struct machine *m,
                               const struct exec_options *o, unsigned nodes,
                               struct err *err)
{
    o = or_defaults(o);
    return engine_new_with(o->engine, m, o->ways, nodes, err);
}

/* --- one plan, everything ------------------------------------------------- */

void exec_result_init(struct exec_result *r, const struct plan *p,
                      enum exec_keep keep)
{
    *r = (struct exec_result){0};
    if (keep >= EXEC_TIMES)
        r->ops = xcalloc(p->nops, sizeof *r->ops);
    if (keep >= EXEC_SENT)
        r->sent_s = xcalloc(p->nops, sizeof *r->sent_s);
    r->counts_queues = keep >= EXEC_QUEUES;
    if (keep >= EXEC_DETAILS)
        waits_init(&r->waits, p->nops);
    if (p->match) /* because it has receives */
        r->partner = xcalloc(p->nops, sizeof *r->partner);
}

int exec_plan_here(struct exec_result *r, const struct one_job *job,
                   struct err *err)
{
    const struct plan *p = job->p;
    struct engine *e = exec_engine_for(job->m, job->o, p->nodes, err);

    memset(r, 0, sizeof *r);
    if (!e)
        return -1;
    exec_result_init(r, p, job->keep);
    r->accuracy = exec_accuracy(job->o, p);
    exec_settle(e, job->o, r->accuracy);
    if (job->o && job->o->rate_bins && job->keep >= EXEC_DETAILS)
        engine_keep_rates(e, job->o->rate_bins);
    int result = exec_ops(r, e, job->m, p, err);
    if (result == 0) {
        r->work = engine_solver_work(e);
        engine_link_rates(e, &r->rates);
        if (job->keep >= EXEC_DETAILS)
            r->nlinks = engine_links_used(e, job->o ? job->o->most_links : 0,
                                          &r->links, &r->links_used);
    } else {
        exec_result_clear(r);
    }
    engine_free(e);
    return result;
}

int exec_plan(struct exec_result *r, const struct machine *m,
              const struct plan *p, const struct exec_options *o,
              enum exec_keep keep, struct err *err)
{
    struct one_job job = {m, p, o, keep};

    memset(r, 0, sizeof *r);
    if (plan_check(p, m, err) < 0 || runtime_check(p, m, err) < 0)
        return -1;
    return exec_engine(o) == ENGINE_SIMGRID ? exec_plan_in_child(r, &job, err)
                                            : exec_plan_here(r, &job, err);
}

/* --- many plans, times only ----------------------------------------------- */

int exec_time_of(double *time_s, struct engine *e, const struct many_job *job,
                 size_t plan, struct err *err)
{
    const struct timed_plan *t = &job->plans[plan];
    struct exec_result r;

    exec_settle(e, job->o, exec_accuracy(job->o, t->plan));
    exec_result_init(&r, t->plan, t->measure ? EXEC_TIMES : EXEC_MAKESPAN);
    int result = exec_ops(&r, e, job->m, t->plan, err);
    if (result == 0)
        *time_s = t->measure ? t->measure(t->plan, r.ops) : r.time_s;
    exec_result_clear(&r);
    if (result == 0)
        engine_rewind(e);
    return result;
}

struct many_at_once {
    const struct many_job *job;
    double *times_s;
    struct engine **engines; /* one per worker, NULL if not made yet */
};

static int exec_time_at(void *arg, unsigned worker, size_t i, struct err *err)
{
    const struct many_at_once *at = arg;
    const struct many_job *job = at->job;
    struct engine **e = &at->engines[worker];

    if (!*e && !(*e = exec_engine_for(job->m, job->o, job->nodes, err)))
        return -1;
    return exec_time_of(&at->times_s[i], *e, job, i, err);
}

static int exec_times_here(double *times_s, const struct many_job *job,
                           struct err *err)
{
    unsigned jobs = job->o && job->o->jobs ? job->o->jobs : 1;
    struct many_at_once at = {job, times_s, xcalloc(jobs, sizeof(void *))};
    int result = jobs_run(job->nplans, jobs, exec_time_at, &at, err);

    for (unsigned i = 0; i < jobs; i++)
        if (at.engines[i])
            engine_free(at.engines[i]);
    free(at.engines);
    return result;
}

int exec_times(double *times_s, const struct machine *m,
               const struct timed_plan *plans, size_t nplans,
               const struct exec_options *o, struct err *err)
{
    struct many_job job = {m, plans, nplans, o, 0};

    for (size_t i = 0; i < nplans; i++) {
        if (plan_check(plans[i].plan, m, err) < 0 ||
            runtime_check(plans[i].plan, m, err) < 0)
            return -1;
        if (plans[i].plan->nodes > job.nodes)
            job.nodes = plans[i].plan->nodes;
    }
    if (!nplans)
        return 0;
    return exec_engine(o) == ENGINE_SIMGRID
               ? exec_times_in_children(times_s, &job, err)
               : exec_times_here(times_s, &job, err);
}
