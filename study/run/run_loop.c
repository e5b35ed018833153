/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates candidates that run in steps, of which only those under way are
 * kept in memory. */
#include "study/run/run_loop.h"

#include "base/seconds.h"
#include "sim/plan/exec_processes.h"

#include <math.h>

/* Returns whether the loop has too many messages to be planned as a whole: a
 * plan of more than AUTO_EXACT is not simulated exactly. */
static bool run_is_long(const struct loop *l)
{
    uint64_t flows = 0;

    for (unsigned part = 0; part <= l->nmore; part++)
        flows +=
            (uint64_t)loop_part_steps(l, part) * plan_flows(loop_body(l, part));
    return flows > AUTO_EXACT;
}

/* Makes a collective in steps that are all alike: those of its own loop; or, if
 * it is long, sections of it, which then cost less than the whole plan. */
static int run_make_collective(struct run_steps *s, const struct job *j,
                               const struct choice *c, struct err *err)
{
    const struct kept_plan *kept = job_kept(j, c);
    struct collective asked = job_collective(j);

    if (kept && kept->loop.steps) {
        s->loop = &kept->loop;
        s->rounded = kept->rounded;
    }
    if (kept && (kept->loop.steps || kept->plan.nops))
        return 0;
    int result =
        collective_loop(&s->room, j->machine, c->algorithm, &asked, err);

    if (result)
        return result < 0 ? 1 : 0;
    if (!c->algorithm->make_loop && !run_is_long(&s->room))
        return 0;
    s->loop = &s->room;
    s->rounded = !c->algorithm->make_loop && collective_rounds(&asked);
    return 0;
}

/* Returns whether a collective may run as a loop; not if the times of each
 * operation are asked for, because those are of a plan, unless there is no plan
 * of it. */
static bool run_takes_loop(const struct job *j, const struct choice *c,
                           const struct run_options *options)
{
    bool of_each = options->keep_times || j->every_step;

    if (!c->algorithm || options->timeline || j->placement.slot)
        return false;
    return !of_each || !c->algorithm->phases[0].build;
}

/* Makes the loop of a plan that is repeated. */
static int run_make_repeated(struct run_steps *s, const struct job *j,
                             const struct choice *c, struct err *err)
{
    struct plan of_one;
    const struct plan *p = job_plan(&of_one, j, c, err);

    if (!p)
        return 1;
    loop_repeat(&s->room, p, j->repeat);
    plan_clear(&of_one);
    s->loop = &s->room;
    return 0;
}

/* Returns whether a collective or strategy is not NCCL's although settings of
 * NCCL change the machine's links, which others would use as they are. */
static bool run_has_nccl_links(const struct job *j, const struct choice *c)
{
    const struct nccl_settings *s = &j->machine->nccl.settings;
    enum runtime by = c->algorithm ? c->algorithm->runtime : c->runtime;

    return (s->no_ib || s->no_p2p) && (c->algorithm || c->strategy) &&
           !runtime_is_of_nccl(by);
}

int run_steps_make(struct run_steps *s, const struct job *j,
                   const struct choice *c, const struct run_options *options,
                   struct err *err)
{
    double begin = seconds();
    int result = 0;

    *s = (struct run_steps){0};
    if (j->told && c->untold) {
        err_set(err, ERR_INPUT, __FILE__, __LINE__,
                "%s: no library of %s can be told to take it: %s", c->name,
                j->machine->name, c->untold);
        return 1;
    }
    if (run_has_nccl_links(j, c)) {
        err_set(err, ERR_INPUT, __FILE__, __LINE__,
                "%s: NCCL_IB_DISABLE and NCCL_P2P_DISABLE are for NCCL alone",
                c->name);
        return 1;
    }
    if (j->load.loop.steps)
        s->loop = &j->load.loop;
    else if (j->repeat > 1)
        result = run_make_repeated(s, j, c, err);
    else if (run_takes_loop(j, c, options))
        result = run_make_collective(s, j, c, err);
    if (result == 0 && s->loop && c->runtime) {
        s->under = *s->loop;
        plan_carry_by(&s->under.body, j->machine, c->runtime);
        s->loop = &s->under;
        result = runtime_check(&s->under.body, j->machine, err) < 0;
    }
    if (result == 0 && s->loop && options->timeline)
        result = fail(err, "--timeline: not of what is done in steps");
    s->wall_s = seconds() - begin;
    return result;
}

