/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs plans in child processes, since SimGrid keeps global state, and reads
 * their times back. */
#include "sim/plan/exec.h"

#include "base/child.h"
#include "sim/plan/exec_ops.h"

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

double exec_accuracy(const struct exec_options *o, const struct plan *p)
{
    size_t flows = 0;

    o = or_defaults(o);
    if (o->engine == ENGINE_SIMGRID)
        return 0;
    if (o->accuracy >= 0)
        return o->accuracy;
    for (size_t i = 0; p && i < p->nops; i++)
        flows += p->ops[i].kind != OP_WORK && p->ops[i].kind != OP_RECV;
    return flows > AUTO_EXACT ? AUTO_TOLERANCE : 0;
}

enum engine_kind exec_engine(const struct exec_options *o)
{
    return or_defaults(o)->engine;
}

void exec_settle(struct engine *e, const struct exec_options *o,
                 const struct plan *p)
{
    engine_set_tolerance(e, exec_accuracy(o, p));
    engine_set_max_events(e, or_defaults(o)->max_events);
}

void exec_result_clear(struct exec_result *r)
{
    free(r->ops);
    free(r->partner);
    free(r->waits);
    free(r->links);
    memset(r, 0, sizeof *r);
}

/* --- one plan, everything ----------------------------------------------- */

struct one_job {
    const struct machine *m;
    const struct plan *p;
    const struct exec_options *o;
    bool details;
};

static bool has_receives(const struct plan *p)
{
    for (size_t i = 0; i < p->nops; i++)
        if (p->ops[i].kind == OP_SEND || p->ops[i].kind == OP_RECV)
            return true;
    return false;
}

void exec_result_init(struct exec_result *r, const struct plan *p, bool details)
{
    *r = (struct exec_result){0};
    r->ops = xcalloc(p->nops, sizeof *r->ops);
    if (details)
        r->waits = xcalloc(p->nops, sizeof *r->waits);
    if (has_receives(p))
        r->partner = xcalloc(p->nops, sizeof *r->partner);
}

/* The parts of a result that there are, by put() or by get(). */
static int pass_ops(struct exec_result *r, size_t nops, int fd,
                    int (*pass)(int fd, void *data, size_t bytes))
{
    if (pass(fd, r->ops, nops * sizeof *r->ops) < 0 ||
        pass(fd, r->partner, r->partner ? nops * sizeof *r->partner : 0) < 0 ||
        pass(fd, r->waits, r->waits ? nops * sizeof *r->waits : 0) < 0)
        return -1;
    return 0;
}

static int put(int fd, void *data, size_t bytes)
{
    return child_put(fd, data, bytes);
}

static void one_in_child(const void *arg, int fd)
{
    const struct one_job *job = arg;
    size_t nops = job->p->nops;
    struct exec_result r;
    struct err err = {0};
    int status = -1;

    exec_result_init(&r, job->p, job->details);
    struct engine *e =
        engine_new(exec_engine(job->o), job->m, job->p->nodes, &err);
    if (e) {
        exec_settle(e, job->o, job->p);
        status = exec_ops(&r, e, job->m, job->p, &err);
    }
    if (child_put_status(fd, status, &err) < 0 || status < 0)
        return;
    struct link_use *uses = NULL;
    size_t used = job->details ? engine_links_used(e, &uses) : 0;
    if (pass_ops(&r, nops, fd, put) < 0 ||
        child_put(fd, &used, sizeof used) < 0 ||
        child_put(fd, uses, used * sizeof *uses) < 0)
        return;
}

static double makespan(const struct plan *p, const struct op_times *ops)
{
    double time = 0;

    for (size_t i = 0; i < p->nops; i++)
        if (ops[i].end_s > time)
            time = ops[i].end_s;
    return time;
}

