/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libsluice: times of matching, of puts and of messages from one node to
 * others, and closed forms, without a workload's simulation. */
#include "cli/library.h"

#include "sim/plan/plan_check.h"
#include "sim/transport/matching.h"
#include "sim/transport/puts.h"
#include "strategies/exchange/model.h"
#include "workloads/scenario.h"

#include <math.h>
#include <string.h>

/* --- matching ------------------------------------------------------------- */

static int check_queues(const struct sluice_queues *q, struct err *err)
{
    if (!(q->messages > 0) || !(q->receives > 0) || !(q->matched > 0) ||
        q->matched > q->messages || q->matched > q->receives)
        return fail(err, "queues: expected messages and receives, of which "
                         "some match");
    if (q->order < MATCH_IN_ORDER || q->order > MATCH_REVERSED)
        return fail(err, "queues: order: expected 0 to 2, got %d", q->order);
    return 0;
}

/* Returns the number of CTAs for the messages of the queues. */
static unsigned count_ctas(const struct matching *l, double messages)
{
    if (l->engine == MATCHER_LIST)
        return 0;
    if (l->engine == MATCHER_HASH)
        return l->ctas;
    unsigned queues = l->engine == MATCHER_PARTITIONED ? l->queues : 1;

    return match_layout(l, queues, messages / queues).ctas;
}

int sluice_match(double *time_s, unsigned *ctas,
                 const struct sluice_machine *machine,
                 const struct sluice_queues *queues, struct sluice_error *error)
{
    struct err err = {0};
    int result = -1;

    if (!time_s || !machine || !queues)
        (void)library_lacks(!time_s    ? "time_s"
                            : !machine ? "machine"
                                       : "queues",
                            &err);
    else if (machine->m.matching.engine == MATCHER_NONE)
        (void)fail(&err, "%s: matching: no engine", machine->m.name);
    else
        result = check_queues(queues, &err);
    if (result < 0) {
        library_tell(error, &err);
        return -1;
    }
    const struct matching *l = &machine->m.matching;
    const struct match_load load = {queues->messages, queues->receives,
                                    queues->matched,
                                    (enum match_order)queues->order};
    *time_s =
        l->engine == MATCHER_HASH && queues->equal > 1
            ? match_hash_s(l, queues->messages, queues->receives, queues->equal)
            : match_load_s(l, load, queues->compact != 0);
    if (ctas)
        *ctas = count_ctas(l, queues->messages);
    return 0;
}

/* --- puts ----------------------------------------------------------------- */

int sluice_puts(double *time_s, double *latency_s,
                const struct sluice_machine *machine, uint64_t bytes,
                unsigned n, struct sluice_error *error)
{
    struct err err = {0};
    int result = -1;

    if (!time_s || !machine)
        (void)library_lacks(time_s ? "machine" : "time_s", &err);
    else if (!bytes || !n)
        (void)fail(&err, "puts: expected some, of 1 B or more");
    else
        result = puts_time(time_s, &machine->m, bytes, n, &err);
    if (result < 0)
        library_tell(error, &err);
    else if (latency_s)
        *latency_s = machine_put_s(&machine->m);
    return result;
}

/* --- closed forms --------------------------------------------------------- */

static int predict(double *time_s, const struct machine *m,
                   const struct model_input *in, const struct strategy *s,
                   int printed, struct err *err)
{
    struct model_time t;

    *time_s = NAN;
    if (!s->predict)
        return 0;
    if (model_predict(&t, m, in, s, printed ? MODEL_PRINTED : MODEL_CORRECTED,
                      err) < 0)
        return -1;
    *time_s = t.total_s;
    return 0;
}

static int model_of(double *time_s, const struct sluice_workload *w,
                    const struct machine *m, const char *strategy, int printed,
                    struct err *err)
{
    const struct job *j = &w->job;
    const struct strategy *s = strategy_find(strategy, err);
    struct model_input in;

