/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the request of a point, and rows of its results. */
#include "strategies/explore/point.h"

#include "strategies/rounds/graph_rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void point_begin(struct point_at *at)
{
    at->experiment = space_experiment(at->space, at->point);
    request_init(&at->request);
    at->ok = request_read_json(&at->request, at->experiment, &at->why) == 0;
    at->request.exec = at->exec;
    at->request.work.cache = at->cache;
    at->rounds = at->ok && graph_rounds_asked(&at->request);
    if (!at->ok || at->rounds)
        return;
    at->ok = at->request.work.words != NULL;
    if (!at->ok)
        err_set(&at->why, ERR_INPUT, __FILE__, __LINE__,
                "workload: expected one, such as \"spmv:FILE.mtx\"");
    else
        at->ok = job_machine(&at->machine, &at->request, &at->why) == 0;
}

void point_end(struct point_at *at)
{
    machine_clear(&at->machine);
    json_free(at->experiment);
    at->experiment = NULL;
}

/* --- rows ----------------------------------------------------------------- */

static char *copied(const char *text)
{
    return text ? xstrdup(text) : NULL;
}

static struct point_run run_of(const struct point_at *at, const char *way)
{
    const struct request *r = &at->request;

    return (struct point_run){.platform = copied(r->platform),
                              .workload = copied(r->work.words),
                              .partition = copied(r->work.partition),
                              .way = copied(way),
                              .nodes = r->work.nodes,
                              .gpus = r->work.gpus,
                              .time_s = NAN,
                              .model_s = NAN,
                              .cost_dollars = NAN,
                              .energy_J = NAN,
                              .off_node_messages = NAN,
                              .off_node_B = NAN,
                              .on_node_messages = NAN,
                              .on_node_B = NAN,
                              .copies = NAN,
                              .copied_B = NAN,
                              .wall_s = NAN};
}

static void set_text(char **to, const char *text)
{
    free(*to);
    *to = copied(text);
}

static double on_node(const uint64_t *by_locality)
{
    return (double)(by_locality[SHARED_CACHE] + by_locality[ON_SOCKET] +
                    by_locality[ON_NODE]);
}

static void take_times(struct point_run *run, const struct outcome *o)
{
    run->time_s = o->time_s;
    run->model_s = o->model_s;
    run->wall_s = o->plan_wall_s + o->run_wall_s + o->check_wall_s;
    if (o->graph || o->in_steps)
        return;
    const struct report *r = &o->report;
    run->off_node_messages = (double)r->messages[OFF_NODE];
    run->off_node_B = (double)r->bytes[OFF_NODE];
    run->on_node_messages = on_node(r->messages);
    run->on_node_B = on_node(r->bytes);
    run->copies = (double)r->copies;
    run->copied_B = (double)r->copied_bytes;
}

static void take_prices(struct point_run *run, const struct prices *p,
                        const struct machine *m, unsigned nodes)
{
    if (p->has_dollars)
        run->cost_dollars = rates_sum(&p->dollars, m, nodes);
    if (p->has_watts)
        run->energy_J = rates_sum(&p->watts, m, nodes) * run->time_s;
}

static const char *runtime_of(const struct job *j, const char *name)
{
    for (size_t i = 0; i < j->nchoices; i++)
        if (!strcmp(j->choices[i].name, name))
            return runtime_words[j->choices[i].runtime];
    return NULL;
}

static struct point_run outcome_run(const struct point_at *at,
                                    const struct job *j,
                                    const struct outcome *o)
{
    struct point_run run = run_of(at, o->name);

    set_text(&run.platform, j->machine->name);
    set_text(&run.partition, j->load.partition);
    if (j->load.shape != SHAPE_GRAPH)
        run.runtime = copied(runtime_of(j, o->name));
    run.nodes = j->load.nodes;
    run.gpus = j->load.gpus;
    if (o->why) {
        run.error = xstrdup(o->why->text);
        return run;
    }
    take_times(&run, o);
    take_prices(&run, &at->space->prices, j->machine, run.nodes);
    return run;
}

