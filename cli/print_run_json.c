/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the results of `sluice run` as JSON; a key is missing if an outcome
 * has no value for it. */
#include "cli/print_run.h"
#include "cli/list_columns.h"
#include "cli/document.h"
#include "cli/print_extrapolates.h"
#include "cli/print_timeline_json.h"
#include "cli/print_trace.h"

#include "base/json.h"
#include "cli/print_phases.h"
#include "study/run/fields.h"
#include "study/run/shapes.h"
#include "study/run/sweep.h"

#include <math.h>
#include <stdlib.h>

/* --- all ------------------------------------------------------------------ */

/* Adds the numbers that stand in one place among the lists of an outcome. */
static void add_numbers(struct json *x, const struct outcome *o, unsigned place)
{
    FOR_FIELDS (f, place)
        json_add_known(x, run_fields[f].key, run_fields[f].get(o));
}

static struct json *links_json(const struct run_results *r,
                               const struct outcome *o)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < shown_links(r, o); i++) {
        const struct link_use *l = &o->links[i];
        struct json *x = json_new_object();
        json_add_string(x, "name", l->name);
        if (l->joins) {
            struct json *routers = json_new_array();
            json_append(routers, json_new_number(l->routers[0]));
            json_append(routers, json_new_number(l->routers[1]));
            json_add(x, "routers", routers);
        }
        list_add_entry(x, LIST_links, o, i);
        json_append(list, x);
    }
    return list;
}

/* --- plans ---------------------------------------------------------------- */

static struct json *path_json(const struct outcome *o)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < o->report.npath; i++) {
        const struct path_step *s = &o->report.path[i];
        struct json *x = json_new_object();
        json_add_string(x, "operation", o->path[i]);
        json_add_string(x, "waited_for", cause_names[s->cause]);
        json_add_number(x, "from_s", s->from_s);
        json_add_number(x, "to_s", s->to_s);
        json_append(list, x);
    }
    return list;
}

struct json *rests_on_json(const struct rests_on *r)
{
    struct json *o = json_new_object();

    for (int i = 0; i < NPROVENANCES; i++)
        json_add_number(o, provenance_names[i], r->s[i] / r->total_s);
    json_add_number(o, "workload", r->work_s / r->total_s);
    return o;
}

/* Returns the quantiles of the times of messages by their names. */
static struct json *durations_json(const struct outcome *o)
{
    const struct list *l = &run_lists[LIST_durations];
    struct json *x = json_new_object();
    char key[LIST_LABEL];

    FOR_ENTRIES (i, l, o) {
        l->words(key, o, i);
        json_add_number(x, key, l->columns->get(o, i));
    }
    return x;
}

static void add_plan(struct json *x, const struct run_results *r,
                     const struct outcome *o)
{
    add_numbers(x, o, IN_JSON_PLAN);
    if (r->job->repeat > 1 || (o->in_steps && r->job->workload->collective))
        add_repeat(x, o, r->job->repeat);
    if (!o->in_steps) {
        add_numbers(x, o, IN_JSON_DURATION);
        json_add(x, "durations_s", durations_json(o));
        json_add(x, "phases", list_object(LIST_phases, o));
    }
    json_add(x, "traffic", list_object(LIST_traffic, o));
    add_numbers(x, o, IN_JSON_COPIES);
    if (!o->rounds)
        add_hosts(x, o);
    else if (o->nhosts)
        json_add(x, "hosts", list_array(LIST_hosts, o, true));
    if (o->rounds && r->details)
        json_add(x, "rounds", list_array(LIST_rounds, o, true));
    if (o->in_steps)
        return;
    add_matching(x, r, o);
    json_add(x, "critical_path", path_json(o));
    const struct rests_on *on = &o->report.rests_on;
    if (on->total_s > 0) {
        json_add(x, "rests_on", rests_on_json(on));
        json_add_number(x, "assumed_parts", on->split_s / on->total_s);
    }
    if (r->details)
        json_add(x, "ranks", list_array(LIST_ranks, o, true));
    if (o->timeline)
        json_add(x, "timeline", timeline_json(o->timeline));
    if (o->ranks)
        add_rank_times(x, o->ranks);
}

/* --- graphs --------------------------------------------------------------- */

static struct json *used_json(const struct traverse_result *r)
{
    struct json *list = json_new_array();

    for (int i = 0; i < TRAVERSE_PARTS; i++)
        json_append(list, json_new_number(r->used_B[i]));
    return list;
}

/* Lists pairs: an upper bound of the size in bytes, and the number of messages
 * below it. */
static struct json *sizes_json(const struct traverse_result *r)
{
    struct json *list = json_new_array();

    for (int i = 0; i < TRAVERSE_SIZES; i++)
        if (r->sizes[i]) {
            struct json *pair = json_new_array();
            json_append(pair, json_new_number(ldexp(2, i)));
            json_append(pair, json_new_number((double)r->sizes[i]));
            json_append(list, pair);
        }
    return list;
}