void run_steps_clear(struct run_steps *s)
{
    loop_clear(&s->room);
}

static void run_count_step(struct report *r, const struct machine *m,
                           const struct loop *l, uint32_t step)
{
    for (uint32_t i = 0; i < l->body.nops; i++) {
        struct op o = loop_op(l, step, i);
        report_count_op(r, m, &l->body, &o);
    }
}

static void run_count_part(struct report *all, const struct machine *m,
                           const struct plan *body, uint64_t steps)
{
    struct report r = {0};

    for (uint32_t i = 0; i < body->nops; i++)
        report_count_op(&r, m, body, &body->ops[i]);
    for (int where = 0; where < NLOCALITIES; where++) {
        all->messages[where] += r.messages[where] * steps;
        all->bytes[where] += r.bytes[where] * steps;
    }
    if (r.largest_B > all->largest_B)
        all->largest_B = r.largest_B;
    all->copies += r.copies * steps;
    all->copied_bytes += r.copied_bytes * steps;
}

/* Counts each step separately if messages turn, because then the steps
 * differ. */
static void run_count(struct report *r, const struct machine *m,
                      const struct loop *l)
{
    for (uint32_t step = 0; l->turning && step < l->steps; step++)
        run_count_step(r, m, l, step);
    for (unsigned part = 0; !l->turning && part <= l->nmore; part++)
        run_count_part(r, m, loop_body(l, part),
                       (uint64_t)loop_part_steps(l, part) * loop_alike(l));
}

static void run_loop_sum_up(struct outcome *o, const struct machine *m,
                            const struct run_steps *s,
                            const struct exec_result *x)
{
    o->in_steps = true;
    o->rounded = s->rounded;
    o->loop = x->steps;
    o->time_s = x->time_s;
    o->accuracy = x->accuracy;
    o->work = x->work;
    o->links = x->links;
    o->nlinks = x->nlinks;
    o->links_used = x->links_used;
    o->hosts = x->hosts;
    o->nhosts = x->nhosts;
    o->windows_s = x->windows_s;
    o->durations.mean = NAN;
    run_count(&o->report, m, s->loop);
    for (int where = 0; where < NLOCALITIES; where++)
        o->durations.n += o->report.messages[where];
    /* A loop has no steps if there is one rank, because it sends nothing. */
    if (o->loop.steps)
        o->durations.n = o->durations.n / o->loop.steps * o->loop.simulated;
}

/* Adds the launches of a repeated kernel but the first. A rank launches it
 * again once its own part of the last step is complete, and steps depend on
 * each other through ranks alone; so each step is later by one launch more. But
 * a step takes at least as long as the CPU's calls for it. */
static void run_add_launches(struct exec_result *x, const struct job *j,
                             const struct loop *l)
{
    if (j->repeat > 1) {
        x->time_s += (j->repeat - 1) * l->body.begin_s;
        x->steps.period_s += x->steps.period * l->body.begin_s;
        x->time_s = fmax(x->time_s, j->repeat * l->body.calls_s);
        x->steps.period_s =
            fmax(x->steps.period_s, x->steps.period * l->body.calls_s);
    } else {
        x->time_s = fmax(x->time_s, l->body.calls_s);
    }
}

int run_loop(struct outcome *o, const struct job *j, const struct run_steps *s,
             struct err *err)
{
    struct exec_options exec = j->exec ? *j->exec : exec_defaults;
    double begin = seconds();
    struct exec_result x;

    exec.every_step = j->every_step;
    if (exec_loop(&x, j->machine, s->loop, &exec, EXEC_LINKS, err) < 0)
        return -1;
    run_add_launches(&x, j, s->loop);
    o->plan_wall_s = s->wall_s;
    o->run_wall_s = seconds() - begin;
    run_loop_sum_up(o, j->machine, s, &x);
    x.links = NULL; /* because they are the outcome's now */
    x.hosts = NULL;
    exec_result_clear(&x);
    return 0;
}
