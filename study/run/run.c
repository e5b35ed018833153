/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates each candidate of a job, by a plan or by agents, and ranks the
 * outcomes. */
#include "study/run/run.h"

#include "base/jobs.h"
#include "base/seconds.h"
#include "sim/network/node_routes.h"
#include "sim/plan/exec_processes.h"
#include "sim/plan/timeline.h"
#include "apps/agents/traverse_timeline.h"
#include "strategies/exchange/model.h"
#include "study/run/graph_rounds.h"
#include "study/run/run_loop.h"
#include "study/run/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- plans ---------------------------------------------------------------- */

/* Returns 1 if the machine cannot do it (err says why). */
static int run_plan(struct outcome *o, const struct job *j,
                    const struct choice *c, const struct run_options *options,
                    struct err *err)
{
    double begin = seconds();
    struct exec_result x;
    struct plan room;

    const struct plan *given = job_plan(&room, j, c, err), *p = given;
    struct plan under;
    if (!p)
        return 1;
    /* The runtime was named; the plan is copied, because it may be the
     * workload's. */
    if (c->runtime) {
        under = *given;
        plan_carry_by(&under, j->machine, c->runtime);
        p = &under;
    }
    if (runtime_check(p, j->machine, err) < 0) {
        plan_clear(&room);
        return 1;
    }
    double planned = seconds();
    struct exec_options exec = j->exec ? *j->exec : exec_defaults;
    exec.rate_bins =
        options->timeline || options->timeline_ops ? TIMELINE_BINS : 0;
    int result = exec_plan(&x, j->machine, p, &exec,
                           options->queues ? EXEC_QUEUES : EXEC_DETAILS, err);
    if (result == 0) {
        o->plan_wall_s = planned - begin;
        o->run_wall_s = seconds() - planned;
        if (options->timeline)
            result =
                run_save_timeline(options->timeline, j->machine, p, &x, err);
        if (options->timeline_ops)
            o->timeline =
                timeline_keep(j->machine, p, &x, options->timeline_ops);
        outcome_take(o, j->machine, p, &x, options->keep_times);
        exec_result_clear(&x);
        o->origin = room.origin;
        room.origin = NULL;
    }
    plan_clear(&room);
    return result;
}

/* --- graphs --------------------------------------------------------------- */

/* Returns 1 if the run makes no progress (err says why). */
static int run_graph(struct outcome *o, const struct job *j,
                     const struct choice *c, const struct run_options *options,
                     struct err *err)
{
    const struct load *l = &j->load;
    const struct traverse_input in = {
        .m = j->machine,
        .g = &l->graph,
        .part = l->part,
        .ngpus = l->gpus,
        .x = c->execution,
        .algorithm = j->algorithm,
        .edge_s = j->edge_s,
        .source = l->source,
        .damping = l->damping,
        .threshold = l->threshold,
        .max_iterations = l->max_iterations,
        .timeline = options->timeline != NULL,
        .exec = j->exec,
    };
    struct traverse_result *r = xcalloc(1, sizeof *r);

    if (traverse_run(r, &in, err) < 0) {
        bool endless = r->endless;
        free(r);
        return endless ? 1 : -1;
    }
    o->graph = r;
    o->time_s = r->time_s;
    o->accuracy = exec_accuracy(j->exec, 0);
    o->run_wall_s = r->wall_s;
    o->check_wall_s = r->check_wall_s;
    o->links = r->links;
    o->nlinks = o->links_used = r->nlinks;
    if (options->timeline)
        return traverse_timeline_save(options->timeline, &in, r, err);
    return 0;
}

/* --- messages ------------------------------------------------------------- */

/* Returns 1 if the machine cannot do it (err says why). */
static int run_messages(struct outcome *o, const struct job *j,
                        const struct choice *c,
                        const struct run_options *options, struct err *err)
{
    struct run_steps steps;
    int result = run_steps_make(&steps, j, c, options, err);
    if (result == 0)
        result = steps.loop ? run_loop(o, j, &steps, err)
                            : run_plan(o, j, c, options, err);
    run_steps_clear(&steps);
    return result;
}

static double run_predict(const struct job *j, const struct choice *c)
{
    const struct halo *h = &j->load.halo;
    struct model_input in;
    struct model_time t;
    struct err ignored;
    int result;

    if (c->runtime)
        return NAN; /* because the closed forms are those of mpi */
    if (h->nrounds) {
        result = model_predict_rounds(&t, j->machine, h, &j->options,
                                      c->strategy, MODEL_CORRECTED, &ignored);
    } else {
        model_input_from_halo(&in, j->machine, h, &j->options);
        result = model_predict(&t, j->machine, &in, c->strategy,
                               MODEL_CORRECTED, &ignored);
    }
    return result < 0 ? NAN : t.total_s;
}

