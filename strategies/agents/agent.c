/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a GPU takes what waits: a persistent kernel's workers as soon as they
 * are idle, a discrete kernel all of it when the one before has ended. */
#include "strategies/agents/agent.h"

#include "base/inline.h"
#include "sim/network/engine.h"
#include "strategies/agents/costs.h"

#include <math.h>
#include <stdlib.h>

static double agent_now(const struct agent *a)
{
    return engine_now(a->t->engine);
}

static bool agent_is_persistent(const struct agent *a)
{
    return a->t->in->x->kernel == KERNEL_PERSISTENT;
}

/* Its discrete kernels: the CPU does not wait for one before the next. */
static bool agent_overlaps(const struct agent *a)
{
    return !agent_is_persistent(a) && a->t->in->x->launch == LAUNCH_OVERLAPPED;
}

void agent_queue_changed(struct agent *a)
{
    struct traversal *t = a->t;

    observer_queue(&t->observer, a->site.gpu, agent_now(a), a->queues.waiting);
    if (t->overflow == NO_OVERFLOW && queues_overflowed(&a->queues))
        t->overflow = a->site.gpu;
}

/* --- taking ---------------------------------------------------------------
 */

/* What is taken is somewhere in memory: it is asked for some vertices ahead. */
enum { AHEAD = 16 };

ALWAYS_INLINE void agent_ask(const struct traversal *t, uint32_t v)
{
    __builtin_prefetch(&t->in->g->first[v]);
    __builtin_prefetch(&t->in->costs->vertex[v]);
}

static void agent_fill(struct agent *a, struct work *w, const uint32_t *list,
                       size_t n)
{
    const struct traversal *t = a->t;

    w->visits += n;
    for (size_t i = 0; i < n; i++) {
        struct task p = {.u.v = list[i], .parts = 1};
        if (i + AHEAD < n)
            agent_ask(t, list[i + AHEAD]);
        if (queues_puts_back(&a->queues, p.u.v))
            continue;
        w->edges += graph_degree(t->in->g, p.u.v);
        w->units += (double)t->in->costs->vertex[p.u.v];
        if (t->algorithm->take(t->state, &a->site, &p.u))
            tasks_add(&w->tasks, p);
    }
}

/* From the queues in turn, at most so many vertices; NULL: nothing waits. */
static struct chunk *agent_take(struct agent *a, uint64_t most)
{
    struct chunk *c = chunk_new(&a->workers);
    const uint32_t *list;
    size_t n;

    while (c->work.visits < most &&
           (n = queues_take(&a->queues, most - c->work.visits, &list)) > 0)
        agent_fill(a, &c->work, list, n);
    if (c->work.visits)
        return c;
    chunk_free(c);
    return NULL;
}

/* The same of what the kernel has taken. */
static struct chunk *agent_take_of_kernel(struct agent *a, uint64_t most)
{
    const uint32_t *list;
    size_t n = queues_take_of_kernel(&a->queues, most, &list);

    if (!n)
        return NULL;
    struct chunk *c = chunk_new(&a->workers);
    agent_fill(a, &c->work, list, n);
    return c;
}

double agent_look_s(const struct agent *a, bool looked)
{
    const struct gpu_costs *costs = &a->t->in->costs->gpus[a->site.gpu];

    return looked ? costs->dense_s + costs->look_s : costs->dense_s;
}

/* --- chunks ---------------------------------------------------------------
 */

/* Idle workers begin with what the chunk has. */
static void agent_begin_chunk(struct agent *a, struct chunk *c)
{
    struct traversal *t = a->t;
    bool whole = t->algorithm->direct;

    if (whole)
        t->algorithm->direct(t->state, &a->site, &c->work);
    observer_visits(&t->observer, a->site.gpu, c->work.visits, c->work.edges);
    a->kernel_visits += c->work.visits;
    a->kernel_edges += c->work.edges;
    if (!c->work.tasks.n && !whole) {
        chunk_free(c);
        return;
    }
    if (agent_is_persistent(a)) {
        observer_step(&t->observer);
        c->begin_s = agent_now(a);
        observer_work(&t->observer, a->site.gpu, c->begin_s);
    }
    if (whole)
        workers_begin_whole(&a->workers, c);
    else
        workers_begin(&a->workers, c);
}

