/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates each way of carrying out a job, by a plan or by agents, and ranks
 * what came of them. */
#include "strategies/run/run.h"

#include "base/jobs.h"
#include "base/seconds.h"
#include "sim/network/node_ways.h"
#include "sim/plan/timeline.h"
#include "strategies/agents/traverse_timeline.h"
#include "strategies/exchange/model.h"
#include "strategies/run/run_loop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- plans ---------------------------------------------------------------- */

static void run_add_traffic(struct outcome *o, const struct plan *p,
                            const struct exec_result *x)
{
    o->nends = p->nodes * p->ranks_per_node;
    o->ends = xcalloc(o->nends, sizeof *o->ends);
    for (size_t i = 0; i < p->nops; i++) {
        const struct op *op = &p->ops[i];
        if (plan_sends(op))
            o->ends[op->src].sent_B += op->bytes;
        if (op->kind == OP_MSG)
            o->ends[op->dst].received_B += op->bytes;
        else if (op->kind == OP_RECV) /* it may have had room for more */
            o->ends[op->dst].received_B += p->ops[x->partner[i]].bytes;
    }
}

/* Takes what is wanted of x. */
static void run_sum_up(struct outcome *o, const struct machine *m,
                       const struct plan *p, struct exec_result *x,
                       bool keep_times)
{
    o->time_s = x->time_s;
    o->accuracy = x->accuracy;
    o->work = x->work;
    report_make(&o->report, m, p, x);
    for (size_t i = 0; i < o->report.npath; i++)
        op_describe(o->path[i], sizeof o->path[i], m, p, o->report.path[i].op);
    durations_make(&o->durations, p, x);
    run_add_traffic(o, p, x);
    o->links = x->links;
    o->nlinks = x->nlinks;
    o->links_used = x->links_used;
    x->links = NULL;
    x->nlinks = 0;
    o->nops = p->nops;
    if (!keep_times)
        return;
    o->ops = x->ops;
    x->ops = NULL;
}

/* 1: the machine cannot do it (err says why). */
static int run_plan(struct outcome *o, const struct job *j,
                    const struct choice *c, const struct run_options *options,
                    struct err *err)
{
    double begin = seconds();
    struct exec_result x;
    struct plan room;

    const struct plan *p = job_plan(&room, j, c, err);
    if (!p)
        return 1;
    double planned = seconds();
    int result = exec_plan(&x, j->machine, p, j->exec, EXEC_DETAILS, err);
    if (result == 0) {
        o->plan_wall_s = planned - begin;
        o->run_wall_s = seconds() - planned;
        if (options->timeline)
            result = timeline_save(options->timeline, j->machine, p, &x, err);
        run_sum_up(o, j->machine, p, &x, options->keep_times);
        exec_result_clear(&x);
    }
    plan_clear(&room);
    return result;
}

static double run_predict(const struct job *j, const struct choice *c,
                          const struct model_input *in)
{
    struct model_time t;
    struct err ignored;

    if (!c->strategy || j->load.halo.nrounds > 1 ||
        model_predict(&t, j->machine, in, c->strategy, MODEL_CORRECTED,
                      &ignored) < 0)
        return NAN;
    return t.total_s;
}

/* --- graphs --------------------------------------------------------------- */

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
        .edge_s = j->edge.s,
        .source = l->source,
        .damping = l->damping,
        .threshold = l->threshold,
        .timeline = options->timeline != NULL,
        .exec = j->exec,
    };
    struct traverse_result *r = xcalloc(1, sizeof *r);

    if (traverse_run(r, &in, err) < 0) {
        free(r);
        return -1;
    }
    o->graph = r;
    o->time_s = r->time_s;
    o->accuracy = exec_accuracy(j->exec, NULL);
    o->run_wall_s = r->wall_s;
    o->check_wall_s = r->plain_wall_s;
    o->links = r->links;
    o->nlinks = o->links_used = r->nlinks;
    if (options->timeline)
        return traverse_timeline_save(options->timeline, &in, r, err);
    return 0;
}

/* --- all ------------------------------------------------------------------ */

