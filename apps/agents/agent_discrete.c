/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts and ends a GPU's discrete kernels: one after the other, or while
 * others run. */
#include "apps/agents/agent_parts.h"

#include <math.h>

/* --- the end of a kernel -------------------------------------------------- */

double agent_send_s(const struct agent *a, uint32_t to)
{
    const struct traverse_input *in = a->t->in;
    const struct gpu_calls *c = machine_gpu_calls(in->m, in->ngpus);

    return to ? step_part_s(traverse_step(in), STEP_SEND, c) +
                    to * (step_part_s(traverse_step(in), STEP_SEND_PEER, c) +
                          in->latency_s)
              : 0;
}

/* Ends the kernel for the CPU, which now knows of it and sends the updates that
 * the kernel found. */
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
    t->start(a);
}

/* Returns the time from a kernel's end until the CPU has made the calls that
 * follow; the CPU is ahead of the stream while the kernel works. */
static double agent_after_s(struct agent *a)
{
    const struct traversal *t = a->t;
    double s = agent_now(a) - a->kernel_s;
    struct step_clock k = {.host_s = a->called_s, .stream_s = s};

    step_do(&k, traverse_step(t->in), STEP_AFTER,
            machine_gpu_calls(t->in->m, t->in->ngpus));
    return step_clock_s(&k) - s +
           (t->workers.at_end ? agent_send_s(a, outbox_to(&a->outbox)) : 0);
}

void agent_end_kernel(struct agent *a)
{
    if (agent_is_persistent(a) || a->launching ||
        !workers_are_done(&a->workers) || !queues_kernel_is_empty(&a->queues))
        return;
    a->launching = true;
    engine_after(a->t->engine, agent_overlaps(a) ? 0 : agent_after_s(a),
                 agent_ended, a);
}

/* --- its start ------------------------------------------------------------ */

static void agent_launched(void *arg)
{
    struct agent *a = arg;

    a->launching = false;
    queues_launch_kernel(&a->queues);
    agent_workers_take(a);
    agent_end_kernel(a);
    a->t->start(a);
}

/* Launches a kernel that has its vertices; its workers begin after `s`. */
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

/* Starts a kernel on all that is queued; the next one begins after its end. */
void agent_start_kernel(struct agent *a)
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
    double raise_s =
        threshold == a->queues.threshold
            ? 0
            : step_part_s(traverse_step(t->in), STEP_RAISE,
                          machine_gpu_calls(t->in->m, t->in->ngpus));
    a->called_s += raise_s;
    agent_launch(a, t->before_s + raise_s + agent_look_s(a, looked));
}

/* --- kernels that overlap ------------------------------------------------- */

/*
 * The CPU reads the queues' counters again and again, and launches a kernel on
 * a stream of its own for the vertices that it sees. The counter of other GPUs'
 * updates rises with each of their blocks; that of the GPU's own queue only
 * when nothing is being pushed, which is after its kernels have ended. Without
 * a key a kernel in between looks through all vertices; it works once all
 * blocks of those before it have started.
 */
static bool agent_sees_own(const struct agent *a)
{
    return a->t->algorithm->key ? !a->busy : queues_kernel_is_empty(&a->queues);
}

static double agent_poll_s(const struct agent *a)
{
    const struct traversal *t = a->t;
    const struct gpu_calls *calls = machine_gpu_calls(t->in->m, t->in->ngpus);

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
    if (traversal_fails(t) || outbox_is_stalled(&a->outbox))
        return;
    if (agent_sees_own(a) ? !queues_fill_kernel(&a->queues, &looked)
                          : !queues_fill_kernel_by_others(&a->queues))
        return;
    a->polls_s += t->before_s;
    a->called_s = t->called_s;
    agent_launch(a, t->before_s);
}

/* Schedules the reading that sees the waiting vertices: the first reading began
 * when the last kernel was launched, and each begins when the one before has
 * ended. */
void agent_poll(struct agent *a)
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
