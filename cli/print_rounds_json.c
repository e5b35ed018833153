/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the results of a graph algorithm in rounds on hosts as JSON. */
#include "cli/print_rounds.h"

#include "base/json.h"
#include "cli/document.h"
#include "cli/print_extrapolates.h"

#include <stdio.h>
#include <stdlib.h>

static struct json *graph_json(const struct graph_rounds *g)
{
    struct json *o = json_new_object();

    json_add_number(o, "vertices", g->graph.n);
    json_add_number(o, "arcs", (double)graph_arcs(&g->graph));
    if (g->hosts.host)
        json_add_number(o, "proxies", (double)hosts_proxies(&g->hosts));
    return o;
}

static struct json *cut_json(const struct hosts *h)
{
    struct json *o = json_new_object();

    json_add_string(o, "name", cut_names[h->cut]);
    if (h->cut == CUT_CVC) {
        json_add_number(o, "rows", h->rows);
        json_add_number(o, "columns", h->columns);
    }
    return o;
}

/* Lists the use of buffers, one entry per host. */
static struct json *use_json(const struct rounds_time *t, uint32_t hosts)
{
    struct json *list = json_new_array();

    for (uint32_t h = 0; h < hosts; h++) {
        const struct host_counts *use = &t->use[h];
        struct json *o = json_new_object();
        json_add_number(o, "buffers_most_B", use->most_B);
        json_add_number(o, "reserved_B", use->reserved_B);
        json_add_number(o, "retries", (double)use->retries);
        json_add_number(o, "waited_s", use->waited_s);
        json_add_number(o, "communication_thread_s", use->comm_s);
        json_append(list, o);
    }
    return list;
}

static struct json *time_json(const struct rounds_time *t, uint32_t hosts)
{
    struct json *o = json_new_object();

    json_add_number(o, "time_s", t->time_s);
    json_add_number(o, "compute_s", t->compute_s);
    json_add_number(o, "other_s", t->time_s - t->compute_s);
    json_add_number(o, "bytes", t->bytes);
    if (t->use) {
        json_add_number(o, "windows_s", t->windows_s);
        json_add(o, "hosts", use_json(t, hosts));
    }
    return o;
}

/* Adds the times of each round. */
static void add_times(struct json *o, const struct outcome_round *rounds,
                      size_t n)
{
    struct json *all = json_new_array(), *compute = json_new_array();

    for (size_t i = 0; i < n; i++) {
        json_append(all, json_new_number(rounds[i].time_s));
        json_append(compute, json_new_number(rounds[i].compute_s));
    }
    json_add(o, "round_s", all);
    json_add(o, "round_compute_s", compute);
}

static struct json *cell_json(const struct graph_rounds *g,
                              const struct rounds_cell *c, bool details)
{
    struct json *o = json_new_object();

    json_add_string(o, "platform", c->size->machine->name);
    json_add_string(o, "runtime", c->runtime);
    if (!c->of) {
        json_add_string(o, "left_out", c->why->text);
        return o;
    }
    const struct rounds_time *as_run = &c->of->on_hosts->as_run;
    json_add_number(o, "times_best", c->of->times_best);
    add_extrapolates(o, c->size->machine,
                     &(struct answered){.nodes = g->hosts.n});
    json_add(o, "as_run", time_json(as_run, g->hosts.n));
    if (g->vertices_x > 0)
        json_add(o, "scaled", time_json(&c->of->on_hosts->scaled, g->hosts.n));
    if (details)
        add_times(o, as_run->rounds, c->of->nrounds);
    return o;
}

/* Lists the runtimes of each platform as `run --json` lists the candidates of
 * other workloads, the fastest first. */
static struct json *strategies_json(const struct rounds_cells *cells,
                                    bool details)
{
    const struct rounds_cell **order = rounds_ranked(cells);
    struct json *list = json_new_array();

    for (size_t i = 0; order[i]; i++) {
        const struct run_results r = {.job = &order[i]->size->job,
                                      .list = order[i]->of,
                                      .n = 1,
                                      .details = details};
        json_append(list, outcome_json(&r, r.list));
    }
    free(order);
    return list;
}

/* Lists bytes and messages by step, and with details between each pair of
 * hosts. */
static struct json *step_json(const struct round_step *s, bool details)
{
    struct json *o = json_new_object(), *list = json_new_array();
    double bytes = 0;

    json_add_string(o, "step", round_step_names[s->kind]);
    json_add_number(o, "messages", (double)s->n);
    for (size_t i = 0; i < s->n; i++) {
        const struct round_message *m = &s->messages[i];
        struct json *row = json_new_array();
        bytes += (double)m->bytes;
        json_append(row, json_new_number(m->src));
        json_append(row, json_new_number(m->dst));
        json_append(row, json_new_number((double)m->bytes));
        json_append(list, row);
    }
    json_add_number(o, "bytes", bytes);
    if (details)
        json_add(o, "source_destination_bytes", list);
    else
        json_free(list);
    return o;
}

static struct json *rounds_json(const struct rounds *r, bool details)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < r->n; i++) {
        const struct round *one = rounds_at(r, i);
        struct json *o = json_new_object(), *steps = json_new_array();
        json_add_number(o, "active", (double)one->active);
        for (unsigned s = 0; s < one->nsteps; s++)
            json_append(steps, step_json(&one->steps[s], details));
        json_add(o, "steps", steps);
        json_append(list, o);
    }
    return list;
}

/* Adds the keys that say where a run was, as add_job() does. */
static void add_place(struct json *doc, const struct rounds_cells *cells)
{
    const struct sweep *s = cells->sweep;
    const struct job *j = cells->job;
    char *names = xstrdup("");

    for (size_t i = 0; i < s->n; i++) {
        char *longer =
            xasprintf("%s%s%s", names, i ? "," : "", s->sizes[i].machine->name);
        free(names);
        names = longer;
    }
    json_add_string(doc, "platform", names);
    document_add_workload(doc, j->words);
    json_add_string(doc, "partition", j->load.partition);
    json_add_string(doc, "engine", engine_kind_names[exec_engine(j->exec)]);
    json_add_number(doc, "nodes", j->load.nodes);
    free(names);
}

void print_rounds_json(const struct rounds_cells *cells, bool details)
{
    const struct graph_rounds *g = cells->of;
    struct json *doc = document_new("run"), *list = json_new_array();

    add_place(doc, cells);
    json_add_number(doc, "hosts", g->hosts.n);
    json_add(doc, "cut", cut_json(&g->hosts));
    json_add(doc, "graph", graph_json(g));
    if (g->vertices_x > 0) {
        json_add_number(doc, "scaled_bytes", g->vertices_x);
        json_add_number(doc, "scaled_arcs", g->arcs_x);
    }
    json_add_bool(doc, "unfinished", g->result.unfinished);
    json_add_number(doc, "rounds", (double)g->result.rounds.n);
    json_add(doc, "round_steps", rounds_json(&g->result.rounds, details));
    for (size_t i = 0; i < cells->n; i++)
        json_append(list, cell_json(g, &cells->list[i], details));
    json_add(doc, "results", list);
    json_add(doc, "strategies", strategies_json(cells, details));
    document_print(doc);
}