static bool read_result(struct exec_result *r, const struct one_job *job,
                        int fd)
{
    const struct plan *p = job->p;

    exec_result_init(r, p, job->details);
    r->accuracy = exec_accuracy(job->o, p);
    if (pass_ops(r, p->nops, fd, child_get) < 0 ||
        child_get(fd, &r->nlinks, sizeof r->nlinks) < 0)
        return false;
    r->links = xcalloc(r->nlinks, sizeof *r->links);
    if (child_get(fd, r->links, r->nlinks * sizeof *r->links) < 0)
        return false;
    r->time_s = makespan(p, r->ops);
    return true;
}

int exec_plan(struct exec_result *r, const struct machine *m,
              const struct plan *p, const struct exec_options *o, bool details,
              struct err *err)
{
    struct one_job job = {m, p, o, details};
    struct child child;

    memset(r, 0, sizeof *r);
    if (plan_check(p, m, err) < 0)
        return -1;
    if (child_spawn(&child, one_in_child, &job, err) < 0)
        return -1;

    int status = child_get_status(child.from, err);
    bool complete = status == 0 && read_result(r, &job, child.from);
    int reaped = child_reap(&child, complete || status == 1, err);
    if (status == 0 && reaped == 0)
        return 0;
    exec_result_clear(r);
    return -1;
}

/* --- many plans, times only --------------------------------------------- */

/* Past this a double's clock is too coarse for SimGrid's precision of 1e-15 s,
 * so a fresh child goes on. */
#define CLOCK_LIMIT_S 1.0

struct many_job {
    const struct machine *m;
    const struct timed_plan *plans;
    size_t nplans;
    const struct exec_options *o;
    unsigned nodes;
};

static void many_in_child(const void *arg, int fd)
{
    const struct many_job *job = arg;
    struct err err = {0};
    struct engine *e =
        engine_new(exec_engine(job->o), job->m, job->nodes, &err);

    if (!e) {
        child_put_status(fd, -1, &err);
        return;
    }
    for (size_t i = 0; i < job->nplans; i++) {
        const struct plan *p = job->plans[i].plan;
        exec_settle(e, job->o, p);
        struct exec_result r;
        double time = 0;

        exec_result_init(&r, p, false);
        int status = exec_ops(&r, e, job->m, p, &err);
        if (status == 0)
            time = job->plans[i].measure ? job->plans[i].measure(p, r.ops)
                                         : makespan(p, r.ops);
        exec_result_clear(&r);
        if (child_put_status(fd, status, &err) < 0 || status < 0 ||
            child_put(fd, &time, sizeof time) < 0)
            return;
        engine_rewind(e);
        if (engine_now(e) > CLOCK_LIMIT_S)
            return;
    }
}

/* Plans [0, n) as far as one child gets: their number, or -1. */
static long run_some(double *times_s, const struct many_job *job,
                     struct err *err)
{
    struct child child;
    size_t done = 0;
    int status = 0;

    if (child_spawn(&child, many_in_child, job, err) < 0)
        return -1;
    while (done < job->nplans) {
        status = child_get_status(child.from, err);
        if (status ||
            child_get(child.from, &times_s[done], sizeof *times_s) < 0)
            break;
        done++;
    }
    if (status == 1) {
        child_reap(&child, true, err);
        return -1;
    }
    /* Ending early after at least one plan is a child that made room. */
    if (child_reap(&child, done > 0, err) < 0)
        return -1;
    return (long)done;
}

int exec_times(double *times_s, const struct machine *m,
               const struct timed_plan *plans, size_t nplans,
               const struct exec_options *o, struct err *err)
{
    struct many_job job = {m, plans, nplans, o, 0};

    for (size_t i = 0; i < nplans; i++) {
        if (plan_check(plans[i].plan, m, err) < 0)
            return -1;
        if (plans[i].plan->nodes > job.nodes)
            job.nodes = plans[i].plan->nodes;
    }
    while (job.nplans) {
        long done = run_some(times_s, &job, err);
        if (done < 0)
            return -1;
        job.plans += done;
        job.nplans -= (size_t)done;
        times_s += done;
    }
    return 0;
}
