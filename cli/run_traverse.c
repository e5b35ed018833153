/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice run of graph algorithms: loads and partitions a graph, simulates each
 * execution, ranks them. */
#include "cli/run_traverse.h"

#include "platforms/platform.h"
#include "cli/print_traverse.h"
#include "strategies/agents/traverse_timeline.h"
#include "strategies/agents/traverse_trace.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32 };

struct traverse_job {
    struct machine m;
    struct graph g;
    uint32_t *part;
    struct traverse_input in;
    struct edge_cost cost;
    const char *partition;
    struct texts platform_sets, execution_sets;
};

bool run_is_traverse(const char *workload)
{
    return !strncmp(workload, "bfs:", 4) || !strncmp(workload, "pagerank:", 9);
}

/* --set execution.KEY=VALUE is the execution's, all others the platform's. */
static void deal_sets(struct traverse_job *j, const struct texts *sets)
{
    for (size_t i = 0; i < sets->n; i++) {
        const char *s = sets->items[i];
        if (!strncmp(s, "execution.", 10))
            j->execution_sets.items[j->execution_sets.n++] = s + 10;
        else
            j->platform_sets.items[j->platform_sets.n++] = s;
    }
}

static int choose_partition(struct traverse_job *j, const char *name,
                            struct err *err)
{
    enum graph_partition how = GRAPH_CONTIGUOUS;

    if (name && graph_partition_from_name(&how, name, err) < 0)
        return -1;
    j->partition = graph_partition_names[how];
    j->part = xcalloc(j->g.n, sizeof *j->part);
    return graph_partition(j->part, &j->g, j->in.ngpus, how, 1, err);
}

static int choose_source(struct traverse_job *j, const char *text,
                         struct err *err)
{
    char *end;

    j->in.source = text ? 0 : graph_hub(&j->g);
    if (!text)
        return 0;
    errno = 0;
    unsigned long long v = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || errno)
        return fail(err, "--source: expected a vertex, got '%s'", text);
    if (v >= j->g.n)
        return fail(err, "--source: %s has %u vertices, from 0; got %s",
                    j->g.name, j->g.n, text);
    j->in.source = (uint32_t)v;
    return 0;
}

/* What would be ignored. */
static int refuse_unused(const struct job_request *r,
                         const struct traverse_request *t, bool bfs,
                         struct err *err)
{
    const struct strategy_options *o = &r->options;

    if (!r->workload[bfs ? 4 : 9])
        return fail(err, "%s expected a graph after it", r->workload);
    if (o->keep_duplicates || o->message_cap_B || o->ranks_per_node ||
        r->value_bytes)
        return fail(err, "--keep-duplicates, --message-cap, --ranks-per-node, "
                         "--value-bytes: not for bfs: and pagerank:");
    if (bfs && (!isnan(t->damping) || !isnan(t->threshold)))
        return fail(err, "--damping, --threshold: not for bfs:");
    if (!bfs && t->source)
        return fail(err, "--source: not for pagerank:");
    return 0;
}

static int load(struct traverse_job *j, const struct job_request *r,
                const struct traverse_request *t, struct err *err)
{
    bool bfs = *r->workload == 'b';

    if (refuse_unused(r, t, bfs, err) < 0)
        return -1;
    deal_sets(j, &r->sets);
    if (platform_load(&j->m, r->platform ? r->platform : "daisy",
                      j->platform_sets.items, j->platform_sets.n, err) < 0 ||
        graph_from_words(&j->g, r->workload + (bfs ? 4 : 9), err) < 0)
        return -1;
    unsigned gpus;
    if (job_count_gpus(&gpus, &j->m, r, 1, err) < 0)
        return -1;
    j->in = (struct traverse_input){
        .m = &j->m,
        .g = &j->g,
        .ngpus = gpus,
        .algorithm = bfs ? BFS : PAGERANK,
        .damping = isnan(t->damping) ? 0.85 : t->damping,
        .threshold = isnan(t->threshold) ? 1e-6 : t->threshold,
    };
    j->cost = edge_cost(&j->g, j->in.algorithm, j->m.gpu.memory_Bps);
    if (!isnan(t->edge_ns))
        j->cost = (struct edge_cost){t->edge_ns * 1e-9, "--edge-ns"};
    j->in.edge_s = j->cost.s;
    if (!(j->cost.s > 0 && j->cost.s < 1))
        return fail(err,
                    "--edge-ns: expected a number above 0 and below 10^9, "
                    "got %g",
                    t->edge_ns);
    if (choose_source(j, t->source, err) < 0 ||
        choose_partition(j, r->partition, err) < 0)
        return -1;
    j->in.part = j->part;
    return 0;
}

