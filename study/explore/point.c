/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the request of a point, and rows of its results. */
#include "study/explore/point.h"

#include "study/run/shapes.h"

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
    if (!at->ok)
        return;
    if (!at->request.work.words) {
        at->ok = false;
        err_set(&at->why, ERR_INPUT, __FILE__, __LINE__,
                "workload: expected one, such as \"spmv:FILE.mtx\"");
        return;
    }
    const struct workload *w = workload_find(at->request.work.words, &at->why);
    bool several = w && job_shapes[request_shape(&at->request, w)].on_hosts;
    if (several && at->request.platform) {
        at->platforms = at->next = xstrdup(at->request.platform);
        at->request.platform = strsep(&at->next, ",");
    }
    at->ok = w && job_machine(&at->machine, &at->request, &at->why) == 0;
}

bool point_next(struct point_at *at)
{
    if (!at->next)
        return false;
    machine_clear(&at->machine);
    at->request.platform = strsep(&at->next, ",");
    at->ok = job_machine(&at->machine, &at->request, &at->why) == 0;
    return true;
}

void point_end(struct point_at *at)
{
    machine_clear(&at->machine);
    free(at->platforms);
    json_free(at->experiment);
    at->experiment = NULL;
}

/* --- rows ----------------------------------------------------------------- */

static char *copied(const char *text)
{
    return text ? xstrdup(text) : NULL;
}

static struct point_run run_of(const struct point_at *at, const char *candidate)
{
    const struct request *r = &at->request;

    struct point_run run;

    point_run_init(&run);
    run.platform = copied(r->platform);
    run.workload = copied(r->work.words);
    run.partition = copied(r->work.partition);
    run.candidate = copied(candidate);
    run.nodes = r->work.nodes;
    run.gpus = r->work.gpus;
    return run;
}

static void set_text(char **to, const char *text)
{
    free(*to);
    *to = copied(text);
}

static void take_values(struct point_run *run, const struct outcome *o)
{
    /* Databases have no other number of a graph on hosts. */
    FOR_FIELDS (f, IN_DATABASE)
        if (!o->on_hosts || f == FIELD_time_s)
            run->values[f] = run_fields[f].get(o);
}

static void take_lists(struct point_run *run, const struct outcome *o,
                       unsigned lists)
{
    if (lists)
        run->lists = xcalloc(NLISTS, sizeof *run->lists);
    FOR_LISTS (l, lists)
        list_copy_make(&run->lists[l - run_lists], l, o);
}

static void take_prices(struct point_run *run, const struct prices *p,
                        const struct machine *m, unsigned nodes)
{
    if (p->has_dollars)
        run->values[FIELD_cost_dollars] = rates_sum(&p->dollars, m, nodes);
    if (p->has_watts)
        run->values[FIELD_energy_J] =
            rates_sum(&p->watts, m, nodes) * run->values[FIELD_time_s];
}

/* Returns the index of an outcome's choice. */
static size_t choice_of(const struct job *j, const struct outcome *o)
{
    size_t i = 0;

    while (strcmp(j->choices[i].name, o->name) != 0)
        i++;
    return i;
}

static struct point_run outcome_run(const struct point_at *at,
                                    const struct job *j,
                                    const struct outcome *o)
{
    struct point_run run = run_of(at, o->name);

    set_text(&run.platform, j->machine->name);
    set_text(&run.partition, j->load.partition);
    if (!job_shape(j)->executions)
        run.runtime =
            copied(runtime_words[j->choices[choice_of(j, o)].runtime]);
    run.nodes = j->load.nodes;
    run.gpus = j->load.gpus;
    if (o->why) {
        run.error = xstrdup(o->why->text);
        return run;
    }
    take_values(&run, o);
    take_lists(&run, o, at->lists);
    take_prices(&run, &at->space->prices, j->machine, run.nodes);
    return run;
}

static struct point_run *add_runs(struct point_runs *runs, size_t n)
{
    size_t first = runs->n;

    runs->n += n;
    runs->list = xrealloc(runs->list, runs->n, sizeof *runs->list);
    return &runs->list[first];
}

static void fail_run(struct point_runs *runs, const struct point_at *at,
                     const char *candidate, const char *runtime,
                     const struct err *why)
{
    struct point_run *run = add_runs(runs, 1);

    *run = run_of(at, candidate);
    set_text(&run->runtime, runtime);
    run->error = xstrdup(why->text);
}

/* Returns whether the platform is one of several, which all have a run for each
 * runtime. */
static bool is_of_several(const struct point_at *at)
{
    return at->platforms && (at->next || at->request.platform != at->platforms);
}

static void fail_runs(struct point_runs *runs, const struct point_at *at,
                      const struct err *why)
{
    const struct request *r = &at->request;

    if (!r->runtime || !is_of_several(at)) {
        fail_run(runs, at, r->strategy ? r->strategy : r->algorithm, r->runtime,
                 why);
        return;
    }
    char *list = xstrdup(r->runtime), *rest = list;
    for (char *word; (word = strsep(&rest, ","));)
        fail_run(runs, at, word, word, why);
    free(list);
}

static void run_job(struct point_runs *runs, const struct point_at *at,
                    const struct job *job)
{
    const struct run_options options = {.queues = at->lists & 1u << LIST_queues,
                                        .times_only = !at->lists};
    struct job_runs of = {.job = job};
    struct err why;

    if (jobs_run_all(&of, 1, &options, &why) < 0) {
        fail_runs(runs, at, &why);
        return;
    }
    struct point_run *run = add_runs(runs, of.n);
    /* Runtimes of hosts are in the order of their names in the request. */
    for (size_t i = 0; i < of.n; i++)
        run[job->rounds ? choice_of(job, &of.list[i]) : i] =
            outcome_run(at, job, &of.list[i]);
    job_runs_clear(&of);
}

/* -------------------------------------------------------------------------- */

void point_run_all(struct point_runs *runs, struct point_at *at,
                   const struct job *job)
{
    if (!at->ok)
        fail_runs(runs, at, &at->why);
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

void point_run_init(struct point_run *r)
{
    *r = (struct point_run){0};
    for (int f = 0; f < NFIELDS; f++)
        r->values[f] = NAN;
}

void point_run_clear(struct point_run *r)
{
    free(r->platform);
    free(r->workload);
    free(r->partition);
    free(r->candidate);
    free(r->runtime);
    free(r->error);
    for (size_t i = 0; r->lists && i < NLISTS; i++)
        list_copy_clear(&r->lists[i]);
    free(r->lists);
    *r = (struct point_run){0};
}

void point_runs_clear(struct point_runs *runs)
{
    for (size_t i = 0; i < runs->n; i++)
        point_run_clear(&runs->list[i]);
    free(runs->list);
    *runs = (struct point_runs){0};
}
