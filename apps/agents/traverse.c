/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole run of a graph algorithm: the simulation, and the comparison with a
 * plain computation. */
#include "apps/agents/traverse.h"

#include "base/child.h"
#include "base/seconds.h"
#include "sim/plan/exec.h"
#include "sim/transport/transport.h"
#include "apps/agents/agent.h"
#include "apps/agents/costs.h"
#include "apps/agents/supersteps.h"
#include "apps/agents/traverse_check.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- parameters from the machine and the execution ------------------------ */

/*
 * Returns the time until the end is detected: nobody has work and nothing is
 * under way, but that is known only after each GPU has read the others'
 * counters twice with the same result (persistent), or the CPUs have seen the
 * last kernels' ends and informed each other. If the calls of a step are given,
 * they include this.
 */
static double detection_s(const struct traverse_input *in)
{
    const struct gpu_model *m = &in->m->gpu;

    if (execution_has_calls(in->x))
        return traverse_step(in)->given ? 0 : m->calls.s[GPU_CALL_SYNC];
    if (in->ngpus == 1)
        return 0;
    return 2 * 2 *
           (in->ngpus > in->m->ngpus ? machine_put_s(in->m)
                                     : m->remote_atomic_s);
}

/* Returns the additional time of a round between nodes. */
static double sync_s(const struct traverse_input *in)
{
    return in->ngpus > in->m->ngpus ? in->x->sync_s * log2(in->ngpus) : 0;
}

static double part_s(const struct traverse_input *in, enum step_part part)
{
    return step_part_s(traverse_step(in), part,
                       machine_gpu_calls(in->m, in->ngpus));
}

/* Returns whether its kernel is launched, and waited for, only once. */
static bool is_launched_once(const struct traverse_input *in)
{
    return in->x->kernel == KERNEL_PERSISTENT && traverse_step(in)->given &&
           in->x->schedule == SCHEDULE_ASYNCHRONOUS;
}

/* Returns the times from the start of a step until the CPU and the stream are
 * ready for its work. */
static struct step_clock before(const struct traverse_input *in)
{
    /* Every sender's queue is looked at. */
    uint32_t receive =
        in->x->receive_queues == RECEIVE_PER_GPU ? in->ngpus - 1 : 0;
    double s = in->x->round_s + sync_s(in) + in->x->poll_s * receive +
               part_s(in, STEP_TURN);
    struct step_clock k = {.host_s = s, .stream_s = s};

    if (!is_launched_once(in))
        step_do(&k, traverse_step(in), STEP_BEFORE,
                machine_gpu_calls(in->m, in->ngpus));
    return k;
}

/* Returns the whole time of a step except its work. */
static double step_s(const struct traverse_input *in)
{
    struct step_clock k = before(in);

    return step_clock_s(&k) +
           (is_launched_once(in) ? 0 : part_s(in, STEP_AFTER));
}

static uint64_t workers_of(const struct traverse_input *in)
{
    const struct gpu_model *g = &in->m->gpu;
    uint32_t threads = in->x->worker_threads;

    if (!threads)
        return 1;
    return (uint64_t)g->sms * (g->threads_per_sm / threads);
}

static const struct algorithm_table *run_of(const struct traverse_input *in)
{
    const struct algorithm_table *a = algorithms[in->algorithm];

    return a->choose ? a->choose(in->x) : a;
}

/* If a run in passes does this many times the work of a plain computation, it
 * makes no progress: its GPUs create work faster than they complete it. The
 * factor is assumed. A search has no bound, because depths only fall, so that
 * it ends. */
#define MOST_WORK 100

/* Returns the most arcs that a plain computation visits; INFINITY if the
 * algorithm always ends. */
static double plain_arcs(const struct traverse_input *in)
{
    const struct algorithm_table *a = algorithms[in->algorithm];

    return a->plain_passes ? a->plain_passes(in) * (double)graph_arcs(in->g)
                           : INFINITY;
}

static struct workers_setup workers_setup(const struct traverse_input *in,
                                          struct engine *engine)
{
    const struct execution *x = in->x;
    double step = step_s(in);