    if (!s)
        return -1;
    if (!job_shape(j)->closed_forms || j->load.halo.nrounds)
        return fail(err, "%s: has no closed form", j->words);
    if (m->ngpus != j->machine->ngpus)
        return fail(err, "machine: expected %u GPUs a node, %s has %u",
                    j->machine->ngpus, m->name, m->ngpus);
    model_input_from_halo(&in, m, &j->load.halo, &j->options);
    return predict(time_s, m, &in, s, printed, err);
}

int sluice_model(double *time_s, const struct sluice_workload *workload,
                 const struct sluice_machine *machine, const char *strategy,
                 int printed, struct sluice_error *error)
{
    struct err err = {0};
    int result = -1;

    if (!time_s || !workload || !strategy)
        (void)library_lacks(!time_s     ? "time_s"
                            : !workload ? "workload"
                                        : "strategy",
                            &err);
    else
        result = model_of(time_s, workload,
                          machine ? &machine->m : workload->job.machine,
                          strategy, printed, &err);
    if (result < 0)
        library_tell(error, &err);
    return result;
}

/* --- scenarios ------------------------------------------------------------ */

/* Makes the plan. Standard communication sends every message separately, even
 * several of one pair of GPUs; the others gather them anyway. */
static int plan_scenario(struct plan *p, const struct machine *m,
                         const struct strategy *s,
                         const struct scenario *scenario, struct err *err)
{
    struct strategy_options options = {0};
    struct halo halo;

    if (scenario_halo(&halo, m->ngpus, scenario, err) < 0)
        return -1;
    int result = strategy_plan(s, p, m, &halo, &options, err);
    if (result == 0 && plan_check(p, m, err) < 0) {
        plan_clear(p);
        result = -1;
    }
    if (result == 0 && s->direct) {
        struct plan apart;
        scenario_unmerge(&apart, p, &halo, scenario->bytes);
        plan_clear(p);
        *p = apart;
    }
    halo_clear(&halo);
    return result;
}

static int simulate_scenario(double *time_s, const struct machine *m,
                             const struct strategy *s,
                             const struct scenario *scenario, struct err *err)
{
    struct plan plan;

    if (plan_scenario(&plan, m, s, scenario, err) < 0)
        return -1;
    const struct timed_plan timed = {&plan, NULL};
    int result = exec_times(time_s, m, &timed, 1, NULL, err);
    plan_clear(&plan);
    return result;
}

static int scenario_times(double *time_s, double *model_s,
                          const struct machine *m,
                          const struct sluice_scenario *x, const char *strategy,
                          int printed, struct err *err)
{
    const struct strategy *s = strategy_find(strategy, err);

    if (!s)
        return -1;
    if (!m->ngpus || m->network.nodes <= x->nodes)
        return fail(err, "%s has %u nodes of %u GPUs; %u nodes wanted", m->name,
                    m->network.nodes, m->ngpus, x->nodes + 1);
    if (!x->messages || !x->nodes || !x->bytes)
        return fail(err, "scenario: expected messages, nodes and bytes");
    const struct scenario scenario = {x->messages, x->nodes, x->bytes,
                                      x->duplicates, s->best_case};
    if (time_s && simulate_scenario(time_s, m, s, &scenario, err) < 0)
        return -1;
    if (!model_s)
        return 0;
    struct strategy_options options = {0};
    const struct model_scenario of = {x->messages, x->nodes, (double)x->bytes,
                                      x->duplicates};
    struct model_input in;

    model_input_from_scenario(&in, m, &of, &options);
    return predict(model_s, m, &in, s, printed, err);
}

int sluice_scenario(double *time_s, double *model_s,
                    const struct sluice_machine *machine,
                    const struct sluice_scenario *scenario,
                    const char *strategy, int printed,
                    struct sluice_error *error)
{
    struct err err = {0};
    int result = -1;

    if (!machine || !scenario || !strategy)
        (void)library_lacks(!machine    ? "machine"
                            : !scenario ? "scenario"
                                        : "strategy",
                            &err);
    else
        result = scenario_times(time_s, model_s, &machine->m, scenario,
                                strategy, printed, &err);
    if (result < 0)
        library_tell(error, &err);
    return result;
}