/* Workers that are idle take a fetch each. */
static void agent_workers_take(struct agent *a)
{
    const struct traversal *t = a->t;
    bool persistent = agent_is_persistent(a);
    uint64_t idle;

    while ((idle = workers_idle(&a->workers)) > 0) {
        uint64_t most = idle * (uint64_t)t->workers.fetch;
        if (most > t->outbox.threads && persistent)
            most = t->outbox.threads;
        struct chunk *c =
            persistent ? agent_take(a, most) : agent_take_of_kernel(a, most);
        if (!c)
            break;
        agent_begin_chunk(a, c);
    }
    agent_queue_changed(a);
    workers_wait(&a->workers);
}

double agent_send_s(const struct agent *a, uint32_t to)
{
    const struct traverse_input *in = a->t->in;
    const struct gpu_calls *c = &in->m->gpu.calls;

    return to ? step_part_s(traverse_step(in), STEP_SEND, c) +
                    to * (step_part_s(traverse_step(in), STEP_SEND_PEER, c) +
                          in->latency_s)
              : 0;
}

/* The CPU knows of the kernel's end, and sends what was found. */
static void agent_ended(void *arg)
{
    struct agent *a = arg;
    struct traversal *t = a->t;

    a->busy = a->launching = false;
    t->last_s = agent_now(a);
    observer_done(&t->observer, a->site.gpu, a->kernel_s, t->last_s,
                  a->kernel_visits, a->kernel_edges);
    if (t->workers.at_end)
        outbox_flush(&a->outbox);
    agent_start(a);
}

/* From a kernel's end until the CPU has made the calls that follow; it is ahead
 * of the stream while the kernel works. */
static double agent_after_s(struct agent *a)
{
    const struct traversal *t = a->t;
    double s = agent_now(a) - a->kernel_s;
    struct step_clock k = {.host_s = a->called_s, .stream_s = s};

    step_do(&k, traverse_step(t->in), STEP_AFTER, &t->in->m->gpu.calls);
    return step_clock_s(&k) - s +
           (t->workers.at_end ? agent_send_s(a, outbox_to(&a->outbox)) : 0);
}

static void agent_end_kernel(struct agent *a)
{
    if (agent_is_persistent(a) || a->launching ||
        !workers_are_done(&a->workers) || !queues_kernel_is_empty(&a->queues))
        return;
    a->launching = true;
    engine_after(a->t->engine, agent_overlaps(a) ? 0 : agent_after_s(a),
                 agent_ended, a);
}

/* --- found vertices that cannot be taken yet -------------------------------
 *
 * A queue of Atos shows what is in it up to where all is written: who has
 * written looks whether as many items were counted as were reserved, up to the
 * farthest that is written. That is so when nobody else pushes from its
 * reservation until its look, the quiet time. Pushes come at a rate of their
 * own, by chance: one of exp(-rate * quiet) of them is followed by none.
 */

static double agent_quiet_s(const struct agent *a)
{
    const struct traverse_input *in = a->t->in;

    return agent_is_persistent(a)
               ? in->x->quiet * in->m->gpu.access.latency_hit_s
               : 0;
}

static double agent_push_rate(const struct agent *a)
{
    double s = agent_now(a) - a->pushed_s;

    return a->push_rate * exp(-s / a->t->workers.step_s);
}

