/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice validate native: compares simulated exchanges with native runs of
 * the same plans. */
#include "cli/validate_native.h"

#include "cli/document.h"
#include "platforms/platform.h"
#include "cli/validate_print.h"
#include "base/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void validate_native_progress(size_t done, size_t all)
{
    if (isatty(2))
        fprintf(stderr, "\r%zu of %zu cases simulated%s", done, all,
                done == all ? "\n" : "");
}

/* Reports each machine that is not the platform's once. */
static void tell_machines(const struct native_results *r, const char *platform)
{
    for (size_t i = 0; i < r->n; i++) {
        const char *machine = r->cases[i].machine;
        bool reported = platform_stands_for(platform, machine);
        for (size_t k = 0; k < i && !reported; k++)
            reported = !strcmp(r->cases[k].machine, machine);
        if (!reported)
            fprintf(stderr, "sluice: %s was measured on %s, not on %s\n",
                    r->cases[i].times[0].file, machine, platform);
    }
}

static int validate_native_simulate(struct native_results *r,
                                    const struct native_request *request,
                                    struct err *err)
{
    struct machine m;

    if (!request->platform)
        return native_simulate(r, NULL, request->sets.items, request->sets.n,
                               request->exec, validate_native_progress, err);
    if (platform_load(&m, request->platform, request->sets.items,
                      request->sets.n, err) < 0)
        return -1;
    tell_machines(r, m.name);
    int result = native_simulate(r, &m, NULL, 0, request->exec,
                                 validate_native_progress, err);
    machine_clear(&m);
    return result;
}

int native_read(struct native_results *r, const struct native_request *request,
                struct err *err)
{
    if (native_load(r, request->files.items, request->files.n, err) < 0)
        return -1;
    if (validate_native_simulate(r, request, err) < 0) {
        native_clear(r);
        return -1;
    }
    return 0;
}

/* --- as text -------------------------------------------------------------- */

static int by_native_time(const void *a, const void *b)
{
    const struct native_time *x = *(const struct native_time *const *)a;
    const struct native_time *y = *(const struct native_time *const *)b;

    if (x->native_s != y->native_s)
        return x->native_s < y->native_s ? -1 : 1;
    return strcmp(x->strategy->name, y->strategy->name);
}

static void print_time(const struct native_case *c, const struct native_time *t)
{
    bool native = c->n > 1 && t == native_fastest(c);
    bool predicted = c->n > 1 && t == native_predicted(c);
    char noise[32] = "-";

    if (!isnan(t->noise_s))
        snprintf(noise, sizeof noise, "%.2f", t->noise_s * 1e6);
    printf("  %-17s %7zu %12.2f %10s %12.2f %+7.1f%%%s\n", t->strategy->name,
           t->nsamples, t->native_s * 1e6, noise, t->simulated_s * 1e6,
           100 * (t->simulated_s / t->native_s - 1),
           native && predicted ? "  native, predicted"
           : native            ? "  native"
           : predicted         ? "  predicted"
                               : "");
}

static void print_place(const struct native_case *c)
{
    printf("%s on %s", c->workload, c->machine);
    if (*c->config || *c->mpi)
        printf(" (%s%s%s)", c->config, *c->config && *c->mpi ? ", " : "",
               c->mpi);
    printf(": %u GPUs, %u nodes of %u ranks", c->gpus, c->nodes,
           c->ranks_per_node);
    if (*c->partition)
        printf(", %s rows", c->partition);
    printf(", values of %u bytes, memory %s", c->value_bytes,
           native_memory_names[c->gpu_memory]);
}

/* Prints the fastest first. */
static void validate_native_print_case(const struct native_case *c)
{
    const struct native_time **order = xcalloc(c->n, sizeof(void *));

    for (size_t i = 0; i < c->n; i++)
        order[i] = &c->times[i];
    qsort(order, c->n, sizeof(void *), by_native_time);
    print_place(c);
    printf("\n  %-17s %7s %12s %10s %12s %8s%s\n", "strategy", "samples",
           "native us", "+- us", "simulated us", "error",
           c->n < 2             ? ""
           : native_is_clear(c) ? "  winner"
                                : "  winner (not clear)");
    for (size_t i = 0; i < c->n; i++)
        print_time(c, order[i]);
    putchar('\n');
    free(order);
}

static void print_score(const char *name, const struct native_score *s)
{
    printf("%-16s %6zu %10zu %8zu %10zu", name, s->cases, s->right, s->clear,
           s->clear_right);
    if (s->cases)
        printf(" %13.1f%% %8.1f%%", 100 * s->median_regret,
               100 * s->worst_regret);
    putchar('\n');
}