static void unload(struct traverse_job *j)
{
    free(j->part);
    graph_clear(&j->g);
    machine_clear(&j->m);
}

/* "a,b,c"; the caller frees it. */
static char *all_executions(void)
{
    char *text = xstrdup(execution_names[0]);

    for (int i = 1; i < NEXECUTIONS; i++) {
        char *longer = xasprintf("%s,%s", text, execution_names[i]);
        free(text);
        text = longer;
    }
    return text;
}

static int run_all(struct traverse_outcome *o, size_t *n,
                   struct traverse_job *j, const char *names, struct err *err)
{
    char *list = names ? xstrdup(names) : all_executions(), *rest = list;
    int result = 0;

    for (char *name; result == 0 && (name = strsep(&rest, ","));) {
        if (*n == MOST || !*name) {
            result = fail(err, "--strategy: expected up to %d names", MOST);
            break;
        }
        result = execution_load(&o[*n].x, name, j->execution_sets.items,
                                j->execution_sets.n, err);
        if (result < 0)
            break;
        j->in.x = &o[*n].x;
        result = traverse_run(&o[*n].r, &j->in, err);
        if (result < 0)
            execution_clear(&o[*n].x);
        else
            (*n)++;
    }
    free(list);
    return result;
}

static int by_time(const void *a, const void *b)
{
    const struct traverse_outcome *x = a, *y = b;

    if (x->r.time_s != y->r.time_s)
        return x->r.time_s < y->r.time_s ? -1 : 1;
    return strcmp(x->x.name, y->x.name);
}

/* A timeline is of one. */
static int check_one(const char *names, struct err *err)
{
    size_t n = names ? 1 : NEXECUTIONS;

    for (const char *c = names; c && *c; c++)
        n += *c == ',';
    return n == 1
               ? 0
               : fail(err, "--timeline: expected one --strategy, got %zu", n);
}

static int save_timeline(const char *path, struct traverse_job *j,
                         const struct traverse_outcome *o, struct err *err)
{
    j->in.x = &o->x;
    if (traverse_timeline_save(path, &j->in, &o->r, err) < 0)
        return -1;
    if (o->r.trace->merged_s > 0)
        fprintf(stderr,
                "sluice: %s: steps and transfers that follow each other within "
                "%.3g us are shown as one\n",
                path, o->r.trace->merged_s * 1e6);
    return 0;
}

int run_traverse(const struct job_request *r, const struct traverse_request *t,
                 struct run_form form, struct err *err)
{
    struct traverse_job j = {0};
    struct traverse_outcome *o = xcalloc(MOST, sizeof *o);
    size_t n = 0;

    int result = form.timeline ? check_one(r->strategy, err) : 0;
    if (result == 0)
        result = load(&j, r, t, err);
    j.in.timeline = form.timeline;
    j.in.exec = r->exec;
    if (result == 0)
        result = run_all(o, &n, &j, r->strategy, err);
    for (size_t i = 0; i < n && form.timings; i++)
        fprintf(stderr,
                "sluice: %s: simulated in %.3f s, a plain computation and the "
                "comparison in %.3f s\n",
                o[i].x.name, o[i].r.wall_s, o[i].r.plain_wall_s);
    if (result == 0 && form.timeline)
        result = save_timeline(form.timeline, &j, o, err);
    if (result == 0) {
        struct traverse_outcomes all = {r->workload, j.partition, &j.in,
                                        j.cost,      o,           n};
        qsort(o, n, sizeof *o, by_time);
        if (form.json)
            print_traverse_json(&all);
        else if (form.csv)
            print_traverse_csv(&all);
        else
            print_traverse(&all, form.details);
    }
    for (size_t i = 0; i < n; i++) {
        execution_clear(&o[i].x);
        traverse_result_clear(&o[i].r);
    }
    free(o);
    unload(&j);
    return result;
}
