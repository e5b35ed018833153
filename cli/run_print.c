/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the ranking of strategies and the details of the best as text, JSON or
 * CSV. */
#include "cli/run_print.h"

#include "cli/print_links.h"
#include "base/json.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double us(double s)
{
    return s * 1e6;
}

static double on_node(const uint64_t *by_locality)
{
    return (double)(by_locality[SHARED_CACHE] + by_locality[ON_SOCKET] +
                    by_locality[ON_NODE]);
}

static void print_ranking(const struct run *runs, size_t n)
{
    printf("%-17s %10s %10s | %8s %10s | %8s %10s | %7s %10s\n", "strategy",
           "time us", "model us", "off node", "kB", "on node", "kB", "copies",
           "kB");
    for (size_t i = 0; i < n; i++) {
        const struct report *r = &runs[i].report;
        char model[16] = "-";
        if (runs[i].model_s > 0)
            snprintf(model, sizeof model, "%.2f", us(runs[i].model_s));
        printf("%-17s %10.2f %10s | %8llu %10.1f | %8.0f %10.1f | %7llu "
               "%10.1f\n",
               runs[i].strategy->name, us(r->time_s), model,
               (unsigned long long)r->messages[OFF_NODE],
               (double)r->bytes[OFF_NODE] / 1e3, on_node(r->messages),
               on_node(r->bytes) / 1e3, (unsigned long long)r->copies,
               (double)r->copied_bytes / 1e3);
    }
}

static void print_phases(const struct run *runs, size_t n)
{
    printf("\nwall us of each phase, and the most that one rank was at it\n");
    printf("%-17s", "strategy");
    for (size_t ph = 0; ph < PHASE_WORK; ph++)
        printf(" %15s", phase_names[ph]);
    printf("\n");
    for (size_t i = 0; i < n; i++) {
        printf("%-17s", runs[i].strategy->name);
        for (size_t ph = 0; ph < PHASE_WORK; ph++) {
            const struct phase_time *t = &runs[i].report.phases[ph];
            char text[32] = "-";
            if (t->nops)
                snprintf(text, sizeof text, "%.2f %7.2f", us(t->wall_s),
                         us(t->rank_s));
            printf(" %15s", text);
        }
        printf("\n");
    }
}

static void print_details(const struct run *r)
{
    printf("\n%s: the busiest links\n", r->strategy->name);
    print_links(r->links, r->nlinks, r->report.time_s);
    printf("%s: the end of the critical path\n", r->strategy->name);
    for (size_t i = 0; i < r->report.npath; i++) {
        const struct path_step *s = &r->report.path[i];
        printf("  %9.2f to %9.2f us  ", us(s->from_s), us(s->to_s));
        if (s->cause == CAUSE_NONE)
            printf("%s\n", r->path[i]);
        else
            printf("%-52s after %s\n", r->path[i], cause_names[s->cause]);
    }
}

void run_print(const struct job *j, const struct run *runs, size_t n,
               bool details)
{
    double accuracy = 0;

    for (size_t i = 0; i < n; i++)
        accuracy = fmax(accuracy, runs[i].report.accuracy);
    printf("%s on %s: %u GPUs, %u nodes, %s rows", j->workload, j->machine.name,
           j->halo.ngpus, halo_nodes(&j->halo), j->partition);
    if (j->halo.value_bytes != 8)
        printf(", values of %u bytes", j->halo.value_bytes);
    printf("; engine %s", engine_kind_names[exec_engine(j->exec)]);
    if (accuracy > 0)
        printf(", accuracy %g where not exact", accuracy);
    printf("\n\n");
    print_ranking(runs, n);
    print_phases(runs, n);
    for (size_t i = 0; i < (details ? n : 1); i++)
        print_details(&runs[i]);
}

static struct json *phases_json(const struct report *r)
{
    struct json *o = json_new_object();