static void agent_shows(void *arg)
{
    struct agent *a = arg;
    double quiet_s = agent_quiet_s(a), since_s = agent_now(a) - a->pushed_s;
    bool pushing = a->workers.active && agent_push_rate(a) * quiet_s > 1;

    a->hiding = false;
    if (!queues_unseen_waits(&a->queues))
        return;
    if (pushing || since_s < quiet_s * (1 - 1e-9)) {
        a->hiding = true;
        engine_after(a->t->engine, pushing ? quiet_s : quiet_s - since_s,
                     agent_shows, a);
        return;
    }
    a->seen = 0;
    queues_show(&a->queues);
    agent_start(a);
}

/* So many of the pushes that warps of so many arcs make have something. */
static double agent_pushes(const struct agent *a, const struct task *list,
                           size_t n, uint64_t found)
{
    double arcs = 0, threads = a->t->in->x->push_threads;

    for (size_t i = 0; i < n; i++) {
        struct range r = task_arcs(a->t->in->g, &list[i]);
        arcs += (double)(r.to - r.from);
    }
    if ((double)found >= arcs)
        return ceil(arcs / threads);
    return arcs / threads * (1 - pow(1 - (double)found / arcs, threads));
}

/* The slice's tasks have pushed `found` vertices. */
static void agent_pushed(struct agent *a, const struct task *list, size_t n,
                         uint64_t found)
{
    double quiet_s = agent_quiet_s(a);

    if (!found || !a->queues.hides)
        return;
    double pushes = agent_pushes(a, list, n, found);
    double rate = agent_push_rate(a);
    a->push_rate = rate + pushes / a->t->workers.step_s;
    a->pushed_s = agent_now(a);
    a->seen += pushes * exp(-a->push_rate * quiet_s);
    if (a->seen >= 1) {
        a->seen = 0;
        queues_show(&a->queues);
    }
    if (a->hiding || !queues_unseen_waits(&a->queues))
        return;
    a->hiding = true;
    engine_after(a->t->engine, quiet_s, agent_shows, a);
}

static void agent_slice_known(void *arg, uint32_t gpu, struct chunk *c,
                              const struct task *list, size_t n, bool last)
{
    struct traversal *t = arg;
    struct agent *a = &t->agents[gpu];

    t->last_s = agent_now(a);
    uint64_t waited = a->queues.waiting;
    t->algorithm->apply(t->state, &a->site, list, n);
    agent_pushed(a, list, n, a->queues.waiting - waited);
    agent_queue_changed(a);
    if (last) {
        if (agent_is_persistent(a))
            observer_done(&t->observer, gpu, c->begin_s, t->last_s,
                          c->work.visits, c->work.edges);
        chunk_free(c);
    }
    if (agent_is_persistent(a) || !t->workers.at_end)
        outbox_flush(&a->outbox);
    agent_end_kernel(a);
    agent_start(a);
}

/* --- supersteps -----------------------------------------------------------
 */

/* What the algorithm does in a step without queues. */
static struct chunk *agent_step(struct agent *a)
{
    const struct traversal *t = a->t;
    struct chunk *c = chunk_new(&a->workers);

    if (t->algorithm->step(t->state, &a->site, &c->work))
        return c;
    chunk_free(c);
    return NULL;
}

struct chunk *agent_take_all(struct agent *a)
{
    struct traversal *t = a->t;
    struct chunk *c =
        t->algorithm->step ? agent_step(a) : agent_take(a, UINT64_MAX);

    if (!c)
        return NULL;
    if (t->algorithm->direct)
        t->algorithm->direct(t->state, &a->site, &c->work);
    observer_visits(&t->observer, a->site.gpu, c->work.visits, c->work.edges);
    observer_step(&t->observer);
    c->begin_s = agent_now(a);
    observer_work(&t->observer, a->site.gpu, c->begin_s);
    agent_queue_changed(a);
    return c;
}

void agent_apply_all(struct agent *a, struct chunk *c)
{
    struct traversal *t = a->t;

    t->algorithm->apply(t->state, &a->site, c->work.tasks.list,
                        c->work.tasks.n);
    agent_queue_changed(a);
    chunk_free(c);
}

