/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bulk-synchronous execution: all GPUs work, wait for each other, exchange, and
 * begin the next step together. */
#include "apps/agents/supersteps.h"

#include "sim/plan/exec_here.h"
#include "sim/plan/plan.h"
#include "sim/plan/plan_check.h"
#include "apps/agents/agent.h"
#include "apps/agents/costs.h"
#include "workloads/halo.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static void supersteps_advanced(void *arg)
{
    (void)arg;
}

static int supersteps_advance(struct traversal *t, double s, struct err *err)
{
    engine_after(t->engine, s, supersteps_advanced, NULL);
    return engine_run(t->engine, err);
}

/* The work of a GPU in a step; it has none if there is no chunk. */
struct turn {
    struct chunk *chunk;
    double begin_s, s;
    uint64_t visits, edges;
};

/* Returns the time of a GPU's step: the whole GPU does all of its work at once,
 * distributed evenly. Returns 0 if it has none. */
static double work_of(struct agent *a, struct chunk **out)
{
    const struct workers_setup *w = &a->t->workers;
    bool looked = queues_refill(&a->queues);
    struct chunk *c = *out = agent_take_all(a);
    if (!c)
        return 0;
    const struct gpu_calls *calls =
        machine_gpu_calls(a->t->in->m, a->t->in->ngpus);
    struct step_clock k = {.host_s = a->t->called_s,
                           .stream_s = a->t->before_s};
    step_work(&k, agent_look_s(a, looked) + w->gpus[a->site.gpu].chain_s +
                      w->unit_s * c->work.units);
    step_do(&k, traverse_step(a->t->in), STEP_AFTER, calls);
    return step_clock_s(&k);
}

/* Lets all GPUs dequeue the work that they have. Returns the seconds of the
 * slowest, 0 if none has any. */
static double supersteps_work(struct traversal *t, struct turn *turns)
{
    double most = 0;

    for (uint32_t i = 0; i < t->in->ngpus; i++) {
        struct turn *turn = &turns[i];
        *turn = (struct turn){0};
        turn->s = work_of(&t->agents[i], &turn->chunk);
        if (!turn->chunk)
            continue;
        turn->begin_s = turn->chunk->begin_s;
        turn->visits = turn->chunk->work.visits;
        turn->edges = turn->chunk->work.edges;
        most = fmax(most, turn->s);
    }
    return most;
}

static void supersteps_worked(struct traversal *t, const struct turn *turns)
{
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        if (turns[i].chunk)
            observer_done(&t->observer, i, turns[i].begin_s,
                          turns[i].begin_s + turns[i].s, turns[i].visits,
                          turns[i].edges);
}

static void supersteps_apply(struct traversal *t, const struct turn *turns)
{
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        if (turns[i].chunk)
            agent_apply_all(&t->agents[i], turns[i].chunk);
}

/* Returns the rank that copies from one GPU to another: a core of the GPU's
 * socket, of its own as long as there are enough, because copies are issued and
 * not waited for one by one. */
static uint32_t copier(const struct traversal *t, uint32_t from, uint32_t to)
{
    const struct machine *m = t->in->m;
    unsigned socket = machine_gpu(m, from % m->ngpus)->socket;
    unsigned cores = machine_socket(m, socket)->cores, on_socket = 0,
             before = 0;

    for (unsigned g = 0; g < m->ngpus; g++)
        if (machine_gpu(m, g)->socket == socket) {
            on_socket++;
            before += g < from % m->ngpus;
        }
    assert(on_socket > 0 && cores > 0);
    unsigned each = cores / on_socket ? cores / on_socket : 1;
    return from / m->ngpus * m->ncores + machine_socket_core(m, socket) +
           (before * each + to % each) % cores;
}

/* Adds a list of calls by a GPU's CPU, after the operation `after` if that is
 * not the new one itself. */
static uint32_t plan_calls(struct plan *p, const struct traversal *t,
                           uint32_t gpu, enum step_part part, uint32_t after)
{
    uint32_t op =
        plan_work(p, copier(t, gpu, gpu),
                  step_part_s(traverse_step(t->in), part,
                              machine_gpu_calls(t->in->m, t->in->ngpus)));

    if (after != op)
        plan_after(p, after);
    return op;
}

/* Adds the transfer from one GPU to another, after the call. */
static uint32_t plan_part(struct plan *p, const struct traversal *t,
                          uint32_t from, uint32_t to, uint64_t bytes,
                          uint32_t called)
{
    const struct machine *m = t->in->m;
    uint32_t op;

    if (from / m->ngpus == to / m->ngpus)
        op = plan_copy_peer(p, PHASE_ON_NODE, copier(t, from, to), from, to,
                            bytes);
    else
        op = plan_msg(p, PHASE_OFF_NODE, copier(t, from, to),
                      copier(t, to, from), from, to, bytes);
    plan_after(p, called);
    return op;
}

/* Adds the sends of a GPU's updates to one GPU after the other, and the calls
 * by which each accepts them. */
