/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "strategies/traverse_state.h"

#include "sim/child.h"
#include "sim/exec.h"
#include "sim/seconds.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Assumed: how finely the work of a chunk is told apart in time. */
#define SLICE_EDGES 16384
#define MOST_SLICES 64

/* --- queues --------------------------------------------------------------- */

void traverse_add_update(struct updates *list, struct update u)
{
    if (list->n == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->list = xrealloc(list->list, list->room, sizeof *list->list);
    }
    list->list[list->n++] = u;
}

static size_t fifo_length(const struct fifo *q)
{
    return q->n - q->first;
}

static void fifo_push(struct fifo *q, uint32_t v)
{
    /* What was taken makes room at the front before there is more. */
    if (q->n == q->room && q->first > q->n / 2) {
        memmove(q->list, &q->list[q->first], fifo_length(q) * sizeof *q->list);
        q->n -= q->first;
        q->first = 0;
    }
    if (q->n == q->room) {
        q->room = q->room ? 2 * q->room : 1024;
        q->list = xrealloc(q->list, q->room, sizeof *q->list);
    }
    q->list[q->n++] = v;
}

static void push(struct traversal *t, struct gpu *g, struct fifo *to,
                 uint32_t v)
{
    uint64_t length = fifo_length(&g->near) + fifo_length(&g->far) + 1;

    fifo_push(to, v);
    if (length > g->stats->queue_most)
        g->stats->queue_most = length;
    if (t->in->x->queue_capacity && length > t->in->x->queue_capacity)
        t->overflow = g->number;
}

void traverse_queue_changed(struct gpu *g)
{
    traverse_note_queue(g, engine_now(g->t->engine),
                        fifo_length(&g->near) + fifo_length(&g->far));
}

void traverse_push(struct traversal *t, struct gpu *g, uint32_t v, uint32_t key)
{
    bool far = t->in->x->priority_delta && key >= g->threshold;

    push(t, g, far ? &g->far : &g->near, v);
}

void traverse_push_later(struct traversal *t, struct gpu *g, uint32_t v)
{
    push(t, g, &g->far, v);
}

/* Nothing is left below the threshold: it rises to just above the least that
 * waits, and what is below it then is next. Without a key all of it is. */
static void raise_threshold(struct traversal *t, struct gpu *g)
{
    struct fifo *far = &g->far;
    uint32_t least = UINT32_MAX;
    size_t kept = 0;

    for (size_t i = far->first; t->ops->key && i < far->n; i++)
        if (t->ops->key(g, far->list[i]) < least)
            least = t->ops->key(g, far->list[i]);
    if (t->ops->key)
        g->threshold = least + t->in->x->priority_delta;
    for (size_t i = far->first; i < far->n; i++) {
        uint32_t v = far->list[i];
        if (t->ops->key && t->ops->key(g, v) >= g->threshold)
            far->list[kept++] = v;
        else
            fifo_push(&g->near, v);
    }
    far->first = 0;
    far->n = kept;
}

/* --- chunks --------------------------------------------------------------- */

struct chunk *traverse_take(struct traversal *t, struct gpu *g, uint64_t edges)
{
    struct chunk *c = t->free_chunks;

    bool looked = !fifo_length(&g->near) && fifo_length(&g->far);
    if (looked)
        raise_threshold(t, g);
    if (!fifo_length(&g->near))
        return NULL;
    if (c)
        t->free_chunks = c->next;
    else
        c = xcalloc(1, sizeof *c);
    c->g = g;
    c->work.n = 0;
    c->edges = c->visits = 0;
    c->looked = looked && !t->ops->key;
    while (fifo_length(&g->near) && c->edges < edges) {
        struct update u = {.v = g->near.list[g->near.first++]};
        g->stats->visits++;
        c->visits++;
        c->edges += graph_degree(t->in->g, u.v);
        if (t->ops->take(t, g, &u))
            traverse_add_update(&c->work, u);
    }
    g->stats->edges += c->edges;
    t->r->steps++;
    c->begin_s = engine_now(t->engine);
    traverse_note_work(g, c->begin_s);
    traverse_queue_changed(g);
    return c;
}