/* --- kernels --------------------------------------------------------------
 */

static void agent_launched(void *arg)
{
    struct agent *a = arg;

    a->launching = false;
    queues_launch_kernel(&a->queues);
    agent_workers_take(a);
    agent_end_kernel(a);
    agent_start(a);
}

/* The GPU has what the kernel is to take; `s` until workers do. */
static void agent_launch(struct agent *a, double s)
{
    struct traversal *t = a->t;

    observer_step(&t->observer);
    a->launching = true;
    if (!a->busy) {
        a->busy = true;
        a->kernel_s = agent_now(a);
        a->kernel_visits = a->kernel_edges = 0;
        observer_work(&t->observer, a->site.gpu, a->kernel_s);
    }
    agent_queue_changed(a);
    engine_after(t->engine, s, agent_launched, a);
}

/* The kernel takes all that is queued, and the next begins after its end. */
static void agent_start_kernel(struct agent *a)
{
    const struct traversal *t = a->t;
    bool looked;

    if (t->algorithm->aim) {
        t->algorithm->aim(t->state, &a->site);
        outbox_flush(&a->outbox);
    }
    uint32_t threshold = a->queues.threshold;
    if (!queues_fill_kernel(&a->queues, &looked))
        return;
    a->called_s = t->called_s;
    double raise_s = threshold == a->queues.threshold
                         ? 0
                         : step_part_s(traverse_step(t->in), STEP_RAISE,
                                       &t->in->m->gpu.calls);
    a->called_s += raise_s;
    agent_launch(a, t->before_s + raise_s + agent_look_s(a, looked));
}

/* --- kernels that overlap -------------------------------------------------
 */

/*
 * The CPU reads the queues' counters again and again, and launches a kernel on
 * a stream of its own for what is there. The counter of what other GPUs found
 * rises with each of their blocks; that of the GPU's own queue when nothing is
 * being pushed, so when its kernels have ended. Without a key a kernel in
 * between looks through all vertices, and is at work when all blocks of those
 * before it have been.
 */
static bool agent_sees_own(const struct agent *a)
{
    return a->t->algorithm->key ? !a->busy : queues_kernel_is_empty(&a->queues);
}

static double agent_poll_s(const struct agent *a)
{
    const struct traversal *t = a->t;
    const struct gpu_calls *calls = &t->in->m->gpu.calls;

    return step_part_s(traverse_step(t->in), STEP_AFTER, calls) +
           (t->algorithm->key ? 0 : agent_look_s(a, true));
}

static void agent_polled(void *arg)
{
    struct agent *a = arg;
    const struct traversal *t = a->t;
    bool looked;

    a->polling = false;
    a->polls_s = agent_now(a);
    if (t->overflow != NO_OVERFLOW || outbox_is_stalled(&a->outbox))
        return;
    if (agent_sees_own(a) ? !queues_fill_kernel(&a->queues, &looked)
                          : !queues_fill_kernel_by_others(&a->queues))
        return;
    a->polls_s += t->before_s;
    a->called_s = t->called_s;
    agent_launch(a, t->before_s);
}

/* What waits is seen when the next reading ends; the first began when the last
 * kernel was launched, and each begins when the one before has ended. */
static void agent_poll(struct agent *a)
{
    double poll_s = agent_poll_s(a), since_s = agent_now(a) - a->polls_s;
    double readings = poll_s > 0 ? fmax(ceil(since_s / poll_s), 1) : 0;
    const struct queues *q = &a->queues;

    if (!queues_by_others_wait(q) && !(agent_sees_own(a) && q->waiting))
        return;
    a->polling = true;
    engine_after(a->t->engine, fmax(readings * poll_s - since_s, 0),
                 agent_polled, a);
}

/* --- kernels that stay ----------------------------------------------------
 */