static int run_exchange(struct outcome *o, const struct job *j,
                        const struct choice *c,
                        const struct run_options *options, struct err *err)
{
    int result = run_messages(o, j, c, options, err);

    if (result == 0 && !o->in_steps)
        o->model_s = run_predict(j, c);
    return result;
}

/* Sets the time for data and result in one buffer, too, if both places are
 * asked for. */
static int run_collective(struct outcome *o, const struct job *j,
                          const struct choice *c,
                          const struct run_options *options, struct err *err)
{
    const struct run_options plain = {0};
    struct outcome other = {0};
    struct job in_place = *j;
    int result = run_messages(o, j, c, options, err);

    if (result || j->load.collective.place != COLLECTIVE_BOTH_PLACES)
        return result;
    in_place.load.collective.place = COLLECTIVE_IN_PLACE;
    in_place.kept = NULL;
    result = run_messages(&other, &in_place, c, &plain, err);
    o->in_place_s = other.time_s;
    outcome_clear(&other);
    return result;
}

/* --- one candidate -------------------------------------------------------- */

/* The rest of the table of shapes (shapes.h). */
static const struct {
    /* Returns 1 if the machine cannot do the candidate (err says why). */
    int (*run)(struct outcome *o, const struct job *j, const struct choice *c,
               const struct run_options *options, struct err *err);
    /* The name of its candidates in the error if none can be done; NULL if that
     * is the first candidate's. */
    const char *candidates;
    /* The options that name one candidate, if all are under one runtime, and if
     * not. */
    const char *option, *under_runtimes;
} run_shapes[NSHAPES] = {
    [SHAPE_HALO] = {run_exchange, "strategies", "--strategy",
                    "--strategy under one --runtime"},
    [SHAPE_PLAN] = {run_messages, "strategies", "--strategy", "--runtime"},
    [SHAPE_GRAPH] = {run_graph, "strategies", "--strategy", "--strategy"},
    [SHAPE_COLLECTIVE] = {run_collective, "algorithms", "--algorithm",
                          "--algorithm"},
    [SHAPE_TRACE] = {run_messages, "strategies", "--strategy",
                     "--strategy under one --runtime"},
    [SHAPE_ROUNDS] = {run_rounds, NULL, "platform and one runtime",
                      "platform and one runtime"},
};

/* Fills *o with the outcome, or with the reason why there is none. Returns -1
 * and err on an error. */
static int run_one(struct outcome *o, const struct job *j,
                   const struct choice *c, const struct run_options *options,
                   struct err *err)
{
    outcome_init(o, c->name);
    o->untold = c->untold;
    int result = run_shapes[j->load.shape].run(o, j, c, options, err);
    /* A trace that lacks something itself fails, because no strategy can make
     * up for it. */
    bool given = j->workload->trace && !c->strategy;
    if (result == 1 && j->all && !given) {
        o->why = xcalloc(1, sizeof *o->why);
        *o->why = *err;
        result = 0;
    }
    return result ? -1 : 0;
}

/* --- all candidates ------------------------------------------------------- */

static int run_by_time(const void *a, const void *b)
{
    const struct outcome *x = a, *y = b;

    if (!x->why != !y->why)
        return x->why ? 1 : -1;
    if (!x->why && x->time_s != y->time_s)
        return x->time_s < y->time_s ? -1 : 1;
    return strcmp(x->name, y->name);
}

struct side_by_side {
    const struct job_runs *of;
    size_t ncandidates; /* of all jobs */
    const struct exec_options *exec;
    const struct run_options *options;
};

/* Runs the i-th candidate, one job after the other. The jobs share the routes
 * inside the machine's nodes. */
static int run_nth(void *arg, unsigned worker, size_t i, struct err *err)
{
    const struct side_by_side *s = arg;
    const struct job_runs *of = s->of;
    struct exec_options exec = *s->exec;
    size_t rest = s->ncandidates - 1 - i; /* The first have one job more. */

    (void)worker;
    for (; i >= of->n; of++)
        i -= of->n;
    struct job j = *of->job;
    /* Threads of its own are for a candidate that has tasks. */
    exec.jobs = (unsigned)((exec.jobs + rest) / s->ncandidates);
    j.exec = &exec;
    j.options.no_pieces = true;
    return run_one(&of->list[i], &j, &of->job->choices[i], s->options, err);
}

/* Compares the strategies for the phases of a trace with the trace as it is,
 * under the same runtime. */
static void run_hold_against(struct job_runs *of)
{
    const struct choice *choices = of->job->choices;

    for (size_t i = 0; i < of->n; i++)
        for (size_t k = 0; k < of->n; k++)
            if (!choices[k].strategy && !of->list[k].why &&
                choices[k].runtime == choices[i].runtime)
                of->list[i].given_s = of->list[k].time_s;
}