    return (struct workers_setup){
        .engine = engine,
        .g = in->g,
        .vertex = in->costs->vertex,
        .unit_s = in->costs->unit_s,
        .gpus = in->costs->gpus,
        .step_s = step,
        .workers = workers_of(in),
        .fetch = x->worker_threads ? x->fetch : UINT32_MAX,
        /* because the CPU sends updates once the kernel has ended */
        .at_end = x->control == CONTROL_CPU,
        /* because in a persistent kernel a dependent step is needed */
        .known_after_s = x->kernel == KERNEL_PERSISTENT ? step : 0,
    };
}

static struct outbox_setup outbox_setup(const struct traverse_input *in,
                                        struct engine *engine,
                                        struct observer *observer)
{
    return (struct outbox_setup){
        .engine = engine,
        .m = in->m,
        .x = in->x,
        .observer = observer,
        .ngpus = in->ngpus,
        .threads = (uint64_t)in->m->gpu.sms * in->m->gpu.threads_per_sm,
        .receive_s = (in->x->control == CONTROL_GPU ? in->latency_s : 0) +
                     step_part_s(traverse_step(in), STEP_RECEIVE_PEER,
                                 machine_gpu_calls(in->m, in->ngpus)) +
                     in->x->sync_rounds[in->algorithm] * sync_s(in),
        .send_s = part_s(in, STEP_SEND) + part_s(in, STEP_SEND_PEER),
    };
}

/* --- the simulation ------------------------------------------------------- */

static void traverse_wake(void *arg)
{
    struct agent *a = arg;

    a->asleep = false;
    agent_start(a);
}

static void traverse_start_all(void *arg)
{
    struct traversal *t = arg;
    struct agent *last = &t->agents[t->in->ngpus - 1];

    if (t->in->ngpus > 1 && t->in->skew_s > 0) {
        last->asleep = true;
        engine_after(t->engine, t->in->skew_s, traverse_wake, last);
    }
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        agent_start(&t->agents[i]);
}

static int traverse_simulate(struct traversal *t, struct err *err)
{
    switch (t->in->x->schedule) {
    case SCHEDULE_BULK_SYNCHRONOUS:
        return supersteps_run(t, err);
    case SCHEDULE_ASYNCHRONOUS:
    case NSCHEDULES:
        break;
    }
    engine_after(t->engine,
                 is_launched_once(t->in) ? part_s(t->in, STEP_BEFORE) : 0,
                 traverse_start_all, t);
    return engine_run(t->engine, err);
}

static void traverse_end(struct traversal *t, struct traverse_result *r)
{
    r->time_s = t->last_s + detection_s(t->in) +
                (is_launched_once(t->in) ? part_s(t->in, STEP_AFTER) : 0);
    t->algorithm->end(t->state);
    for (uint32_t i = 0; i < t->in->ngpus; i++) {
        struct agent *a = &t->agents[i];
        /* nothing may be left anywhere */
        assert(outbox_is_empty(&a->outbox));
        observer_sizes(&t->observer, i, a->queues.most,
                       outbox_destinations(&a->outbox) * t->in->x->batch_B);
    }
    observer_end(&t->observer);
}

/* Makes a process for each GPU. */
static void traverse_make_fabric(struct traversal *t)
{
    const struct machine *m = t->in->m;

    t->cores = xcalloc(m->ngpus, sizeof *t->cores);
    for (unsigned g = 0; g < m->ngpus; g++)
        t->cores[g] = machine_gpu_core(m, g);
    fabric_init(&t->fabric, t->engine, m,
                (t->in->ngpus + m->ngpus - 1) / m->ngpus, m->ngpus, t->cores);
    t->fabric.events = &outbox_events;
    t->fabric.user = &t->outbox;
    t->fabric.issued = step_copies(traverse_step(t->in));
    t->outbox.fabric = &t->fabric;
}