static void agent_looked(void *arg)
{
    struct agent *a = arg;
    struct traversal *t = a->t;

    a->launching = false;
    t->last_s = agent_now(a);
    observer_done(&t->observer, a->site.gpu, a->kernel_s, t->last_s, 0, 0);
    queues_raise(&a->queues);
    agent_start(a);
}

static void agent_look(struct agent *a)
{
    struct traversal *t = a->t;

    a->launching = true;
    a->kernel_s = agent_now(a);
    observer_work(&t->observer, a->site.gpu, a->kernel_s);
    engine_after(t->engine, t->workers.step_s + agent_look_s(a, true),
                 agent_looked, a);
}

/* --- one threshold for all ------------------------------------------------
 */

static void agents_raised(void *arg)
{
    struct traversal *t = arg;

    t->raising = false;
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        queues_advance(&t->agents[i].queues);
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        agent_start(&t->agents[i]);
}

static bool agent_shares_threshold(const struct agent *a)
{
    return a->t->in->x->scope == SCOPE_ALL && agent_is_persistent(a) &&
           a->queues.delta && a->t->algorithm->key;
}

static bool agent_is_quiet(const struct agent *a)
{
    return queues_near_is_empty(&a->queues) && workers_are_done(&a->workers) &&
           outbox_is_quiet(&a->outbox);
}

/* No GPU has work below it, nothing is under way, and some was put off. */
static void agents_raise(struct traversal *t)
{
    bool far = false;

    for (uint32_t i = 0; i < t->in->ngpus; i++) {
        if (!agent_is_quiet(&t->agents[i]))
            return;
        far = far || queues_far_waits(&t->agents[i].queues);
    }
    if (!far || t->raising)
        return;
    t->raising = true;
    engine_after(
        t->engine,
        step_part_s(traverse_step(t->in), STEP_RAISE, &t->in->m->gpu.calls),
        agents_raised, t);
}

/* --- idle workers ---------------------------------------------------------
 */

/* Workers are idle, all or some, and only what was put off waits. */
static bool agent_has_put_off_all(const struct agent *a)
{
    bool idle = a->t->in->x->scan == SCAN_SOME_IDLE
                    ? workers_idle(&a->workers) > 0
                    : !a->workers.active;

    return idle && queues_near_is_empty(&a->queues) &&
           queues_far_waits(&a->queues);
}

/* Persistent workers take what there is; when they are idle and only what was
 * put off waits, or they put all of it off, they look for it. */
static void agent_start_workers(struct agent *a)
{
    if (agent_shares_threshold(a)) {
        agent_workers_take(a);
        agents_raise(a->t);
        return;
    }
    do {
        if (agent_has_put_off_all(a)) {
            if (!a->t->algorithm->key) {
                agent_look(a);
                return;
            }
            queues_raise(&a->queues);
        }
        agent_workers_take(a);
    } while (a->t->algorithm->key && agent_has_put_off_all(a));
}

void agent_start(struct agent *a)
{
    const struct traversal *t = a->t;
    bool overlaps = agent_overlaps(a);

    if (a->asleep || t->overflow != NO_OVERFLOW)
        return;
    if (!agent_is_persistent(a) && a->busy)
        agent_workers_take(a);
    if (a->launching || a->polling || (a->busy && !overlaps) ||
        outbox_is_stalled(&a->outbox))
        return;
    if (overlaps)
        agent_poll(a);
    else if (agent_is_persistent(a))
        agent_start_workers(a);
    else
        agent_start_kernel(a);
}

/* --- what arrives ---------------------------------------------------------
 */

/* What came by way of this GPU is passed on. */
static void agent_receive_or_pass(struct agent *a, const struct updates *list)
{
    const struct traversal *t = a->t;

    for (size_t i = 0; i < list->n; i++) {
        uint32_t owner = t->in->part[list->list[i].v];
        if (owner == a->site.gpu)
            t->algorithm->receive(t->state, &a->site, &list->list[i], 1);
        else
            outbox_add(&a->outbox, owner, list->list[i]);
    }
}