static void run_rank(struct job_runs *of)
{
    const struct job *j = of->job;
    size_t left_out = 0;

    for (size_t i = 0; i < of->n; i++)
        left_out += of->list[i].why != NULL;
    if (left_out == of->n) {
        of->why = xcalloc(1, sizeof *of->why);
        *of->why = *of->list[0].why;
    }
    const char *candidates = run_shapes[j->load.shape].candidates;
    if (left_out == of->n && candidates)
        err_set(of->why, ERR_INPUT, __FILE__, __LINE__,
                "%s can do none of the %s: %s", j->machine->name, candidates,
                of->list[0].why->text);
    if (j->workload->trace)
        run_hold_against(of);
    qsort(of->list, of->n, sizeof *of->list, run_by_time);
    for (size_t i = 0; i < of->n; i++)
        of->list[i].times_best = of->list[i].why ? NAN
                                 : of->list->time_s > 0
                                     ? of->list[i].time_s / of->list->time_s
                                     : 1;
}

/* Returns the option that names one candidate of a job that has several. */
static const char *run_candidates_are(const struct job *j)
{
    const struct choice *first = j->choices, *last = first + j->nchoices - 1;

    return first->runtime == last->runtime
               ? run_shapes[j->load.shape].option
               : run_shapes[j->load.shape].under_runtimes;
}

int job_check_timeline(const struct job *first, size_t n, struct err *err)
{
    bool sizes = n > 1 && !job_shape(first)->on_hosts;

    if (n == 1 && first->nchoices == 1)
        return 0;
    return fail(err, "--timeline: expected one %s, got %zu",
                sizes ? "size" : run_candidates_are(first),
                sizes ? n : n * first->nchoices);
}

int jobs_run_all(struct job_runs *of, size_t n,
                 const struct run_options *options, struct err *err)
{
    const struct job *first = of[0].job;
    struct node_routes *node_routes = node_routes_new(first->machine);
    struct exec_options exec = first->exec ? *first->exec : exec_defaults;
    struct side_by_side s = {of, 0, &exec, options};

    exec.node_routes = node_routes;
    for (size_t i = 0; i < n; i++) {
        of[i].n = of[i].job->nchoices;
        of[i].list = xcalloc(of[i].n, sizeof *of[i].list);
        s.ncandidates += of[i].n;
    }
    /* This comes before there are threads, because SimGrid's engine forks. */
    int result = engine_prepare(exec_engine(&exec), err);
    if (result == 0)
        result = jobs_run(s.ncandidates, exec.jobs, run_nth, &s, err);
    node_routes_free(node_routes);
    for (size_t i = 0; i < n; i++)
        if (result < 0)
            job_runs_clear(&of[i]);
        else
            run_rank(&of[i]);
    return result;
}

void job_runs_clear(struct job_runs *of)
{
    outcomes_free(of->list, of->n);
    free(of->why);
    *of = (struct job_runs){.job = of->job};
}

int job_run(struct outcome **list, size_t *n, const struct job *j,
            const struct run_options *options, struct err *err)
{
    struct job_runs of = {.job = j};

    *n = 0;
    *list = NULL;
    if (jobs_run_all(&of, 1, options, err) < 0)
        return -1;
    if (of.why) {
        *err = *of.why;
        job_runs_clear(&of);
        return -1;
    }
    *list = of.list;
    *n = of.n;
    return 0;
}

int job_run_one(struct outcome *o, const struct job *j, const struct choice *c,
                const struct run_options *options, struct err *err)
{
    int result = run_one(o, j, c, options, err);

    if (result == 0 && o->why) {
        *err = *o->why;
        result = -1;
    }
    if (result < 0)
        outcome_clear(o);
    return result;
}

bool compared_is_made(struct compared *best, const struct load *l)
{
    if (l->compared && l->compared_why)
        best->why = *l->compared_why;
    return l->compared && !l->compared_why;
}

int compared_failed(struct compared *best, const struct load *l,
                    struct err *err)
{
    best->why = *err;
    if (l->compared_unasked && err->kind == ERR_INPUT)
        return 0;
    return fail_in(err, "--compare-partition %s", l->compared);
}

int job_run_compared(struct compared *best, const struct job *j,
                     struct err *err)
{
    const struct run_options options = {0};
    struct job other = *j;
    struct outcome *list;
    size_t n;

    *best = (struct compared){0};
    if (!compared_is_made(best, &j->load))
        return 0;
    other.load.halo = j->load.compared_halo;
    other.kept = NULL;
    if (job_run(&list, &n, &other, &options, err) < 0)
        return compared_failed(best, &j->load, err);
    best->name = list->name;
    best->time_s = list->time_s;
    outcomes_free(list, n);
    return 0;
}
