/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates what is done in steps, of which only what is under way is kept. */
#include "strategies/run/run_loop.h"

#include "base/seconds.h"

#include <math.h>

/* The loop of this way: made in *room, or the workload's own. NULL and an
 * error, or, with *planned, because it is to be planned. */
static const struct loop *run_make_loop(struct loop *room, const struct job *j,
                                        const struct choice *c, bool *planned,
                                        struct err *err)
{
    struct plan of_one;

    *room = (struct loop){0};
    *planned = false;
    if (j->load.loop.steps)
        return &j->load.loop;
    if (j->repeat <= 1) {
        struct collective asked = job_collective(j);
        int result =
            collective_loop(room, j->machine, c->algorithm, &asked, err);
        *planned = result > 0;
        return result ? NULL : room;
    }
    const struct plan *p = job_plan(&of_one, j, c, err);
    if (!p)
        return NULL;
    loop_repeat(room, p, j->repeat);
    plan_clear(&of_one);
    return room;
}

static void run_count_step(struct report *r, const struct machine *m,
                           const struct loop *l, uint32_t step)
{
    for (uint32_t i = 0; i < l->body.nops; i++) {
        struct op o = loop_op(l, step, i);
        report_count_op(r, m, &l->body, &o);
    }
}

/* Where messages turn, steps differ. */
static void run_count(struct report *r, const struct machine *m,
                      const struct loop *l)
{
    uint32_t different = l->turning ? l->steps : 1;

    for (uint32_t step = 0; step < different; step++)
        run_count_step(r, m, l, step);
    for (int where = 0; where < NLOCALITIES && different == 1; where++) {
        r->messages[where] *= l->steps;
        r->bytes[where] *= l->steps;
    }
    r->copies *= different == 1 ? l->steps : 1;
    r->copied_bytes *= different == 1 ? l->steps : 1;
}

static void run_loop_sum_up(struct outcome *o, const struct machine *m,
                            const struct loop *l)
{
    o->in_steps = true;
    o->time_s = o->loop.time_s;
    o->accuracy = o->loop.accuracy;
    o->work = o->loop.work;
    o->links = o->loop.links;
    o->nlinks = o->loop.nlinks;
    o->links_used = o->loop.links_used;
    o->durations.mean = NAN;
    run_count(&o->report, m, l);
    for (int where = 0; where < NLOCALITIES; where++)
        o->durations.n += o->report.messages[where];
    o->durations.n = o->durations.n / l->steps * o->loop.simulated;
}

int run_loop(struct outcome *o, const struct job *j, const struct choice *c,
             const struct run_options *options, struct err *err)
{
    const struct loop_options all = {.whole = j->every_step};
    double begin = seconds();
    struct loop room;
    bool to_plan;

    if (options->timeline)
        return fail(err, "--timeline: not of what is done in steps");
    const struct loop *l = run_make_loop(&room, j, c, &to_plan, err);
    if (!l)
        return to_plan ? RUN_LOOP_PLANNED : 1;
    double planned = seconds();
    int result = exec_loop(&o->loop, j->machine, l, j->exec, &all, err);
    if (result == 0) {
        o->plan_wall_s = planned - begin;
        o->run_wall_s = seconds() - planned;
        run_loop_sum_up(o, j->machine, l);
    }
    loop_clear(&room);
    return result;
}
