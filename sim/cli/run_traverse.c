/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/run_traverse.h"

#include "platforms/platform.h"
#include "sim/json.h"
#include "strategies/edge_cost.h"
#include "strategies/traverse.h"

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

/* One execution's outcome. */
struct outcome {
    struct execution x;
    struct traverse_result r;
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
    if (o->keep_duplicates || o->message_cap_B || o->ranks_per_node)
        return fail(err, "--keep-duplicates, --message-cap, --ranks-per-node: "
                         "not for bfs: and pagerank:");
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
    j->cost = edge_cost(j->g.name, j->m.gpu.memory_Bps);
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

static int run_all(struct outcome *o, size_t *n, struct traverse_job *j,
                   const char *names, struct err *err)
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
    const struct outcome *x = a, *y = b;

    if (x->r.time_s != y->r.time_s)
        return x->r.time_s < y->r.time_s ? -1 : 1;
    return strcmp(x->x.name, y->x.name);
}

static void print_gpus(const struct outcome *o)
{
    printf("\n%s\n  %-5s %7s %12s %14s %12s %12s %12s\n", o->x.name, "GPU",
           "busy %", "visits", "edges", "sent", "received", "queue most");
    for (uint32_t i = 0; i < o->r.ngpus; i++) {
        const struct traverse_gpu *g = &o->r.gpus[i];
        printf("  %-5u %7.1f %12llu %14llu %12llu %12llu %12llu\n", i,
               100 * g->busy_s / o->r.time_s, (unsigned long long)g->visits,
               (unsigned long long)g->edges, (unsigned long long)g->updates,
               (unsigned long long)g->received,
               (unsigned long long)g->queue_most);
    }
}

static void print_sizes(const struct traverse_result *r)
{
    const char *comma = "";

    if (!r->transfers)
        return;
    printf("  transfers by size:");
    for (int i = 0; i < TRAVERSE_SIZES; i++)
        if (r->sizes[i]) {
            printf("%s %llu below %.0f B", comma,
                   (unsigned long long)r->sizes[i], ldexp(2, i));
            comma = ",";
        }
    printf("\n");
    if (r->flushed_full + r->flushed_waited)
        printf("  batches of the aggregator: %llu full, %llu waited\n",
               (unsigned long long)r->flushed_full,
               (unsigned long long)r->flushed_waited);
}

static void print(const struct job_request *r, const struct traverse_job *j,
                  const struct outcome *o, size_t n, bool details)
{
    printf("%s on %s: %u GPUs, %s, %u vertices, %llu arcs, %.3g ns an edge "
           "(%s)\n",
           r->workload, j->m.name, j->in.ngpus, j->partition, j->g.n,
           (unsigned long long)graph_arcs(&j->g), j->cost.s * 1e9,
           j->cost.source);
    if (j->in.algorithm == BFS)
        printf("from vertex %u, %llu reached", j->in.source,
               (unsigned long long)o->r.reached);
    else
        printf("damping %g, threshold %g", j->in.damping, j->in.threshold);
    if (j->in.algorithm == BFS)
        printf("; every result equals a plain computation\n\n");
    else
        printf("; every rank is within %g of a plain computation\n\n",
               j->in.threshold + 1e-6);
    printf("%-18s %12s %9s %10s %10s %10s %10s %9s %7s\n", "execution",
           "time ms", "workload", "steps", "transfers", "MB", "MB wire",
           "peak/mean", "busy %");
    for (size_t i = 0; i < n; i++) {
        const struct traverse_result *x = &o[i].r;
        double busy = 0;
        for (uint32_t g = 0; g < x->ngpus; g++)
            busy += x->gpus[g].busy_s / x->ngpus;
        printf("%-18s %12.3f %9.3f %10llu %10llu %10.2f %10.2f %9.2f %7.1f\n",
               o[i].x.name, x->time_s * 1e3, x->workload,
               (unsigned long long)x->steps, (unsigned long long)x->transfers,
               (double)x->transfer_B / 1e6, (double)x->wire_B / 1e6,
               x->peak_over_mean, 100 * busy / x->time_s);
    }
    for (size_t i = 0; i < (details ? n : 1); i++) {
        print_gpus(&o[i]);
        print_sizes(&o[i].r);
    }
}

static struct json *used_json(const struct traverse_result *r)
{
    struct json *list = json_new_array();