static void plan_gpu_sends(struct plan *p, struct traversal *t, uint32_t i)
{
    struct outbox *box = &t->agents[i].outbox;
    uint32_t called = plan_calls(p, t, i, STEP_SEND, (uint32_t)p->nops);

    for (uint32_t c = 0, to = outbox_to(box); c < to; c++) {
        uint32_t k;
        const struct updates *out = outbox_waiting(box, c, &k);
        called = plan_calls(p, t, i, STEP_SEND_PEER, called);
        uint32_t moved =
            plan_part(p, t, i, k, out->n * t->in->x->update_B, called);
        plan_calls(p, t, k, STEP_RECEIVE_PEER, moved);
        observer_updates(&t->observer, i, out->n);
    }
}

/* Adds the exchange; only GPUs that have worked, or that have updates, send. */
static void plan_exchange(struct plan *p, struct traversal *t,
                          const struct turn *worked)
{
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        if ((worked && worked[i].chunk) || outbox_to(&t->agents[i].outbox))
            plan_gpu_sends(p, t, i);
}

/* Plans the same exchange by a strategy of the halo exchanges, which gets the
 * amount of data from each GPU to each. */
static int plan_by_strategy(struct plan *p, struct traversal *t,
                            struct err *err)
{
    uint32_t n = t->in->ngpus;
    struct halo_msg *msgs = NULL;
    struct strategy_options options = {0};
    struct halo h;
    size_t nmsgs = 0;

    for (uint32_t i = 0; i < n; i++) {
        struct outbox *box = &t->agents[i].outbox;
        uint32_t to = outbox_to(box);
        msgs = xrealloc(msgs, nmsgs + to + 1, sizeof *msgs);
        for (uint32_t c = 0; c < to; c++) {
            uint32_t k;
            size_t updates = outbox_waiting(box, c, &k)->n;
            observer_updates(&t->observer, i, updates);
            msgs[nmsgs++] = (struct halo_msg){i, k, updates};
        }
    }
    int result = halo_from_messages(&h, n, t->in->m->ngpus, t->in->x->update_B,
                                    msgs, nmsgs, err);
    free(msgs);
    if (result < 0)
        return -1;
    result = strategy_plan(t->in->x->exchange, p, t->in->m, &h, &options, err);
    halo_clear(&h);
    p->begin_s += step_part_s(traverse_step(t->in), STEP_SEND,
                              machine_gpu_calls(t->in->m, t->in->ngpus));
    return result;
}

static int plan_by_copies(struct plan *p, struct traversal *t,
                          const struct turn *worked, struct err *err)
{
    const struct machine *m = t->in->m;
    uint32_t nodes = (t->in->ngpus + m->ngpus - 1) / m->ngpus;

    plan_init(p, m, "exchange of a superstep", 1, m->ncores, NULL);
    if (plan_spread(p, m, nodes * m->ncores, err) < 0)
        return -1;
    p->issued =
        t->in->x->control == CONTROL_GPU || step_copies(traverse_step(t->in));
    plan_exchange(p, t, worked);
    return 0;
}

static struct track track_of(const struct plan *p, const struct op *o)
{
    if (o->src_gpu == NO_GPU)
        return (struct track){TRACK_NODES, plan_node(p, o->src),
                              plan_node(p, o->dst)};
    return (struct track){TRACK_GPUS, o->src_gpu, o->dst_gpu};
}

/* Counts messages and copies between GPUs; the timeline also gets the copies to
 * and from hosts. */
static void note_uses(struct traversal *t, const struct plan *p,
                      const struct op_times *times, double begin)
{
    for (size_t i = 0; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        double from = begin + times[i].start_s, to = begin + times[i].end_s;
        double bytes = (double)o->bytes;
        if (o->kind == OP_MSG || (o->kind == OP_COPY && o->dir == D2D))
            observer_use(&t->observer, track_of(p, o), from, to, bytes, bytes);
        else if (o->kind == OP_COPY)
            observer_copy(&t->observer, o->src_gpu, from, to, bytes);
    }
}

/* Exchanges the updates of the GPUs that have worked; none has if `worked` is
 * NULL. */
static int supersteps_exchange(struct traversal *t, const struct turn *worked,
                               struct err *err)
{
    struct plan p;

    if ((t->in->x->exchange ? plan_by_strategy(&p, t, err)
                            : plan_by_copies(&p, t, worked, err)) < 0)
        return -1;
    struct exec_result r;
    double begin = engine_now(t->engine);
    const struct loop l = loop_of_plan(&p);
    exec_result_init(&r, &l, EXEC_TIMES);
    int result = plan_check(&p, t->in->m, err);
    if (result == 0)
        result = exec_loop_on(&r, t->engine, t->in->m, &l, err);
    if (result == 0)
        note_uses(t, &p, r.ops, begin);
    exec_result_clear(&r);
    plan_clear(&p);
    return result;
}

