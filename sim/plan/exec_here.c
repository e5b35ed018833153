/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs loops and plans in this process: prepares the state, runs the engine,
 * collects the results. */
#include "sim/plan/exec_here.h"

#include "sim/plan/exec_processes.h"
#include "sim/plan/exec_steps.h"
#include "sim/plan/fold.h"
#include "sim/plan/forbidden.h"

#include <stdlib.h>
#include <string.h>

/* --- results -------------------------------------------------------------- */

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

double exec_loop_accuracy(const struct exec_options *o, const struct loop *l)
{
    return exec_accuracy(o, plan_flows(&l->body) * loop_alike(l) *
                                (l->turning ? l->steps : 1));
}

void exec_result_init(struct exec_result *r, const struct loop *l,
                      enum exec_keep keep)
{
    const struct plan *p = &l->body;
    uint64_t nops = loop_ops(l);

    *r = (struct exec_result){.steps.steps = loop_steps(l),
                              .steps.ops = p->nops * loop_alike(l),
                              .counts_queues = keep >= EXEC_QUEUES};
    if (keep >= EXEC_TIMES)
        r->ops = xcalloc(nops, sizeof *r->ops);
    if (keep >= EXEC_SENT)
        r->sent_s = xcalloc(nops, sizeof *r->sent_s);
    if (keep >= EXEC_DETAILS)
        waits_init(&r->waits, nops);
    if (p->match) /* because it has receives */
        r->partner = xcalloc(p->nops, sizeof *r->partner);
}

/* --- a run ---------------------------------------------------------------- */

static void here_init(struct exec *x, struct engine *e)
{
    const struct plan *p = &x->l->body;

    fabric_init(&x->fabric, e, x->m, p->nodes, p->ranks_per_node, p->core);
    x->fabric.channel_work = p->channel_work;
    fabric_working_set(&x->fabric, plan_working_set(p));
    if (p->lanes)
        fabric_lanes(&x->fabric, p->lanes);
    x->fabric.user = x;
    x->fabric.issued = p->issued;
    exec_parts_init(x);
    if (x->plan)
        x->fabric.behind = x->only->place;
    if (x->partner)
        exec_match_init(x);
    exec_set_events(x);
    if (x->repeats)
        x->fabric.hides_s = exec_hides_s(x);
    if (x->transport->rules)
        exec_host_processes_init(x);
}

static void here_clear(struct exec *x)
{
    exec_host_processes_clear(x);
    fabric_clear(&x->fabric);
    exec_parts_clear(x);
    free(x->probes);
    repeats_free(x->repeats);
}

/* Returns -1 and an error if the run was not a valid one. */
static int here_check(const struct exec *x, struct err *err)
{
    if (exec_host_processes_broken(x, err) < 0 || exec_stuck(x, err) < 0)
        return -1;
    if (x->fabric.queues &&
        forbidden_in_run(x->plan, x->m, match_queues_broken(x->fabric.queues),
                         err) < 0)
        return -1;
    if (x->waits && x->waits->full)
        return fail(err,
                    "more than %u waits of operations are too many to store",
                    x->waits->most);
    return 0;
}

/* Runs a loop; nic_stands is that of the fabric, or NULL. */
static int here_run(struct exec_result *r, struct engine *e,
                    const struct machine *m, const struct loop *l,
                    const uint32_t *nic_stands, struct err *err)
{
    struct exec x = {.transport = transports[l->body.runtime],
                     .m = m,
                     .l = l,
                     .times = r->ops,
                     .sent_s = r->sent_s,
                     .waits = r->waits.last ? &r->waits : NULL,
                     .counts = &r->steps,
                     .repeats = l->repeats && !r->ops ? repeats_new() : NULL,
                     .counts_queues =
                         r->counts_queues ||
                         (r->waits.last && m->matching.engine != MATCHER_NONE),
                     .partner = r->partner,
                     .truncated = NO_OP};

    here_init(&x, e);
    x.fabric.nic_stands = nic_stands;
    engine_after(e, l->body.begin_s, exec_begin, &x);
    int result = engine_run(e, err);
    if (result == 0)
        result = here_check(&x, err);
    r->time_s = x.last_s + x.skipped_s;
    r->steps.simulated = x.nsteps;
    if (x.waits && x.fabric.queues)
        r->queues = match_queues_counts(x.fabric.queues, &r->nqueues);
    if (result == 0)
        exec_host_processes_sum_up(r, &x);
    else
        (void)fail_in(err, "%s", l->body.name);
    here_clear(&x);
    return result;
}

int exec_loop_on(struct exec_result *r, struct engine *e,
                 const struct machine *m, const struct loop *l, struct err *err)
{
    return here_run(r, e, m, l, NULL, err);
}

/* Runs the loop, or its fold, whose operations stand for all of its. */
static int here_run_folded(struct exec_result *r, struct engine *e,
                           const struct one_job *job, const struct loop *l,
                           const struct fold *fold, struct err *err)
{
    const struct exec_options *o = job->o ? job->o : &exec_defaults;

    if (fold)
        engine_fold(e, fold->links);
    r->accuracy = exec_loop_accuracy(o, l);
    r->steps.simulated_ops = l->body.nops;
    exec_prepare(e, o, r->accuracy);
    if (o->rate_bins && job->keep >= EXEC_DETAILS)
        engine_keep_rates(e, o->rate_bins);
    if (here_run(r, e, job->m, l, fold ? fold->nics : NULL, err) < 0)
        return -1;
    if (fold)
        fold_carry(fold, job->m, job->l, e);
    r->work = engine_solver_work(e);
    engine_link_rates(e, &r->rates);
    if (job->keep >= EXEC_LINKS)
        r->nlinks =
            engine_links_used(e, o->most_links, &r->links, &r->links_used);
    return 0;
}

int exec_loop_here(struct exec_result *r, const struct one_job *job,
                   struct err *err)
{
    const struct exec_options *o = job->o ? job->o : &exec_defaults;
    struct engine *e = exec_engine_for(job->m, o, job->l->body.nodes, err);
    struct loop l = *job->l;
    struct fold fold;

    memset(r, 0, sizeof *r);
    if (!e)
        return -1;
    l.repeats = l.repeats && !o->every_step;
    exec_result_init(r, &l, job->keep);
    bool folds = job->folds && fold_make(&fold, job->m, &l, e);
    int result = here_run_folded(r, e, job, folds ? &fold.loop : &l,
                                 folds ? &fold : NULL, err);
    if (folds)
        fold_clear(&fold);
    if (result < 0)
        exec_result_clear(r);
    engine_free(e);
    return result;
}

int exec_time_of(double *time_s, struct engine *e, const struct many_job *job,
                 size_t plan, struct err *err)
{
    const struct timed_plan *t = &job->plans[plan];
    const struct loop l = loop_of_plan(t->plan);
    struct exec_result r;

    exec_prepare(e, job->o, exec_accuracy(job->o, plan_flows(t->plan)));
    exec_result_init(&r, &l, t->measure ? EXEC_TIMES : EXEC_MAKESPAN);
    int result = exec_loop_on(&r, e, job->m, &l, err);
    if (result == 0)
        *time_s = t->measure ? t->measure(t->plan, r.ops) : r.time_s;
    exec_result_clear(&r);
    if (result == 0)
        engine_rewind(e);
    return result;
}