void traverse_free_chunk(struct traversal *t, struct chunk *c)
{
    c->next = t->free_chunks;
    t->free_chunks = c;
}

/* Of the edges, and of reading 8 bytes of every vertex where that is what it
 * takes to find work, a step of its own; the fixed part of a step comes on top.
 */
double traverse_work_s(const struct traversal *t, const struct gpu *g,
                       const struct chunk *c)
{
    double s = t->edge_s * (double)c->edges +
               t->in->x->vertex_s * (double)c->visits +
               t->in->x->dense_s_per_vertex * (double)g->vertices;

    if (c->looked && t->in->m->gpu.memory_Bps > 0)
        s += 8 * (double)g->vertices / t->in->m->gpu.memory_Bps;
    if (c->looked && t->in->x->persistent)
        s += t->step_s;
    return s;
}

static void ended(void *arg)
{
    struct chunk *c = arg;
    struct gpu *g = c->g;
    struct traversal *t = g->t;
    size_t n = c->work.n;

    t->last_s = engine_now(t->engine);
    t->ops->apply(t, g, c, n * c->slice / c->slices,
                  n * (c->slice + 1) / c->slices);
    traverse_queue_changed(g);
    traverse_send(t, g);
    if (++c->slice < c->slices)
        return;
    traverse_note_done(g, c->begin_s, t->last_s, c->visits, c->edges);
    traverse_free_chunk(t, c);
    if (!t->in->x->persistent)
        g->busy = false;
    traverse_start(t, g);
}

static void may_take(void *arg)
{
    struct gpu *g = arg;

    g->busy = false;
    traverse_start(g->t, g);
}

static uint64_t slices_of(uint64_t edges)
{
    uint64_t slices = edges / SLICE_EDGES;

    return slices < 1 ? 1 : slices > MOST_SLICES ? MOST_SLICES : slices;
}

/*
 * A persistent kernel's next chunk may begin when the edges of this one are
 * done, and its results are there step_s later: the latency of one dependent
 * step. A discrete kernel takes all, and the next begins after its end.
 */
void traverse_start(struct traversal *t, struct gpu *g)
{
    const struct execution *x = t->in->x;

    if (g->busy || t->overflow != NO_OVERFLOW || traverse_stalled(t, g))
        return;
    struct chunk *c =
        traverse_take(t, g, x->persistent ? t->threads : UINT64_MAX);
    if (!c)
        return;
    double work = traverse_work_s(t, g, c);
    g->busy = true;
    if (x->persistent)
        engine_after(t->engine, work, may_take, g);
    /* What the CPU is to send goes when the kernel has ended. */
    c->slices = x->cpu_control ? 1 : (uint32_t)slices_of(c->edges);
    c->slice = 0;
    for (uint32_t i = 1; i <= c->slices; i++)
        engine_after(t->engine, t->step_s + work * i / c->slices, ended, c);
}

void traverse_deliver(struct traversal *t, struct gpu *g,
                      const struct update *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t owner = t->in->part[list[i].v];
        if (owner == g->number)
            t->ops->receive(t, g, list[i]);
        else /* to be passed on */
            traverse_add_update(&g->channels[owner].out, list[i]);
    }
    g->stats->received += n;
    traverse_queue_changed(g);
}

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
        g->stats = &t->r->gpus[i];
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

    t->engine = engine_new(exec_engine(), t->in->m,
                           (t->in->ngpus + per_node - 1) / per_node, err);
    if (!t->engine)
        return -1;
    exec_settle(t->engine, NULL);
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

static double step_s(const struct traverse_input *in)
{
    const struct gpu_model *g = &in->m->gpu;

    return in->x->round_s +
           (cpu_takes_part(in->x) ? g->launch_s + g->sync_s : 0);
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
        .ops = in->algorithm == BFS ? &bfs_ops : &pagerank_ops,
        .edge_s = (x->edge_s > 0 ? x->edge_s : in->edge_s) * x->edge_factor,
        .step_s = step_s(in),
        .threads = (uint64_t)in->m->gpu.sms * in->m->gpu.threads_per_sm,
        .overflow = NO_OVERFLOW,
    };
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