static int run_by_time(const void *a, const void *b)
{
    const struct outcome *x = a, *y = b;

    if (!x->why != !y->why)
        return x->why ? 1 : -1;
    if (!x->why && x->time_s != y->time_s)
        return x->time_s < y->time_s ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* -1 and err, or what came of it, perhaps why nothing did. */
static int run_one(struct outcome *o, const struct job *j,
                   const struct choice *c, const struct model_input *in,
                   const struct run_options *options, struct err *err)
{
    int result;

    *o = (struct outcome){.name = c->name, .model_s = NAN};
    if (j->load.shape == SHAPE_GRAPH)
        return run_graph(o, j, c, options, err);
    bool loop = c->algorithm && c->algorithm->make_loop && !options->timeline;
    bool in_steps = j->load.loop.steps || j->repeat > 1 || loop;
    result = in_steps ? run_loop(o, j, c, options, err) : RUN_LOOP_PLANNED;
    if (result == RUN_LOOP_PLANNED) {
        in_steps = false;
        result = run_plan(o, j, c, options, err);
    }
    if (result == 0 && !in_steps)
        o->model_s = run_predict(j, c, in);
    if (result == 1 && j->all) {
        o->why = xcalloc(1, sizeof *o->why);
        *o->why = *err;
        result = 0;
    }
    return result ? -1 : 0;
}

struct side_by_side {
    struct outcome *list;
    const struct job *job;
    struct model_input in;
    const struct run_options *options;
};

static int run_nth(void *arg, unsigned worker, size_t i, struct err *err)
{
    const struct side_by_side *s = arg;

    (void)worker;
    return run_one(&s->list[i], s->job, &s->job->choices[i], &s->in, s->options,
                   err);
}

static int run_all(struct outcome *list, const struct job *j,
                   const struct run_options *options, struct err *err)
{
    struct side_by_side s = {list, j, .options = options};
    size_t left_out = 0;

    if (j->load.shape == SHAPE_HALO)
        model_input_from_halo(&s.in, j->machine, &j->load.halo, &j->options);
    /* Before there are threads, which fork where it is SimGrid. */
    if (engine_prepare(exec_engine(j->exec), err) < 0 ||
        jobs_run(j->nchoices, j->exec->jobs, run_nth, &s, err) < 0)
        return -1;
    for (size_t i = 0; i < j->nchoices; i++)
        left_out += list[i].why != NULL;
    if (left_out == j->nchoices)
        return fail(err, "%s can do none of the strategies: %s",
                    j->machine->name, list[0].why->text);
    return 0;
}

/* The ways inside the machine's nodes are found once for all. */
static int run_with_ways(struct outcome *list, const struct job *j,
                         const struct run_options *options, struct err *err)
{
    struct job with_ways = *j;
    struct node_ways *ways = node_ways_new(j->machine);
    struct exec_options exec = j->exec ? *j->exec : exec_defaults;

    exec.ways = ways;
    with_ways.exec = &exec;
    with_ways.options.no_pieces = true;
    int result = run_all(list, &with_ways, options, err);
    node_ways_free(ways);
    return result;
}

int job_run(struct outcome **list, size_t *n, const struct job *j,
            const struct run_options *options, struct err *err)
{
    *n = 0;
    if (options->timeline && j->nchoices != 1)
        return fail(err, "--timeline: expected one --strategy, got %zu",
                    j->nchoices);
    *list = xcalloc(j->nchoices, sizeof **list);
    if (run_with_ways(*list, j, options, err) < 0) {
        outcomes_free(*list, j->nchoices);
        *list = NULL;
        return -1;
    }
    *n = j->nchoices;
    qsort(*list, *n, sizeof **list, run_by_time);
    return 0;
}

int job_run_one(struct outcome *o, const struct job *j, const struct choice *c,
                const struct run_options *options, struct err *err)
{
    struct model_input in = {0};

    if (j->load.shape == SHAPE_HALO)
        model_input_from_halo(&in, j->machine, &j->load.halo, &j->options);
    int result = run_one(o, j, c, &in, options, err);
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
    if (job_run(&list, &n, &other, &options, err) < 0)
        return compared_failed(best, &j->load, err);
    best->name = list->name;
    best->time_s = list->time_s;
    outcomes_free(list, n);
    return 0;
}

void outcome_clear(struct outcome *o)
{
    if (o->graph) {
        traverse_result_clear(o->graph); /* and its links */
        free(o->graph);
    } else {
        free(o->links);
    }
    free(o->ends);
    free(o->ops);
    free(o->why);
    memset(o, 0, sizeof *o);
}

void outcomes_free(struct outcome *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        outcome_clear(&list[i]);
    free(list);
}
