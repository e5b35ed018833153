/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Moves a loaded job to other machines of the same shape, together with its
 * plans. */
#include "study/run/job_again.h"

#include "platforms/shape.h"
#include "sim/plan/exec_processes.h"
#include "study/run/graph_rounds.h"
#include "study/run/run_loop.h"
#include "study/run/shapes.h"

#include <stdlib.h>
#include <string.h>

int job_on_machine(struct job *on, const struct job *job,
                   const struct machine *machine, struct err *err)
{
    const char *differs = machine_shape_differs(job->machine, machine);

    if (differs)
        return fail(err, "%s: the machine has another shape than %s: %s",
                    job->words, job->machine->name, differs);
    *on = *job;
    on->own = (struct machine){0};
    on->machine = machine;
    on->cap_moved = !job->options.message_cap_B &&
                    machine_rendezvous_limit(machine) !=
                        machine_rendezvous_limit(job->machine);
    if (job->placement.slot) {
        on->placed = placement_machine(&on->placement, machine);
        on->machine = &on->placed;
    }
    return 0;
}

/* The most operations of all kept plans of a job's collectives: some 100 MB. */
enum { MOST_KEPT = 1 << 21 };

static bool loop_of_costs(const struct loop *l)
{
    for (unsigned part = 0; part <= l->nmore; part++)
        if (loop_body(l, part)->of_costs)
            return true;
    return false;
}

static void keep_plan(struct kept_plan *k, const struct job *j,
                      const struct choice *c)
{
    struct err why;

    if (!job_plan(&k->plan, j, c, &why))
        k->plan = (struct plan){0};
}

/* Keeps the steps or the plan of a candidate, whichever job_time() would use,
 * unless it is too large or depends on costs. Adds its operations to *nkept. */
static void keep_collective(struct kept_plan *k, uint64_t *nkept,
                            const struct job *j, const struct choice *c)
{
    const struct run_options options = {0};
    struct run_steps steps;
    struct err why;

    if (run_steps_make(&steps, j, c, &options, &why)) {
        run_steps_clear(&steps);
        return;
    }
    if (steps.loop) {
        k->loop = steps.room;
        k->rounded = steps.rounded;
    } else {
        run_steps_clear(&steps);
        keep_plan(k, j, c);
    }
    *nkept += k->plan.nops;
    if (*nkept > MOST_KEPT || k->plan.of_costs ||
        (k->loop.steps && loop_of_costs(&k->loop))) {
        *nkept -= k->plan.nops;
        plan_clear(&k->plan);
        loop_clear(&k->loop);
        *k = (struct kept_plan){0};
    }
}

void job_keep_plans(struct job_plans *plans, struct job *job)
{
    uint64_t nkept = 0;
    bool halo = job_shape(job)->closed_forms;

    *plans = (struct job_plans){0};
    if (!halo && !job->workload->collective)
        return;
    plans->n = job->nchoices;
    plans->of = xcalloc(plans->n, sizeof *plans->of);
    struct job planner = *job;
    planner.options.no_pieces = true;
    for (size_t i = 0; i < plans->n; i++) {
        if (halo)
            keep_plan(&plans->of[i], &planner, &job->choices[i]);
        else
            keep_collective(&plans->of[i], &nkept, &planner, &job->choices[i]);
    }
    job->kept = plans;
}

void job_plans_clear(struct job_plans *plans)
{
    for (size_t i = 0; i < plans->n; i++) {
        plan_clear(&plans->of[i].plan);
        loop_clear(&plans->of[i].loop);
    }
    free(plans->of);
    *plans = (struct job_plans){0};
}

/* Simulates a plan, which is the job's or made here, and sets *time_s to its
 * makespan. */
static int time_plan(double *time_s, const struct job *j,
                     const struct choice *c, const struct exec_options *exec,
                     struct err *err)
{
    struct exec_result x;
    struct plan room, under;
    const struct plan *p = job_plan(&room, j, c, err);

    if (!p)
        return 1;
    under = *p;
    if (c->runtime)
        plan_carry_by(&under, j->machine, c->runtime);
    int result = runtime_check(&under, j->machine, err) < 0;
    if (result == 0)
        result = exec_plan(&x, j->machine, &under, exec, EXEC_MAKESPAN, err);
    if (result == 0) {
        *time_s = x.time_s;
        exec_result_clear(&x);
    }
    plan_clear(&room);
    return result;
}

static int time_outcome(double *time_s, const struct job *j,
                        const struct choice *c, const struct run_steps *steps,
                        struct err *err)
{
    const struct run_options options = {.times_only = true, .asked_only = true};
    struct outcome o = {0};
    int result = steps->loop ? run_loop(&o, j, steps, err)
                 : j->rounds ? run_rounds(&o, j, c, &options, err)
                             : job_run_one(&o, j, c, &options, err);

    *time_s = o.time_s;
    outcome_clear(&o);
    return result;
}

int job_time(double *time_s, const struct job *job, const struct choice *c,
             const struct node_routes *node_routes, struct err *err)
{
    const struct run_options options = {0};
    struct exec_options exec = job->exec ? *job->exec : exec_defaults;
    struct job with_candidates = *job;
    struct run_steps steps = {0};

    exec.node_routes = node_routes;
    exec.jobs = 1;
    with_candidates.exec = &exec;
    with_candidates.options.no_pieces = true;
    bool agents = job->workload->algorithm;
    int result =
        agents ? 0 : run_steps_make(&steps, &with_candidates, c, &options, err);
    if (result == 0 && (agents || steps.loop))
        result = time_outcome(time_s, &with_candidates, c, &steps, err);
    else if (result == 0)
        result = time_plan(time_s, &with_candidates, c, &exec, err);
    run_steps_clear(&steps);
    return result;
}