void agent_deliver(struct agent *a, uint32_t from, const struct updates *list)
{
    struct traversal *t = a->t;

    queues_found_by(&a->queues, from);
    if (t->algorithm->aim ||
        (t->in->x->batch_group == BATCH_PER_GPU && t->in->x->way == WAY_DIRECT))
        t->algorithm->receive(t->state, &a->site, list->list, list->n);
    else
        agent_receive_or_pass(a, list);
    queues_found_by(&a->queues, a->site.gpu);
    observer_received(&t->observer, a->site.gpu, list->n);
    agent_queue_changed(a);
}

/* --- the calls of workers and outboxes ------------------------------------
 */

static void agent_idle(void *arg, uint32_t gpu)
{
    struct traversal *t = arg;

    agent_start(&t->agents[gpu]);
}

static void agent_arrived(void *arg, uint32_t from, uint32_t to,
                          const struct updates *list)
{
    struct traversal *t = arg;
    struct agent *a = &t->agents[to];

    t->last_s = agent_now(a);
    agent_deliver(a, from, list);
    outbox_flush(&a->outbox);
}

static void agent_pack(void *arg, uint32_t from, struct updates *list)
{
    struct traversal *t = arg;

    t->algorithm->pack(t->state, &t->agents[from].site, list);
}

static void agent_init(struct agent *a, struct traversal *t, uint32_t gpu)
{
    const struct execution *x = t->in->x;

    a->t = t;
    a->queues = (struct queues){
        .gpu = gpu,
        .nnear = x->receive_queues == RECEIVE_PER_GPU ? t->in->ngpus : 1,
        .capacity = x->queue_capacity,
        .fetch = t->workers.fetch,
        .delta = x->priority_delta,
        .threshold = x->threshold,
        .hides = agent_quiet_s(a) > 0,
        .received = x->received,
        .key = t->algorithm->key};
    queues_init(&a->queues);
    workers_init(&a->workers, &t->workers, gpu);
    outbox_init(&a->outbox, &t->outbox, gpu);
    a->site =
        (struct site){.gpu = gpu, .queues = &a->queues, .outbox = &a->outbox};
}

void agents_init(struct traversal *t)
{
    uint32_t n = t->in->ngpus;
    struct site *sites = xcalloc(n, sizeof *sites);

    t->workers.arg = t->outbox.arg = t;
    t->workers.known = agent_slice_known;
    t->workers.idle = agent_idle;
    t->outbox.pack = t->algorithm->pack ? agent_pack : NULL;
    t->outbox.deliver = agent_arrived;
    t->outbox.wake = agent_idle;
    t->agents = xcalloc(n, sizeof *t->agents);
    for (uint32_t i = 0; i < n; i++)
        agent_init(&t->agents[i], t, i);
    for (uint32_t v = 0; v < t->in->g->n; v++)
        t->agents[t->in->part[v]].site.vertices++;
    for (uint32_t i = 0; i < n; i++)
        sites[i] = t->agents[i].site;
    t->state = t->algorithm->begin(t->in, t->observer.r, sites);
    free(sites);
    for (uint32_t i = 0; i < n; i++) {
        t->agents[i].queues.state = t->state;
        queues_show(&t->agents[i].queues);
        agent_queue_changed(&t->agents[i]);
    }
}

void agents_clear(struct traversal *t)
{
    for (uint32_t i = 0; t->agents && i < t->in->ngpus; i++) {
        queues_clear(&t->agents[i].queues);
        workers_clear(&t->agents[i].workers);
        outbox_clear(&t->agents[i].outbox);
    }
    if (t->state)
        t->algorithm->free(t->state);
    free(t->agents);
    chunks_clear(&t->chunks);
}