static void traverse_begin(struct traversal *t, struct traverse_result *r)
{
    const struct traverse_input *in = t->in;
    struct task_trace_tracks tracks = {
        in->ngpus, (in->ngpus + in->m->ngpus - 1) / in->m->ngpus};

    t->overflow = NO_OVERFLOW;
    t->algorithm = run_of(in);
    t->most_arcs = MOST_WORK * plain_arcs(in);
    t->workers = workers_setup(in, t->engine);
    t->workers.chunks = &t->chunks;
    struct step_clock k = before(in);
    t->before_s = step_clock_s(&k);
    t->called_s = k.host_s;
    t->outbox = outbox_setup(in, t->engine, &t->observer);
    traverse_make_fabric(t);
    observer_begin(&t->observer, r, tracks, in->x->update_B, in->timeline,
                   in->x->kernel == KERNEL_PERSISTENT ? 2 * t->workers.step_s
                                                      : 0);
    agents_init(t);
}

/* Reports why traversal_fails(). */
static int traverse_fail(const struct traversal *t, struct err *err)
{
    const struct execution *x = t->in->x;

    if (t->overflow != NO_OVERFLOW)
        return fail(err,
                    "the queue of GPU %u overflows: its capacity is %llu "
                    "vertices",
                    t->overflow, (unsigned long long)x->queue_capacity);
    return fail_work(
        err,
        "%s: on %u GPUs of %s it went along %llu arcs, more than %d "
        "times the %.0f of a plain computation, and is not done",
        x->name, t->in->ngpus, t->in->m->name, (unsigned long long)t->arcs,
        MOST_WORK, plain_arcs(t->in));
}

static int traverse_on_engine(struct traversal *t, struct traverse_result *r,
                              struct err *err)
{
    unsigned per_node = t->in->m->ngpus;

    t->engine = engine_new_with(exec_engine(t->in->exec), t->in->m,
                                t->in->exec ? t->in->exec->node_routes : NULL,
                                (t->in->ngpus + per_node - 1) / per_node, err);
    if (!t->engine)
        return -1;
    exec_prepare(t->engine, t->in->exec, exec_accuracy(t->in->exec, 0));
    traverse_begin(t, r);
    if (traverse_simulate(t, err) < 0)
        return -1;
    r->endless = (double)t->arcs > t->most_arcs;
    if (traversal_fails(t))
        return traverse_fail(t, err);
    traverse_end(t, r);
    return 0;
}

static void traverse_clear(struct traversal *t)
{
    if (!t->engine)
        return;
    agents_clear(t);
    fabric_clear(&t->fabric);
    free(t->cores);
    observer_clear(&t->observer);
    engine_free(t->engine);
}

/* --- in this process, or in a child --------------------------------------- */

static void result_init(struct traverse_result *r,
                        const struct traverse_input *in)
{
    const struct algorithm_table *a = algorithms[in->algorithm];

    memset(r, 0, sizeof *r);
    r->runtime = in->x->runtime;
    r->ngpus = in->ngpus;
    r->n = in->g->n;
    r->gpus = xcalloc(in->ngpus, sizeof *r->gpus);
    r->values_B = r->n * a->value_B;
    r->values = xcalloc(1, r->values_B);
    a->show(r);
}

void traverse_result_clear(struct traverse_result *r)
{
    free(r->gpus);
    free(r->values);
    free(r->links);
    free(r->levels);
    task_trace_report_free(r->trace);
    memset(r, 0, sizeof *r);
}

static int traverse_here(struct traverse_result *r,
                         const struct traverse_input *in, struct err *err)
{
    struct traversal t = {.in = in};
    int result = traverse_on_engine(&t, r, err);
    const struct observer *o = &t.observer;

    if (result == 0) {
        size_t used;
        r->nlinks = engine_links_used(t.engine, 0, &r->links, &used);
        if (o->trace)
            r->trace = task_trace_tell(o->trace, &o->used_B, r->time_s);
    }
    traverse_clear(&t);
    return result;
}

struct traverse_job {
    const struct traverse_input *in;
    struct traverse_result *r;
};

/* Sends the result to the parent; returns whether the parent has it. */
static bool traverse_put(const struct traverse_result *r, int fd)
{
    return child_put(fd, r, sizeof *r) == 0 &&
           child_put(fd, r->gpus, r->ngpus * sizeof *r->gpus) == 0 &&
           child_put(fd, r->values, r->values_B) == 0 &&
           child_put(fd, r->links, r->nlinks * sizeof *r->links) == 0 &&
           child_put(fd, r->levels, r->nlevels * sizeof *r->levels) == 0 &&
           (!r->trace || task_trace_put(r->trace, fd) == 0);
}

