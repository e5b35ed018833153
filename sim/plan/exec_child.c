/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates plans on SimGrid in child processes and reads the results from
 * them. */
#include "sim/plan/exec_child.h"

#include "base/child.h"

#include <stdlib.h>
#include <string.h>

/* --- one plan, everything ------------------------------------------------- */

/* Passes those parts of a result that exist, by put() or by get(). */
static int exec_pass_ops(struct exec_result *r, size_t nops, int fd,
                         int (*pass)(int fd, void *data, size_t bytes))
{
    if (pass(fd, r->ops, r->ops ? nops * sizeof *r->ops : 0) < 0 ||
        pass(fd, r->sent_s, r->sent_s ? nops * sizeof *r->sent_s : 0) < 0 ||
        pass(fd, r->partner, r->partner ? nops * sizeof *r->partner : 0) < 0)
        return -1;
    struct op_waits *w = &r->waits;
    if (!w->last)
        return 0;
    if (pass(fd, &w->n, sizeof w->n) < 0)
        return -1;
    if (!w->list)
        w->list = xcalloc(w->room = w->n, sizeof *w->list);
    if (pass(fd, w->list, w->n * sizeof *w->list) < 0 ||
        pass(fd, w->last, nops * sizeof *w->last) < 0)
        return -1;
    return 0;
}

static int exec_put(int fd, void *data, size_t bytes)
{
    return child_put(fd, data, bytes);
}

static void exec_one_in_child(const void *arg, int fd)
{
    const struct one_job *job = arg;
    struct exec_result r;
    struct err err = {0};
    int status = exec_loop_here(&r, job, &err);

    if (child_put_status(fd, status, &err) < 0 || status < 0)
        return;
    if (child_put(fd, &r.time_s, sizeof r.time_s) < 0 ||
        exec_pass_ops(&r, job->l->body.nops, fd, exec_put) < 0 ||
        child_put(fd, &r.nlinks, sizeof r.nlinks) < 0 ||
        child_put(fd, &r.links_used, sizeof r.links_used) < 0 ||
        child_put(fd, r.links, r.nlinks * sizeof *r.links) < 0 ||
        child_put(fd, &r.nqueues, sizeof r.nqueues) < 0 ||
        child_put(fd, r.queues, r.nqueues * sizeof *r.queues) < 0 ||
        child_put(fd, &r.windows_s, sizeof r.windows_s) < 0 ||
        child_put(fd, &r.nhosts, sizeof r.nhosts) < 0 ||
        child_put(fd, r.hosts, r.nhosts * sizeof *r.hosts) < 0)
        return;
}

static bool exec_read_result(struct exec_result *r, const struct one_job *job,
                             int fd)
{
    exec_result_init(r, job->l, job->keep);
    r->accuracy = exec_loop_accuracy(job->o, job->l);
    if (child_get(fd, &r->time_s, sizeof r->time_s) < 0 ||
        exec_pass_ops(r, job->l->body.nops, fd, child_get) < 0 ||
        child_get(fd, &r->nlinks, sizeof r->nlinks) < 0 ||
        child_get(fd, &r->links_used, sizeof r->links_used) < 0)
        return false;
    r->links = xcalloc(r->nlinks, sizeof *r->links);
    if (child_get(fd, r->links, r->nlinks * sizeof *r->links) < 0 ||
        child_get(fd, &r->nqueues, sizeof r->nqueues) < 0)
        return false;
    r->queues = xcalloc(r->nqueues, sizeof *r->queues);
    if (child_get(fd, r->queues, r->nqueues * sizeof *r->queues) < 0 ||
        child_get(fd, &r->windows_s, sizeof r->windows_s) < 0 ||
        child_get(fd, &r->nhosts, sizeof r->nhosts) < 0)
        return false;
    if (!r->nhosts)
        return true;
    r->hosts = xcalloc(r->nhosts, sizeof *r->hosts);
    return child_get(fd, r->hosts, r->nhosts * sizeof *r->hosts) == 0;
}

int exec_loop_in_child(struct exec_result *r, const struct one_job *job,
                       struct err *err)
{
    struct child child;

    if (engine_prepare(ENGINE_SIMGRID, err) < 0 ||
        child_spawn(&child, exec_one_in_child, job, err) < 0)
        return -1;
    int status = child_get_status(child.from, err);
    bool complete = status == 0 && exec_read_result(r, job, child.from);
    int reaped = child_reap(&child, complete || status == 1, err);
    if (status == 0 && reaped == 0)
        return 0;
    exec_result_clear(r);
    return -1;
}

/* --- many plans, times only ----------------------------------------------- */

/* If the time exceeds this, a double's clock is too coarse for SimGrid's
 * precision of 1e-15 s, so a fresh child continues. */
#define CLOCK_LIMIT_S 1.0

static void exec_many_in_child(const void *arg, int fd)
{
    const struct many_job *job = arg;
    struct err err = {0};
    struct engine *e = exec_engine_for(job->m, job->o, job->nodes, &err);

    if (!e) {
        child_put_status(fd, -1, &err);
        return;
    }
    for (size_t i = 0; i < job->nplans; i++) {
        double time = 0;
        int status = exec_time_of(&time, e, job, i, &err);
        if (child_put_status(fd, status, &err) < 0 || status < 0 ||
            child_put(fd, &time, sizeof time) < 0)
            return;
        if (engine_now(e) > CLOCK_LIMIT_S)
            return;
    }
}

/* Runs plans [0, n) as far as one child gets; returns their number, or -1. */
static long exec_run_some(double *times_s, const struct many_job *job,
                          struct err *err)
{
    struct child child;
    size_t done = 0;
    int status = 0;

    if (engine_prepare(ENGINE_SIMGRID, err) < 0 ||
        child_spawn(&child, exec_many_in_child, job, err) < 0)
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
    /* A child may end early after at least one plan, because its clock is
     * full. */
    if (child_reap(&child, done > 0, err) < 0)
        return -1;
    return (long)done;
}

int exec_times_in_children(double *times_s, const struct many_job *job,
                           struct err *err)
{
    struct many_job rest = *job;

    while (rest.nplans) {
        long done = exec_run_some(times_s, &rest, err);
        if (done < 0)
            return -1;
        rest.plans += done;
        rest.nplans -= (size_t)done;
        times_s += done;
    }
    return 0;
}
