/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates plans on SimGrid in child processes and reads the results from
 * them. */
#include "sim/plan/exec_child.h"

#include "base/child.h"

#include <stdlib.h>
#include <string.h>

/* --- one plan, everything ------------------------------------------------- */

/* A result on its way to or from a child, one part after the other. */
struct passing {
    int fd;
    int (*pass)(int fd, void *data, size_t bytes); /* puts or gets */
    bool failed;
};

static int exec_put(int fd, void *data, size_t bytes)
{
    return child_put(fd, data, bytes);
}

static void pass(struct passing *p, void *data, size_t bytes)
{
    p->failed = p->failed || p->pass(p->fd, data, bytes) < 0;
}

/* Passes a list of n items, which both sides have, or neither. */
static void pass_known(struct passing *p, void *list, size_t n, size_t size)
{
    pass(p, list, list ? n * size : 0);
}

/* Passes a list and its number of items; returns the list, which is allocated
 * if it is new. */
static void *pass_list(struct passing *p, void *list, size_t *n, size_t size)
{
    pass(p, n, sizeof *n);
    if (!list && *n && !p->failed)
        list = xcalloc(*n, size);
    pass(p, list, p->failed ? 0 : *n * size);
    return list;
}

static int pass_result(struct passing p, struct exec_result *r, size_t nops)
{
    size_t nwaits = r->waits.n, nhosts = r->nhosts;

    pass(&p, &r->time_s, sizeof r->time_s);
    pass(&p, &r->steps, sizeof r->steps);
    pass_known(&p, r->ops, nops, sizeof *r->ops);
    pass_known(&p, r->sent_s, nops, sizeof *r->sent_s);
    pass_known(&p, r->partner, nops, sizeof *r->partner);
    pass_known(&p, r->waits.last, nops, sizeof *r->waits.last);
    r->waits.list =
        pass_list(&p, r->waits.list, &nwaits, sizeof *r->waits.list);
    r->waits.n = r->waits.room = (uint32_t)nwaits;
    pass(&p, &r->links_used, sizeof r->links_used);
    r->links = pass_list(&p, r->links, &r->nlinks, sizeof *r->links);
    r->queues = pass_list(&p, r->queues, &r->nqueues, sizeof *r->queues);
    pass(&p, &r->windows_s, sizeof r->windows_s);
    r->hosts = pass_list(&p, r->hosts, &nhosts, sizeof *r->hosts);
    r->nhosts = (uint32_t)nhosts;
    return p.failed ? -1 : 0;
}

static void exec_one_in_child(const void *arg, int fd)
{
    const struct one_job *job = arg;
    struct exec_result r;
    struct err err = {0};
    int status = exec_loop_here(&r, job, &err);

    if (child_put_status(fd, status, &err) == 0 && status == 0)
        (void)pass_result((struct passing){fd, exec_put, false}, &r,
                          job->l->body.nops);
}

static bool exec_read_result(struct exec_result *r, const struct one_job *job,
                             int fd)
{
    exec_result_init(r, job->l, job->keep);
    r->accuracy = exec_loop_accuracy(job->o, job->l);
    return pass_result((struct passing){fd, child_get, false}, r,
                       job->l->body.nops) == 0;
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