    for (int i = 0; i < TRAVERSE_PARTS; i++)
        json_append(list, json_new_number(r->used_B[i]));
    return list;
}

static struct json *outcome_json(const struct outcome *o)
{
    struct json *x = json_new_object(), *gpus = json_new_array();
    const struct traverse_result *r = &o->r;

    json_add_string(x, "execution", o->x.name);
    json_add_number(x, "time_s", r->time_s);
    json_add_number(x, "workload", r->workload);
    json_add_number(x, "visits", (double)r->visits);
    json_add_number(x, "edges", (double)r->edges);
    json_add_number(x, "reached", (double)r->reached);
    json_add_number(x, "steps", (double)r->steps);
    json_add_number(x, "transfers", (double)r->transfers);
    json_add_number(x, "transfer_bytes", (double)r->transfer_B);
    json_add_number(x, "wire_bytes", (double)r->wire_B);
    json_add_number(x, "peak_over_mean", r->peak_over_mean);
    json_add(x, "used_bytes", used_json(r));
    json_add_number(x, "batches_full", (double)r->flushed_full);
    json_add_number(x, "batches_waited", (double)r->flushed_waited);
    for (uint32_t i = 0; i < r->ngpus; i++) {
        struct json *g = json_new_object();
        json_add_number(g, "busy_s", r->gpus[i].busy_s);
        json_add_number(g, "visits", (double)r->gpus[i].visits);
        json_add_number(g, "edges", (double)r->gpus[i].edges);
        json_add_number(g, "sent", (double)r->gpus[i].updates);
        json_add_number(g, "received", (double)r->gpus[i].received);
        json_add_number(g, "queue_most", (double)r->gpus[i].queue_most);
        json_append(gpus, g);
    }
    json_add(x, "gpus", gpus);
    return x;
}

static void print_json(const struct job_request *r,
                       const struct traverse_job *j, const struct outcome *o,
                       size_t n)
{
    struct json *doc = json_new_object(), *list = json_new_array();

    json_add_string(doc, "platform", j->m.name);
    json_add_string(doc, "workload", r->workload);
    json_add_string(doc, "partition", j->partition);
    json_add_number(doc, "gpus", j->in.ngpus);
    json_add_number(doc, "edge_ns", j->cost.s * 1e9);
    json_add_string(doc, "edge_source", j->cost.source);
    for (size_t i = 0; i < n; i++)
        json_append(list, outcome_json(&o[i]));
    json_add(doc, "executions", list);
    json_print(doc, stdout);
    json_free(doc);
}

static void print_csv(const struct outcome *o, size_t n)
{
    printf("execution,time_s,workload,visits,edges,steps,transfers,"
           "transfer_bytes,wire_bytes\n");
    for (size_t i = 0; i < n; i++)
        printf(
            "%s,%.9g,%.6g,%llu,%llu,%llu,%llu,%llu,%llu\n", o[i].x.name,
            o[i].r.time_s, o[i].r.workload, (unsigned long long)o[i].r.visits,
            (unsigned long long)o[i].r.edges, (unsigned long long)o[i].r.steps,
            (unsigned long long)o[i].r.transfers,
            (unsigned long long)o[i].r.transfer_B,
            (unsigned long long)o[i].r.wire_B);
}

int run_traverse(const struct job_request *r, const struct traverse_request *t,
                 struct run_form form, struct err *err)
{
    struct traverse_job j = {0};
    struct outcome *o = xcalloc(MOST, sizeof *o);
    size_t n = 0;

    int result = load(&j, r, t, err);
    if (result == 0)
        result = run_all(o, &n, &j, r->strategy, err);
    for (size_t i = 0; i < n && form.timings; i++)
        fprintf(stderr,
                "sluice: %s: simulated in %.3f s, a plain computation and the "
                "comparison in %.3f s\n",
                o[i].x.name, o[i].r.wall_s, o[i].r.plain_wall_s);
    if (result == 0) {
        qsort(o, n, sizeof *o, by_time);
        if (form.json)
            print_json(r, &j, o, n);
        else if (form.csv)
            print_csv(o, n);
        else
            print(r, &j, o, n, form.details);
    }
    for (size_t i = 0; i < n; i++) {
        execution_clear(&o[i].x);
        traverse_result_clear(&o[i].r);
    }
    free(o);
    unload(&j);
    return result;
}