static void add_graph(struct json *x, const struct outcome *o, bool details)
{
    const struct traverse_result *r = o->graph;

    json_add_string(x, "runtime", runtime_words[r->runtime]);
    add_numbers(x, o, IN_JSON_GRAPH);
    json_add(x, "used_bytes", used_json(r));
    json_add(x, "transfers_below_bytes", sizes_json(r));
    add_numbers(x, o, IN_JSON_BATCHES);
    json_add(x, "gpus", list_array(LIST_gpus, o, false));
    if (details && r->nlevels)
        json_add(x, "levels", list_array(LIST_levels, o, false));
}

/* --- document ------------------------------------------------------------- */

void add_job(struct json *doc, const struct job *j, const char *words)
{
    const struct load *l = &j->load;

    json_add_string(doc, "platform", j->machine->name);
    document_add_workload(doc, words);
    if (l->partition)
        json_add_string(doc, "partition", l->partition);
    json_add_string(doc, "engine", engine_kind_names[exec_engine(j->exec)]);
    if (l->gpus)
        json_add_number(doc, "gpus", l->gpus);
    json_add_number(doc, "nodes", l->nodes);
    if (l->ranks)
        json_add_number(doc, "ranks", l->ranks);
    if (j->workload->collective) {
        json_add_string(doc, "memory",
                        collective_memory_names[l->collective.memory]);
        json_add_string(doc, "place",
                        collective_place_names[l->collective.place]);
    }
    if (job_shape(j)->closed_forms) {
        json_add_number(doc, "value_bytes", l->halo.value_bytes);
        json_add_bool(doc, "packing", j->options.pack);
        if (l->halo.nrounds)
            json_add_number(doc, "rounds", l->halo.nrounds);
    }
    add_trace_phases(doc, j);
    if (job_shape(j)->executions)
        json_add_string(doc, "edge_source",
                        j->edge_s > 0 ? "--edge-ns"
                                      : "gpu.access, the executions' counts");
}

/* Adds the results that depend on a job's size, not on its machine and
 * ranks. */
static void add_size(struct json *o, const struct job *j)
{
    struct sized s;

    if (!job_shape(j)->executions)
        json_add_number(o, "workload_bytes", j->load.bytes);
    if (!job_sized(&s, j))
        return;
    char *type = sized_type(s.element_B);
    json_add_number(o, "size_bytes", (double)s.bytes);
    json_add_number(o, "count", (double)s.count);
    json_add_string(o, "type", type);
    free(type);
}

/* Adds the library's choice, and its excess over the best time. */
static void add_judged(struct json *o, const struct judged *j)
{
    json_add_string(o, "library", j->library);
    if (j->takes)
        json_add_string(o, "library_takes", j->takes);
    if (j->ours)
        json_add_string(o, "library_strategy", j->ours);
    json_add_known(o, "library_regret", judged_regret(j));
    if (j->best)
        json_add_string(o, "best", j->best);
}

void add_tie(struct json *doc, const struct run_results *r)
{
    size_t tied = outcomes_tied(r->list, r->n);

    if (tied < 2)
        return;
    struct json *list = json_new_array();
    for (size_t i = 0; i < tied; i++)
        json_append(list, json_new_string(r->list[i].name));
    json_add(doc, "tie", list);
}

/* Adds the bandwidths of a collective, and its results in place. */
static void add_sized(struct json *x, const struct run_results *r,
                      const struct outcome *o)
{
    struct sized s;

    if (job_sized(&s, r->job)) {
        json_add_number(x, "algbw_Bps", sized_algbw(&s, o->time_s));
        json_add_number(x, "busbw_Bps", sized_busbw(&s, o->time_s));
    }
    if (isnan(o->in_place_s))
        return;
    struct json *in_place = json_new_object();
    json_add_number(in_place, "time_s", o->in_place_s);
    json_add_number(in_place, "algbw_Bps", sized_algbw(&s, o->in_place_s));
    json_add_number(in_place, "busbw_Bps", sized_busbw(&s, o->in_place_s));
    json_add(x, "in_place", in_place);
}

struct json *outcome_json(const struct run_results *r, const struct outcome *o)
{
    struct json *x = json_new_object();

    json_add_string(x, "strategy", o->name);
    if (o->rounds) {
        json_add_string(x, "platform", r->job->machine->name);
        json_add_string(x, "runtime", o->name);
    }
    if (o->untold)
        json_add_string(x, "no_library", o->untold);
    add_numbers(x, o, IN_JSON_TIMES);
    add_sized(x, r, o);
    add_numbers(x, o, IN_JSON_ACCURACY);
    if (o->graph)
        add_graph(x, o, r->details);
    else
        add_plan(x, r, o);
    add_numbers(x, o, IN_JSON);
    json_add(x, "links", links_json(r, o));
    return x;
}

void add_results(struct json *doc, const struct run_results *r)
{
    struct json *list = json_new_array();
    struct answered answered = answered_by(r->job, r->list, r->n);

    add_size(doc, r->job);
    if (r->judged && r->judged->library)
        add_judged(doc, r->judged);
    for (size_t i = 0; i < r->n; i++)
        json_append(list, outcome_json(r, &r->list[i]));
    json_add(doc, "strategies", list);
    add_tie(doc, r);
    add_extrapolates(doc, r->job->machine, &answered);
}

void print_run_json(const struct run_results *r)
{
    struct json *doc = document_new("run");

    add_job(doc, r->job, r->job->words);
    add_results(doc, r);
    add_compared(doc, &r->job->load, r->compared);
    document_print(doc);
}