static void print_scores(const struct native_results *r)
{
    printf("\n%-16s %6s %10s %8s %10s %14s %9s\n", "winner", "cases",
           "predicted", "clear", "predicted", "slower, median", "worst");
    struct native_score all = native_score(r, NULL);
    print_score("all", &all);
    for (int m = 0; m < 2; m++) {
        struct native_score s = native_score(r, native_memory_names[m]);
        if (s.cases)
            print_score(native_memory_names[m], &s);
    }
    if (all.pairs)
        printf("order: %zu of %zu pairs of strategies that clearly differ "
               "natively are predicted in it\n",
               all.pairs_right, all.pairs);
    if (!all.cases || all.worst_regret == 0)
        return;
    printf("worst: %s, not %s:\n  ",
           native_predicted(all.worst_case)->strategy->name,
           native_fastest(all.worst_case)->strategy->name);
    print_place(all.worst_case);
    putchar('\n');
}

/* --- as JSON -------------------------------------------------------------- */

static struct json *time_json(const struct native_time *t)
{
    struct json *o = json_new_object();

    json_add_string(o, "strategy", t->strategy->name);
    json_add_number(o, "samples", (double)t->nsamples);
    json_add_number(o, "native_s", t->native_s);
    json_add_number(o, "noise_s", t->noise_s);
    json_add_number(o, "simulated_s", t->simulated_s);
    json_add_number(o, "error", t->simulated_s / t->native_s - 1);
    return o;
}

static struct json *case_json(const struct native_case *c)
{
    struct json *o = json_new_object(), *times = json_new_array();

    json_add_string(o, "machine", c->machine);
    json_add_string(o, "mpi", c->mpi);
    json_add_string(o, "config", c->config);
    json_add_string(o, "workload", c->workload);
    json_add_string(o, "partition", c->partition);
    json_add_number(o, "gpus", c->gpus);
    json_add_number(o, "nodes", c->nodes);
    json_add_number(o, "ranks_per_node", c->ranks_per_node);
    json_add_number(o, "value_bytes", c->value_bytes);
    json_add_string(o, "memory", native_memory_names[c->gpu_memory]);
    if (c->n > 1) {
        json_add_string(o, "native_winner", native_fastest(c)->strategy->name);
        json_add_string(o, "predicted_winner",
                        native_predicted(c)->strategy->name);
        json_add_bool(o, "clear", native_is_clear(c));
    }
    for (size_t i = 0; i < c->n; i++)
        json_append(times, time_json(&c->times[i]));
    json_add(o, "strategies", times);
    return o;
}

static void add_score(struct json *list, const struct native_results *r,
                      const char *memory)
{
    struct native_score s = native_score(r, memory);
    struct json *o = json_new_object();

    json_add_string(o, "name", memory ? memory : "all");
    json_add_number(o, "cases", (double)s.cases);
    json_add_number(o, "predicted", (double)s.right);
    json_add_number(o, "clear", (double)s.clear);
    json_add_number(o, "clear_predicted", (double)s.clear_right);
    json_add_number(o, "clear_pairs", (double)s.pairs);
    json_add_number(o, "clear_pairs_predicted", (double)s.pairs_right);
    json_add_number(o, "median_regret", s.median_regret);
    json_add_number(o, "worst_regret", s.worst_regret);
    json_append(list, o);
}

static void validate_native_print_json(const struct native_results *r,
                                       const struct error_summary *list,
                                       size_t n)
{
    struct json *doc = document_new("validate native");
    struct json *winners = json_new_array(), *cases = json_new_array();

    json_add(doc, "groups", errors_json(list, n));
    add_score(winners, r, NULL);
    for (int m = 0; m < 2; m++)
        add_score(winners, r, native_memory_names[m]);
    json_add(doc, "winners", winners);
    for (size_t i = 0; i < r->n; i++)
        json_append(cases, case_json(&r->cases[i]));
    json_add(doc, "cases", cases);
    document_print(doc);
}

/* -------------------------------------------------------------------------- */

int validate_native(const struct native_request *request, bool json,
                    struct err *err)
{
    struct native_results r;
    size_t n;

    if (native_read(&r, request, err) < 0)
        return -1;
    struct error_summary *list = native_summary(&r, &n);
    if (json) {
        validate_native_print_json(&r, list, n);
    } else {
        for (size_t i = 0; i < r.n; i++)
            validate_native_print_case(&r.cases[i]);
        errors_print(list, n);
        print_scores(&r);
    }
    free(list);
    native_clear(&r);
    return 0;
}
