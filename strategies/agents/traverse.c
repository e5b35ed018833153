/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a graph algorithm on simulated GPUs, start to end, and checks its result
 * against a serial one. */
#include "strategies/agents/traverse_state.h"

#include "base/child.h"
#include "sim/plan/exec.h"
#include "base/seconds.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the whole ------------------------------------------------------------ */

static void init_gpus(struct traversal *t)
{
    uint32_t n = t->in->ngpus;

    t->gpus = xcalloc(n, sizeof *t->gpus);
    for (uint32_t i = 0; i < n; i++) {
        struct gpu *g = &t->gpus[i];
        g->t = t;
        g->number = i;
        g->threshold = t->in->x->priority_delta;
        g->tick_s = INFINITY;
        g->stats = &t->r->gpus[i];
        g->near = xcalloc(t->nqueues, sizeof *g->near);
        g->into = t->nqueues > 1 ? i : 0;
        g->channels = xcalloc(n, sizeof *g->channels);
        for (uint32_t k = 0; k < n; k++)
            g->channels[k] = (struct channel){
                .t = t, .from = i, .to = k, .deadline_s = INFINITY};
    }
    for (uint32_t v = 0; v < t->in->g->n; v++)
        t->gpus[t->in->part[v]].vertices++;
}

static void start_all(void *arg)
{
    struct traversal *t = arg;

    for (uint32_t i = 0; i < t->in->ngpus; i++)
        traverse_start(t, &t->gpus[i]);
}

/* Then every step has a launch and a synchronisation. */
static bool cpu_takes_part(const struct execution *x)
{
    return !x->persistent || x->cpu_control;
}

/*
 * Nobody has work and nothing is under way; that is known only after each GPU
 * has read the others' counters twice with the same result (persistent), or the
 * CPUs have seen the last kernels' ends and told each other.
 */
static double detection_s(const struct traversal *t)
{
    const struct gpu_model *m = &t->in->m->gpu;

    if (cpu_takes_part(t->in->x))
        return m->sync_s;
    if (t->in->ngpus == 1)
        return 0;
    return 2 * 2 *
           (t->in->ngpus > t->in->m->ngpus ? m->shmem_put_s
                                           : m->remote_atomic_s);
}

static void add_up(struct traversal *t)
{
    for (uint32_t i = 0; i < t->in->ngpus; i++) {
        t->r->visits += t->r->gpus[i].visits;
        t->r->edges += t->r->gpus[i].edges;
    }
    t->r->workload =
        t->r->reached ? (double)t->r->visits / (double)t->r->reached : 0;
}

/* In the child, so what is allocated goes with it. */
static int run(struct traversal *t, struct err *err)
{
    unsigned per_node = t->in->m->ngpus;

    t->engine = engine_new(exec_engine(t->in->exec), t->in->m,
                           (t->in->ngpus + per_node - 1) / per_node, err);
    if (!t->engine)
        return -1;
    exec_settle(t->engine, t->in->exec, NULL);
    init_gpus(t);
    traverse_stats_begin(t);
    t->ops->begin(t);
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        traverse_queue_changed(&t->gpus[i]);
    if (t->in->x->supersteps) {
        if (traverse_supersteps(t, err) < 0)
            return -1;
    } else {
        engine_after(t->engine, 0, start_all, t);
        if (engine_run(t->engine, err) < 0)
            return -1;
    }
    if (t->overflow != NO_OVERFLOW)
        return fail(err,
                    "the queue of GPU %u overflows: its capacity is %llu "
                    "vertices",
                    t->overflow, (unsigned long long)t->in->x->queue_capacity);
    /* Nothing is left anywhere. */
    for (uint32_t i = 0; i < t->in->ngpus * t->in->ngpus; i++)
        assert(!t->gpus[i / t->in->ngpus].channels[i % t->in->ngpus].out.n);
    t->r->time_s = t->last_s + detection_s(t);
    t->ops->end(t);
    add_up(t);
    traverse_stats_end(t);
    return 0;
}

/* The numbers of a machine that this execution takes. */
static int check_gpu(const struct traverse_input *in, struct err *err)
{
    const struct gpu_model *g = &in->m->gpu;
    bool cpu = cpu_takes_part(in->x);
    const char *missing = NULL;

    if (cpu && !(g->launch_s > 0))
        missing = "kernel_launch_us";
    else if (cpu && !(g->sync_s > 0))
        missing = "stream_sync_us";
    else if (!g->sms || !g->threads_per_sm)
        missing = "sms or threads_per_sm";
    else if (in->ngpus > 1 && in->m->ngpus > 1 && !(g->remote_atomic_s > 0))
        missing = "remote_atomic_us";
    else if (in->ngpus > 1 && !g->packet.granule_B)
        missing = "nvlink_packet";
    else if (in->ngpus > in->m->ngpus && !(g->shmem_put_s > 0))
        missing = "shmem_put_us";
    if (missing)
        return fail(err, "%s has no gpu.%s", in->m->name, missing);
    if (in->x->worker_threads > g->threads_per_sm)
        return fail(err, "worker_threads: %u, but %s has %u threads on an SM",
                    in->x->worker_threads, in->m->name, g->threads_per_sm);
    return 0;
}

static int check(const struct traverse_input *in, struct err *err)
{
    const struct machine *m = in->m;

    if (!m->ngpus || in->ngpus > (uint64_t)m->ngpus * m->network.nodes)
        return fail(err, "%u GPUs wanted, %s has %u nodes of %u", in->ngpus,
                    m->name, m->network.nodes, m->ngpus);
    if (in->algorithm == BFS && in->source >= in->g->n)
        return fail(err, "source %u: %s has %u vertices", in->source,
                    in->g->name, in->g->n);
    if (in->algorithm == PAGERANK && !(in->damping > 0 && in->damping < 1))
        return fail(err, "damping: expected a number between 0 and 1, got %g",
                    in->damping);
    if (in->algorithm == PAGERANK && !(in->threshold > 0 && in->threshold < 1))
        return fail(err, "threshold: expected a number between 0 and 1, got %g",
                    in->threshold);
    return check_gpu(in, err);
}

