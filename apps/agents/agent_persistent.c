/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The workers of a GPU's persistent kernel: they dequeue waiting vertices, look
 * for those that were put off, and see vertices that others of them have
 * found. */
#include "apps/agents/agent_parts.h"

#include <math.h>

/*
 * --- found vertices that cannot be dequeued yet ---------------------------
 *
 * A queue of Atos shows its items up to the last one before which all are
 * written: a thread that has written checks whether as many items were counted
 * as were reserved, up to the farthest that is written. This holds if nobody
 * else pushes from its reservation until its check, the quiet time. Pushes
 * arrive at random, at a rate of their own, so a part exp(-rate * quiet) of
 * them is followed by none.
 */

static double agent_quiet_s(const struct agent *a)
{
    const struct traverse_input *in = a->t->in;

    return agent_is_persistent(a)
               ? in->x->quiet * in->m->gpu.access.latency_hit_s
               : 0;
}

bool agent_hides(const struct agent *a)
{
    return agent_quiet_s(a) > 0;
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
    a->t->start(a);
}

/* Returns the expected number of pushes that have an item: each warp pushes
 * once for its arcs, if one of these found a vertex. */
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

void agent_pushed(struct agent *a, const struct task *list, size_t n,
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

/* --- persistent kernels --------------------------------------------------- */

static void agent_looked(void *arg)
{
    struct agent *a = arg;
    struct traversal *t = a->t;

    a->launching = false;
    t->last_s = agent_now(a);
    observer_done(&t->observer, a->site.gpu, a->kernel_s, t->last_s, 0, 0);
    queues_raise(&a->queues);
    t->start(a);
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

/* --- one threshold for all ------------------------------------------------ */

static void agents_raised(void *arg)
{
    struct traversal *t = arg;

    t->raising = false;
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        queues_advance(&t->agents[i].queues);
    for (uint32_t i = 0; i < t->in->ngpus; i++)
        t->start(&t->agents[i]);
}

static bool agent_shares_threshold(const struct agent *a)
{
    return a->t->in->x->scope == SCOPE_ALL && agent_is_persistent(a) &&
           a->queues.delta && a->t->algorithm->key;
}

static bool agent_is_quiet(const struct agent *a)
{
    return queues_near_is_empty(&a->queues) &&
           !queues_unseen_waits(&a->queues) && workers_are_done(&a->workers) &&
           outbox_is_quiet(&a->outbox);
}

/* Raises the common threshold if no GPU has work below it, nothing is under
 * way, and some vertices were put off. */
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
    engine_after(t->engine,
                 step_part_s(traverse_step(t->in), STEP_RAISE,
                             machine_gpu_calls(t->in->m, t->in->ngpus)),
                 agents_raised, t);
}

/* --- idle workers --------------------------------------------------------- */

/* Returns whether workers are idle, all or some, and only vertices that were
 * put off wait. */
static bool agent_has_put_off_all(const struct agent *a)
{
    bool idle = a->t->in->x->scan == SCAN_SOME_IDLE
                    ? workers_idle(&a->workers) > 0
                    : !a->workers.active;

    return idle && queues_near_is_empty(&a->queues) &&
           queues_far_waits(&a->queues);
}

void agent_start_workers(struct agent *a)
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