/* Ignores a parent that is gone, because this process ends in any case. */
static void traverse_in_child(const void *arg, int fd)
{
    const struct traverse_job *job = arg;
    struct traverse_result *r = job->r;
    struct err err = {0};
    int status = traverse_here(r, job->in, &err);

    if (child_put_status(fd, status, &err) < 0 ||
        child_put(fd, &r->endless, sizeof r->endless) < 0 || status < 0)
        return;
    (void)traverse_put(r, fd);
}

/* Receives the child's result; r has memory for the arrays of known size. */
static int traverse_get(struct traverse_result *r, int fd)
{
    struct traverse_result got;

    if (child_get(fd, &got, sizeof got) < 0)
        return -1;
    bool traced = got.trace;
    got.gpus = r->gpus;
    got.values = r->values;
    got.depth = r->depth;
    got.rank = r->rank;
    got.links = xcalloc(got.nlinks, sizeof *got.links);
    got.levels = xcalloc(got.nlevels, sizeof *got.levels);
    got.trace = NULL;
    *r = got;
    if (child_get(fd, r->gpus, r->ngpus * sizeof *r->gpus) < 0 ||
        child_get(fd, r->values, r->values_B) < 0 ||
        child_get(fd, r->links, r->nlinks * sizeof *r->links) < 0 ||
        child_get(fd, r->levels, r->nlevels * sizeof *r->levels) < 0)
        return -1;
    r->trace = traced ? task_trace_get(fd) : NULL;
    return traced && !r->trace ? -1 : 0;
}

/* Runs the simulation in a child, because SimGrid keeps its state in the
 * process. */
static int traverse_spawn(struct traverse_result *r,
                          const struct traverse_input *in, struct err *err)
{
    struct traverse_job job = {in, r};
    struct child child;

    if (engine_prepare(ENGINE_SIMGRID, err) < 0 ||
        child_spawn(&child, traverse_in_child, &job, err) < 0)
        return -1;
    int status = child_get_status(child.from, err);
    bool complete =
        status >= 0 &&
        child_get(child.from, &r->endless, sizeof r->endless) == 0 &&
        (status == 1 || traverse_get(r, child.from) == 0);
    if (child_reap(&child, complete, err) < 0)
        return -1;
    return status == 0 ? 0 : -1;
}

/* --- the whole ------------------------------------------------------------ */

/* Returns the mean seconds per arc, over all vertices that have a cost. */
static double mean_edge_s(const struct traverse_input *in)
{
    double sum = 0, arcs = 0;

    for (uint32_t v = 0; v < in->g->n; v++)
        if (in->costs->vertex[v] > 0) {
            sum += (double)in->costs->vertex[v];
            arcs += (double)graph_degree(in->g, v);
        }
    return arcs > 0 ? sum * in->costs->unit_s / arcs : 0;
}

static int traverse_with_costs(struct traverse_result *out,
                               const struct traverse_input *in, double begin,
                               struct err *err)
{
    int result = exec_engine(in->exec) == ENGINE_SIMGRID
                     ? traverse_spawn(out, in, err)
                     : traverse_here(out, in, err);
    double done = seconds();

    if (result == 0)
        result = algorithms[in->algorithm]->compare(out, in, err);
    out->edge_s = mean_edge_s(in);
    out->wall_s = done - begin;
    out->check_wall_s = seconds() - done;
    return result;
}

int traverse_run(struct traverse_result *out, const struct traverse_input *in,
                 struct err *err)
{
    struct costs costs;
    struct traverse_input with = *in;
    double begin = seconds();

    memset(out, 0, sizeof *out);
    if (traverse_check(in, err) < 0)
        return -1;
    costs_init(&costs, in);
    with.costs = &costs;
    result_init(out, &with);
    int result = traverse_with_costs(out, &with, begin, err);
    costs_clear(&costs);
    if (result < 0) {
        bool endless = out->endless;
        traverse_result_clear(out);
        out->endless = endless;
    }
    return result;
}
