/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a trace of a request ready: its candidates, the cores of its ranks, its
 * phases, and the plan of each candidate. */
#include "sim/plan/plan_check.h"
#include "study/run/job_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Adds the trace as it is, and the strategies that can exchange its phases. */
static int choose_with_as_given(struct job *j, const char *names,
                                struct err *err)
{
    char *others = NULL, *list = xstrdup(names ? names : ""), *rest = list;
    bool as_given = !names;

    for (char *name; names && (name = strsep(&rest, ","));) {
        as_given |= !strcmp(name, AS_GIVEN);
        if (!strcmp(name, AS_GIVEN))
            continue;
        char *longer =
            xasprintf("%s%s%s", others ? others : "", others ? "," : "", name);
        free(others);
        others = longer;
    }
    if (as_given)
        job_add_choice(j, AS_GIVEN);
    int result = names && !others ? 0 : job_choose_strategies(j, others, err);
    free(others);
    free(list);
    return result;
}

/* The library and the algorithms are for the collectives in the trace. */
int job_choose_replay(struct job *j, const struct request *r, struct err *err)
{
    j->replay = r->replay;
    if (isnan(j->replay.compute_scale))
        j->replay.compute_scale = 1;
    if (isnan(j->replay.flops))
        j->replay.flops = REPLAY_FLOPS;
    if (!(j->replay.compute_scale >= 0 && j->replay.compute_scale <= 1e9))
        return fail(err, "--compute-scale: expected 0 to 10^9, got %g",
                    j->replay.compute_scale);
    if (!(j->replay.flops > 0 && j->replay.flops <= 1e18))
        return fail(err, "--flops: expected a number above 0, got %g",
                    j->replay.flops);
    j->replay.algorithms = r->algorithm;
    if (r->library && !(j->replay.library = library_find(r->library, err)))
        return fail_in(err, "--library");
    return choose_with_as_given(j, r->strategy, err);
}

static const char *job_trace(const struct job *j)
{
    return j->plain_words + strlen(j->workload->prefix);
}

/* Puts ranks whose data are in GPU memory on cores near their GPUs, if each
 * rank has its own GPU. */
void job_seat_ranks(struct job *j)
{
    const struct machine *m = j->machine;
    struct plan *p = &j->load.plan;
    unsigned each = p->ranks_per_node;

    if (!j->load.ranks_are_gpus || each > m->ngpus)
        return;
    for (unsigned i = 0; i < each; i++)
        p->core[i] = machine_gpu_core(m, i * m->ngpus / each);
    if (j->placement.slot && !j->placement.core) {
        j->placement.core = xcalloc(each, sizeof *j->placement.core);
        memcpy(j->placement.core, p->core, each * sizeof *p->core);
    }
}

/* Data that are forwarded are packed by their rank or its GPU; an application's
 * own data are contiguous as they are. */
int job_find_phases(struct job *j, bool no_packing, struct err *err)
{
    struct trace t;
    bool any = false;

    for (size_t i = 0; i < j->nchoices; i++)
        any |= j->choices[i].strategy != NULL;
    if (!any)
        return 0;
    j->options.pack = !no_packing;
    j->options.contiguous = true;
    if (trace_open(&t, job_trace(j), err) < 0)
        return -1;
    int result = trace_phases_find(&j->phases, &t, err);
    trace_close(&t);
    return result;
}

/* Reads the trace anew for each plan, because several are made at a time. */
int job_plan_trace(struct plan *p, const struct job *j, const struct choice *c,
                   struct err *err)
{
    struct replay_options o = j->replay;
    struct trace t;

    o.placement = &j->placement;
    o.strategy = c->strategy;
    o.phases = &j->phases;
    o.exchange = j->options;
    if (c->strategy && !j->phases.n)
        return fail(err, "%s: the trace has no halo-like phases", c->name);
    if (trace_open(&t, job_trace(j), err) < 0)
        return -1;
    int result = replay_plan(p, j->machine, &t, &j->load.plan, &o, err);
    trace_close(&t);
    if (result == 0 && c->strategy && plan_check(p, j->machine, err) < 0) {
        plan_clear(p);
        result = fail_in(err, "%s", c->name);
    }
    return result;
}