static int compare_bfs(const struct traverse_result *r,
                       const struct traverse_input *in, struct err *err)
{
    uint32_t *want = xmalloc(in->g->n * sizeof *want), v = 0;

    traverse_plain_bfs(want, in->g, in->source);
    while (v < in->g->n && r->depth[v] == want[v])
        v++;
    uint32_t wanted = v < in->g->n ? want[v] : 0;
    free(want);
    if (v == in->g->n)
        return 0;
    return fail_work(err, "%s: vertex %u got depth %d, a plain search %d",
                     in->x->name, v, (int)r->depth[v], (int)wanted);
}

static int compare_pagerank(const struct traverse_result *r,
                            const struct traverse_input *in, struct err *err)
{
    double *want = xcalloc(in->g->n, sizeof *want), off = 0;
    /* What the threshold leaves out, and single precision on the way. */
    double most = in->threshold + 1e-6;

    traverse_plain_pagerank(want, in->g, in->damping);
    for (uint32_t v = 0; v < in->g->n && off <= most; v++)
        off = fabs(r->rank[v] / want[v] - 1);
    free(want);
    if (off <= most)
        return 0;
    return fail_work(err, "%s: a rank is off by %g of itself, more than %g",
                     in->x->name, off, most);
}

/* The parts that the child writes and the parent reads. */
static struct traverse_result *shared_result(const struct traverse_input *in)
{
    struct traverse_result *r = child_shared(sizeof *r);

    r->ngpus = in->ngpus;
    r->n = in->g->n;
    r->gpus = child_shared(in->ngpus * sizeof *r->gpus);
    if (in->algorithm == BFS)
        r->depth = child_shared(r->n * sizeof *r->depth);
    else
        r->rank = child_shared(r->n * sizeof *r->rank);
    return r;
}

void traverse_result_clear(struct traverse_result *r)
{
    child_unshare(r->gpus, r->ngpus * sizeof *r->gpus);
    child_unshare(r->depth, r->n * sizeof *r->depth);
    child_unshare(r->rank, r->n * sizeof *r->rank);
    free(r->links);
    trace_told_free(r->trace);
    memset(r, 0, sizeof *r);
}

static void run_in_child(const void *arg, int fd)
{
    struct traversal t = *(const struct traversal *)arg;
    struct err err = {0};
    int status = run(&t, &err);

    if (child_put_status(fd, status, &err) == 0 && status == 0)
        traverse_put_lists(&t, fd);
}

static int in_child(struct traversal *t, struct err *err)
{
    struct child child;

    if (child_spawn(&child, run_in_child, t, err) < 0)
        return -1;
    int status = child_get_status(child.from, err);
    bool complete = status == 0 &&
                    traverse_get_lists(t->r, t->in->timeline, child.from) == 0;
    if (child_reap(&child, complete || status == 1, err) < 0)
        return -1;
    return status == 0 ? 0 : -1;
}

static double edge_s(const struct traverse_input *in)
{
    const struct execution *x = in->x;

    if (in->algorithm == PAGERANK)
        return in->edge_s * x->pagerank_factor;
    return x->edge_s > 0 ? x->edge_s : in->edge_s * x->edge_factor;
}

static double step_s(const struct traverse_input *in)
{
    const struct gpu_model *g = &in->m->gpu;

    /* Every queue is looked at. */
    uint32_t receive = in->x->receive_queues ? in->ngpus - 1 : 0;

    return in->x->round_s + in->x->poll_s * receive +
           (cpu_takes_part(in->x) ? g->launch_s + g->sync_s : 0);
}

static uint64_t workers_of(const struct traverse_input *in)
{
    const struct gpu_model *g = &in->m->gpu;
    uint32_t threads = in->x->worker_threads;

    if (!threads)
        return 1;
    return (uint64_t)g->sms * (g->threads_per_sm / threads);
}

static const struct algorithm_ops *ops_of(const struct traverse_input *in)
{
    if (in->algorithm == PAGERANK)
        return &pagerank_ops;
    return in->x->optimised ? &bfs_optimised_ops : &bfs_ops;
}

int traverse_run(struct traverse_result *out, const struct traverse_input *in,
                 struct err *err)
{
    const struct execution *x = in->x;

    memset(out, 0, sizeof *out);
    if (check(in, err) < 0)
        return -1;
    struct traversal t = {
        .in = in,
        .r = shared_result(in),
        .ops = ops_of(in),
        .edge_s = edge_s(in),
        .step_s = step_s(in),
        .threads = (uint64_t)in->m->gpu.sms * in->m->gpu.threads_per_sm,
        .workers = workers_of(in),
        .fetch = x->worker_threads ? x->fetch : UINT32_MAX,
        .nqueues = x->receive_queues ? in->ngpus : 1,
        .overflow = NO_OVERFLOW,
    };
    t.vertex_edges = x->vertex_s / t.edge_s;
    double begin = seconds();
    int result = in_child(&t, err);
    *out = *t.r;
    child_unshare(t.r, sizeof *t.r);
    double done = seconds();
    if (result == 0)
        result = in->algorithm == BFS ? compare_bfs(out, in, err)
                                      : compare_pagerank(out, in, err);
    out->wall_s = done - begin;
    out->plain_wall_s = seconds() - done;
    if (result < 0)
        traverse_result_clear(out);
    return result;
}