static void fail_runs(struct point_runs *runs, const struct point_at *at,
                      const struct err *why)
{
    runs->n = 1;
    runs->list = xcalloc(1, sizeof *runs->list);
    runs->list[0] = run_of(at, at->request.strategy ? at->request.strategy
                                                    : at->request.algorithm);
    set_text(&runs->list[0].runtime, at->request.runtime);
    runs->list[0].error = xstrdup(why->text);
}

static void run_job(struct point_runs *runs, const struct point_at *at,
                    const struct job *job)
{
    const struct run_options options = {0};
    struct job_runs of = {.job = job};
    struct err why;

    if (jobs_run_all(&of, 1, &options, &why) < 0) {
        fail_runs(runs, at, &why);
        return;
    }
    runs->n = of.n;
    runs->list = xcalloc(of.n, sizeof *runs->list);
    for (size_t i = 0; i < of.n; i++)
        runs->list[i] = outcome_run(at, job, &of.list[i]);
    job_runs_clear(&of);
}

/* --- graphs on hosts ------------------------------------------------------ */

static struct point_run cell_run(const struct point_at *at,
                                 const struct graph_rounds *g,
                                 const struct rounds_cell *c)
{
    struct point_run run = run_of(at, runtime_words[c->runtime]);
    bool scaled = c->scaled.round_s != NULL;
    char *cut = hosts_cut_words(&g->hosts);

    set_text(&run.platform, c->machine->name);
    set_text(&run.runtime, runtime_words[c->runtime]);
    set_text(&run.partition, cut);
    free(cut);
    if (c->why) {
        run.error = xstrdup(c->why->text);
        return run;
    }
    run.nodes = run.nodes ? run.nodes : g->hosts.n;
    run.time_s = scaled ? c->scaled.time_s : c->as_run.time_s;
    take_prices(&run, &at->space->prices, c->machine, run.nodes);
    return run;
}

static void run_rounds(struct point_runs *runs, const struct point_at *at)
{
    struct graph_rounds g;
    struct err why;

    if (graph_rounds_load(&g, &at->request, &why) < 0) {
        fail_runs(runs, at, &why);
        return;
    }
    if (graph_rounds_run(&g, at->exec, &why) < 0) {
        fail_runs(runs, at, &why);
    } else {
        runs->n = g.ncells;
        runs->list = xcalloc(g.ncells, sizeof *runs->list);
        for (size_t i = 0; i < g.ncells; i++)
            runs->list[i] = cell_run(at, &g, &g.cells[i]);
    }
    graph_rounds_clear(&g);
}

/* -------------------------------------------------------------------------- */

void point_run_all(struct point_runs *runs, struct point_at *at,
                   const struct job *job)
{
    *runs =
        (struct point_runs){.point = at->point, .experiment = at->experiment};
    if (!at->ok)
        fail_runs(runs, at, &at->why);
    else if (at->rounds)
        run_rounds(runs, at);
    else
        run_job(runs, at, job);
}

void point_fail(struct point_runs *runs, const struct space *s, uint64_t point,
                const char *error)
{
    struct point_at at = {.space = s, .point = point};
    struct err why, ignored;

    err_set(&why, ERR_WORK, __FILE__, __LINE__, "%s", error);
    at.experiment = space_experiment(s, point);
    request_init(&at.request);
    if (request_read_json(&at.request, at.experiment, &ignored) < 0)
        request_init(&at.request);
    *runs = (struct point_runs){.point = point, .experiment = at.experiment};
    fail_runs(runs, &at, &why);
}

void point_run_clear(struct point_run *r)
{
    free(r->platform);
    free(r->workload);
    free(r->partition);
    free(r->way);
    free(r->runtime);
    free(r->error);
    *r = (struct point_run){0};
}

void point_runs_clear(struct point_runs *runs)
{
    for (size_t i = 0; i < runs->n; i++)
        point_run_clear(&runs->list[i]);
    free(runs->list);
    *runs = (struct point_runs){0};
}
