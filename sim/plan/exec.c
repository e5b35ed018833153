/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs plans and loops in this process, or on SimGrid in processes of their
 * own. */
#include "sim/plan/exec.h"

#include "base/jobs.h"
#include "sim/plan/exec_child.h"
#include "sim/plan/exec_processes.h"
#include "sim/plan/fold.h"
#include "sim/plan/plan_check.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- one plan or loop, everything ----------------------------------------- */

int exec_plan(struct exec_result *r, const struct machine *m,
              const struct plan *p, const struct exec_options *o,
              enum exec_keep keep, struct err *err)
{
    const struct loop l = loop_of_plan(p);
    const struct one_job job = {m, &l, o, keep, .folds = false};

    memset(r, 0, sizeof *r);
    if (plan_check(p, m, err) < 0 || runtime_check(p, m, err) < 0)
        return -1;
    return exec_engine(o) == ENGINE_SIMGRID ? exec_loop_in_child(r, &job, err)
                                            : exec_loop_here(r, &job, err);
}

/* Runs the unrolled plan. */
static int exec_unrolled(struct exec_result *r, const struct one_job *job,
                         struct err *err)
{
    struct exec_options o = job->o ? *job->o : exec_defaults;
    struct plan p;

    o.accuracy = exec_loop_accuracy(job->o, job->l);
    if (loop_unroll(&p, job->l, err) < 0)
        return -1;
    int result = exec_plan(r, job->m, &p, &o, job->keep, err);
    size_t ops = job->l->body.nops * loop_alike(job->l);
    if (result == 0)
        r->steps = (struct exec_steps){.steps = loop_steps(job->l),
                                       .simulated = loop_steps(job->l),
                                       .ops = ops,
                                       .simulated_ops = ops};
    plan_clear(&p);
    return result;
}

int exec_loop(struct exec_result *r, const struct machine *m,
              const struct loop *l, const struct exec_options *o,
              enum exec_keep keep, struct err *err)
{
    bool all =
        keep >= EXEC_TIMES || (o && o->every_step) ||
        (l->of_one_node && (exec_engine(o) != ENGINE_FLUID || !fold_may(l)));
    const struct one_job job = {m, l, o, keep, .folds = !all};

    assert(keep <= EXEC_TIMES);
    *r = (struct exec_result){.accuracy = exec_loop_accuracy(o, l)};
    if (!l->steps || loop_check(l, m, err) < 0)
        return l->steps ? -1 : 0;
    return exec_engine(o) == ENGINE_SIMGRID || l->body.match ||
                   (all && l->of_one_node) || transports[l->body.runtime]->rules
               ? exec_unrolled(r, &job, err)
               : exec_loop_here(r, &job, err);
}

/* --- many plans, times only ----------------------------------------------- */

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
