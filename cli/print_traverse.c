/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the results of graph algorithms as a table, JSON or CSV. */
#include "cli/print_traverse.h"

#include "cli/print_links.h"

#include <math.h>
#include <stdio.h>

/* A second as a part of the time; a search that finds nothing may take none. */
static double by_time(const struct traverse_result *r)
{
    return r->time_s > 0 ? 1 / r->time_s : 0;
}

static void print_gpus(const struct traverse_outcome *o)
{
    printf("\n%s\n  %-5s %7s %7s %7s %12s %14s %12s %12s %12s %12s\n",
           o->x.name, "GPU", "busy %", "wait %", "idle %", "visits", "edges",
           "sent", "received", "queue mean", "queue most");
    for (uint32_t i = 0; i < o->r.ngpus; i++) {
        const struct traverse_gpu *g = &o->r.gpus[i];
        double percent = 100 * by_time(&o->r);
        printf("  %-5u %7.1f %7.1f %7.1f %12llu %14llu %12llu %12llu %12.1f "
               "%12llu\n",
               i, percent * g->busy_s, percent * g->waiting_s,
               percent * g->idle_s, (unsigned long long)g->visits,
               (unsigned long long)g->edges, (unsigned long long)g->updates,
               (unsigned long long)g->received, g->queue_mean,
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
}

/* What the aggregator did and held, if there is one; by GPU with details. */
static void print_aggregator(const struct traverse_result *r, bool details)
{
    uint64_t most = 0, buffers = 0;

    for (uint32_t i = 0; i < r->ngpus; i++) {
        const struct traverse_gpu *g = &r->gpus[i];
        most = g->gathered_most_B > most ? g->gathered_most_B : most;
        buffers = g->buffers_B > buffers ? g->buffers_B : buffers;
    }
    if (!buffers)
        return;
    printf("  batches of the aggregator: %llu full, %llu waited; on one GPU at "
           "most %.1f kB gathered, %.1f kB of buffers\n",
           (unsigned long long)r->flushed_full,
           (unsigned long long)r->flushed_waited, (double)most / 1e3,
           (double)buffers / 1e3);
    for (uint32_t i = 0; i < r->ngpus && details; i++)
        printf("    GPU %-5u at most %10.1f kB gathered, %10.1f kB of "
               "buffers\n",
               i, (double)r->gpus[i].gathered_most_B / 1e3,
               (double)r->gpus[i].buffers_B / 1e3);
}

static void print_used_links(const struct traverse_result *r, bool all)
{
    size_t n = all || r->nlinks < BUSIEST_LINKS ? r->nlinks : BUSIEST_LINKS;

    if (n)
        printf("  links, the busiest first (%zu of %zu)\n", n, r->nlinks);
    print_links(r->links, n, r->time_s);
}

static void print_heading(const struct traverse_outcomes *o)
{
    const struct traverse_input *in = o->in;

    printf("%s on %s: %u GPUs, %s, %u vertices, %llu arcs, %.3g ns an edge "
           "(%s)\n",
           o->workload, in->m->name, in->ngpus, o->partition, in->g->n,
           (unsigned long long)graph_arcs(in->g), o->cost.s * 1e9,
           o->cost.source);
    if (in->algorithm == BFS)
        printf("from vertex %u, %llu reached; every result equals a plain "
               "computation\n\n",
               in->source, (unsigned long long)o->list->r.reached);
    else
        printf("damping %g, threshold %g; every rank is within %g of a plain "
               "computation\n\n",
               in->damping, in->threshold, in->threshold + 1e-6);
}

/* What all GPUs did, as parts of their time. */
struct parts {
    double busy, waiting, idle;
};

static struct parts parts(const struct traverse_result *r)
{
    struct parts p = {0};
    double of_all = by_time(r) / r->ngpus;

    for (uint32_t i = 0; i < r->ngpus; i++) {
        p.busy += r->gpus[i].busy_s * of_all;
        p.waiting += r->gpus[i].waiting_s * of_all;
        p.idle += r->gpus[i].idle_s * of_all;
    }
    return p;
}

static void print_table(const struct traverse_outcomes *o)
{
    printf("%-18s %12s %9s %10s %10s %10s %10s %9s %7s %7s\n", "execution",
           "time ms", "workload", "steps", "transfers", "MB", "MB wire",
           "peak/mean", "busy %", "wait %");
    for (size_t i = 0; i < o->n; i++) {
        const struct traverse_result *r = &o->list[i].r;
        struct parts p = parts(r);
        printf("%-18s %12.3f %9.3f %10llu %10llu %10.2f %10.2f %9.2f %7.1f "
               "%7.1f\n",
               o->list[i].x.name, r->time_s * 1e3, r->workload,
               (unsigned long long)r->steps, (unsigned long long)r->transfers,
               (double)r->transfer_B / 1e6, (double)r->wire_B / 1e6,
               r->peak_over_mean, 100 * p.busy, 100 * p.waiting);
    }
}

void print_traverse(const struct traverse_outcomes *o, bool details)
{
    print_heading(o);
    print_table(o);
    for (size_t i = 0; i < (details ? o->n : 1); i++) {
        print_gpus(&o->list[i]);
        print_sizes(&o->list[i].r);
        print_aggregator(&o->list[i].r, details);
        print_used_links(&o->list[i].r, details);
    }
}

static struct json *used_json(const struct traverse_result *r)
{
    struct json *list = json_new_array();

    for (int i = 0; i < TRAVERSE_PARTS; i++)
        json_append(list, json_new_number(r->used_B[i]));
    return list;
}

/* Pairs: below how many bytes, how many. */
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

static struct json *outcome_json(const struct traverse_outcome *o)
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
    json_add(x, "transfers_below_bytes", sizes_json(r));
    json_add_number(x, "batches_full", (double)r->flushed_full);
    json_add_number(x, "batches_waited", (double)r->flushed_waited);
    for (uint32_t i = 0; i < r->ngpus; i++) {
        struct json *g = json_new_object();
        json_add_number(g, "busy_s", r->gpus[i].busy_s);
        json_add_number(g, "waiting_s", r->gpus[i].waiting_s);
        json_add_number(g, "idle_s", r->gpus[i].idle_s);
        json_add_number(g, "visits", (double)r->gpus[i].visits);
        json_add_number(g, "edges", (double)r->gpus[i].edges);
        json_add_number(g, "sent", (double)r->gpus[i].updates);
        json_add_number(g, "received", (double)r->gpus[i].received);
        json_add_number(g, "queue_mean", r->gpus[i].queue_mean);
        json_add_number(g, "queue_most", (double)r->gpus[i].queue_most);
        json_add_number(g, "gathered_most_bytes",
                        (double)r->gpus[i].gathered_most_B);
        json_add_number(g, "buffers_bytes", (double)r->gpus[i].buffers_B);
        json_append(gpus, g);
    }
    json_add(x, "gpus", gpus);
    json_add(x, "links", links_json(r->links, r->nlinks, r->time_s));
    return x;
}

void print_traverse_json(const struct traverse_outcomes *o)
{
    struct json *doc = json_new_object(), *list = json_new_array();

    json_add_string(doc, "platform", o->in->m->name);
    json_add_string(doc, "workload", o->workload);
    json_add_string(doc, "partition", o->partition);
    json_add_number(doc, "gpus", o->in->ngpus);
    json_add_number(doc, "edge_ns", o->cost.s * 1e9);
    json_add_string(doc, "edge_source", o->cost.source);
    for (size_t i = 0; i < o->n; i++)
        json_append(list, outcome_json(&o->list[i]));
    json_add(doc, "executions", list);
    json_print(doc, stdout);
    json_free(doc);
}

void print_traverse_csv(const struct traverse_outcomes *o)
{
    printf("execution,time_s,workload,visits,edges,steps,transfers,"
           "transfer_bytes,wire_bytes,peak_over_mean,busy,waiting,idle\n");
    for (size_t i = 0; i < o->n; i++) {
        const struct traverse_result *r = &o->list[i].r;
        struct parts p = parts(r);
        printf("%s,%.9g,%.6g,%llu,%llu,%llu,%llu,%llu,%llu,%.6g,%.6g,%.6g,"
               "%.6g\n",
               o->list[i].x.name, r->time_s, r->workload,
               (unsigned long long)r->visits, (unsigned long long)r->edges,
               (unsigned long long)r->steps, (unsigned long long)r->transfers,
               (unsigned long long)r->transfer_B, (unsigned long long)r->wire_B,
               r->peak_over_mean, p.busy, p.waiting, p.idle);
    }
}