    for (size_t ph = 0; ph < NPHASES; ph++) {
        char key[32];
        snprintf(key, sizeof key, "%s", phase_names[ph]);
        for (char *c = key; *c; c++)
            if (!isalnum((unsigned char)*c))
                *c = '_';
        if (!r->phases[ph].nops)
            continue;
        struct json *t = json_new_object();
        json_add_number(t, "operations", (double)r->phases[ph].nops);
        json_add_number(t, "wall_s", r->phases[ph].wall_s);
        json_add_number(t, "max_rank_s", r->phases[ph].rank_s);
        json_add(o, key, t);
    }
    return o;
}

static struct json *traffic_json(const struct report *r)
{
    struct json *o = json_new_object();

    for (size_t l = 0; l < NLOCALITIES; l++) {
        struct json *t = json_new_object();
        json_add_number(t, "messages", (double)r->messages[l]);
        json_add_number(t, "bytes", (double)r->bytes[l]);
        json_add(o, locality_names[l], t);
    }
    return o;
}

static struct json *path_json(const struct run *r)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < r->report.npath; i++) {
        const struct path_step *s = &r->report.path[i];
        struct json *o = json_new_object();
        json_add_string(o, "operation", r->path[i]);
        json_add_string(o, "waited_for", cause_names[s->cause]);
        json_add_number(o, "from_s", s->from_s);
        json_add_number(o, "to_s", s->to_s);
        json_append(list, o);
    }
    return list;
}

void run_print_json(const struct job *j, const struct run *runs, size_t n)
{
    struct json *doc = json_new_object(), *list = json_new_array();

    json_add_string(doc, "platform", j->machine.name);
    json_add_string(doc, "workload", j->workload);
    json_add_string(doc, "partition", j->partition);
    json_add_string(doc, "engine", engine_kind_names[exec_engine(j->exec)]);
    json_add_number(doc, "gpus", j->halo.ngpus);
    json_add_number(doc, "nodes", halo_nodes(&j->halo));
    json_add_number(doc, "value_bytes", j->halo.value_bytes);
    for (size_t i = 0; i < n; i++) {
        struct json *o = json_new_object();
        json_add_string(o, "strategy", runs[i].strategy->name);
        json_add_number(o, "time_s", runs[i].report.time_s);
        json_add_number(o, "accuracy", runs[i].report.accuracy);
        if (runs[i].model_s > 0)
            json_add_number(o, "model_s", runs[i].model_s);
        json_add(o, "phases", phases_json(&runs[i].report));
        json_add(o, "traffic", traffic_json(&runs[i].report));
        json_add_number(o, "copies", (double)runs[i].report.copies);
        json_add_number(o, "copied_bytes", (double)runs[i].report.copied_bytes);
        json_add(
            o, "links",
            links_json(runs[i].links, runs[i].nlinks, runs[i].report.time_s));
        json_add(o, "critical_path", path_json(&runs[i]));
        json_append(list, o);
    }
    json_add(doc, "strategies", list);
    json_print(doc, stdout);
    json_free(doc);
}

void run_print_csv(const struct run *runs, size_t n)
{
    printf("strategy,time_s,model_s,off_node_messages,off_node_bytes,"
           "on_node_messages,on_node_bytes,copies,copied_bytes");
    for (size_t ph = 0; ph < PHASE_WORK; ph++) {
        printf(",");
        for (const char *c = phase_names[ph]; *c; c++)
            putchar(isalnum((unsigned char)*c) ? *c : '_');
        printf("_wall_s");
    }
    printf("\n");
    for (size_t i = 0; i < n; i++) {
        const struct report *r = &runs[i].report;
        printf("%s,%.9g,%.9g,%llu,%llu,%.0f,%.0f,%llu,%llu",
               runs[i].strategy->name, r->time_s, runs[i].model_s,
               (unsigned long long)r->messages[OFF_NODE],
               (unsigned long long)r->bytes[OFF_NODE], on_node(r->messages),
               on_node(r->bytes), (unsigned long long)r->copies,
               (unsigned long long)r->copied_bytes);
        for (size_t ph = 0; ph < PHASE_WORK; ph++)
            printf(",%.9g", r->phases[ph].wall_s);
        printf("\n");
    }
}