/* Delays the run once, because one GPU reaches the others later. */
static int supersteps_skew(struct traversal *t, struct err *err)
{
    return t->in->ngpus > 1 && t->in->skew_s > 0
               ? supersteps_advance(t, t->in->skew_s, err)
               : 0;
}

static bool anything_came(const struct traversal *t)
{
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        if (!outbox_is_empty(&t->agents[i].outbox))
            return true;
    return false;
}

/* Lets each GPU accept its updates when all have arrived. */
static int supersteps_receive(struct traversal *t, struct err *err)
{
    const struct step *step = traverse_step(t->in);
    bool tells = step->parts[STEP_CAME].length > 0;
    bool came = tells && anything_came(t);

    return supersteps_advance(
        t,
        (came || !tells ? t->in->latency_s : 0) +
            step_part_s(step, came ? STEP_CAME : STEP_RECEIVE,
                        machine_gpu_calls(t->in->m, t->in->ngpus)),
        err);
}

static void supersteps_deliver(struct traversal *t)
{
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        agent_queue_changed(&t->agents[i]);
    for (uint32_t i = 0; i < t->in->ngpus; i++) {
        struct outbox *box = &t->agents[i].outbox;
        for (uint32_t c = 0, to = outbox_to(box); c < to; c++) {
            uint32_t k;
            struct updates *out = outbox_waiting(box, c, &k);
            if (t->outbox.pack)
                t->outbox.pack(t, i, out);
            agent_deliver(&t->agents[k], i, out);
        }
        outbox_empty(box);
    }
}

/* Before a step, GPUs that change their direction inform the others. */
static int supersteps_aim(struct traversal *t, struct err *err)
{
    bool any = false;

    for (uint32_t i = 0; t->algorithm->aim && i < t->in->ngpus; i++) {
        t->algorithm->aim(t->state, &t->agents[i].site);
        any = any || !outbox_is_empty(&t->agents[i].outbox);
    }
    if (!any)
        return 0;
    int result = supersteps_exchange(t, NULL, err);
    if (result == 0)
        result = supersteps_receive(t, err);
    supersteps_deliver(t);
    return result;
}

/* All GPUs work, then exchange their updates. */
static int step_then_exchange(struct traversal *t, const struct turn *turns,
                              double s, struct err *err)
{
    supersteps_worked(t, turns);
    if (supersteps_advance(t, s, err) < 0)
        return -1;
    supersteps_apply(t, turns);
    return t->in->ngpus > 1 ? supersteps_exchange(t, turns, err) : 0;
}

/* The updates are sent while the GPUs work. */
static int step_and_exchange(struct traversal *t, const struct turn *turns,
                             double s, struct err *err)
{
    double end = engine_now(t->engine) + s;

    supersteps_apply(t, turns);
    if (supersteps_exchange(t, turns, err) < 0)
        return -1;
    supersteps_worked(t, turns);
    double left = end - engine_now(t->engine);
    return left > 0 ? supersteps_advance(t, left, err) : 0;
}

static int supersteps_step(struct traversal *t, const struct turn *turns,
                           double s, struct err *err)
{
    bool several = t->in->ngpus > 1;
    bool meanwhile = several && t->in->x->control == CONTROL_GPU;

    if ((meanwhile ? step_and_exchange(t, turns, s, err)
                   : step_then_exchange(t, turns, s, err)) < 0 ||
        (several && supersteps_receive(t, err) < 0))
        return -1;
    supersteps_deliver(t);
    return 0;
}

static struct traverse_level *level_new(struct traversal *t)
{
    struct traverse_result *r = t->observer.r;

    if (!(r->nlevels & (r->nlevels - 1))) /* a power of 2 */
        r->levels = xrealloc(r->levels, r->nlevels ? 2 * r->nlevels : 1,
                             sizeof *r->levels);
    r->levels[r->nlevels] = (struct traverse_level){0};
    return &r->levels[r->nlevels++];
}

static void level_end(struct traversal *t, struct traverse_level *level,
                      const struct turn *turns)
{
    for (uint32_t i = 0; i < t->in->ngpus; i++) {
        level->visits += turns[i].visits;
        level->edges += turns[i].edges;
    }
    level->time_s = engine_now(t->engine) - t->last_s;
    t->last_s = engine_now(t->engine);
}

int supersteps_run(struct traversal *t, struct err *err)
{
    struct turn *turns = xcalloc(t->in->ngpus, sizeof *turns);
    double s;
    int result;

    for (uint32_t i = 0; i < t->in->ngpus; i++)
        observer_coming(&t->observer, i, engine_now(t->engine));
    if (supersteps_skew(t, err) < 0) {
        free(turns);
        return -1;
    }
    while ((result = supersteps_aim(t, err)) == 0 && !traversal_fails(t) &&
           (s = supersteps_work(t, turns)) > 0 &&
           (result = supersteps_step(t, turns, s, err)) == 0)
        level_end(t, level_new(t), turns);
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        observer_arrived(&t->observer, i, engine_now(t->engine));
    free(turns);
    return result;
}
