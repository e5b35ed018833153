/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the results of a graph algorithm in rounds on hosts, platform by
 * platform and runtime by runtime, as text and CSV. */
#include "cli/print_rounds.h"

#include "base/csv.h"
#include "cli/list_columns.h"
#include "cli/print_extrapolates.h"
#include "cli/print_rounds_json.h"
#include "cli/print_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t all_messages(const struct graph_rounds *g)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < g->result.rounds.n; i++)
        sum += round_messages(rounds_at(&g->result.rounds, i));
    return sum;
}

/* --- text ----------------------------------------------------------------- */

static void print_weights(const struct graph_rounds *g)
{
    if (g->weight)
        printf("; weights of the file");
    else
        printf("; weights of 1 to %u", g->in.max_weight);
}

static void print_heading(const struct graph_rounds *g)
{
    const struct hosts *h = &g->hosts;
    const struct rounds *r = &g->result.rounds;

    printf("%s on %u host%s, %s", g->words, h->n, h->n == 1 ? "" : "s",
           cut_names[h->cut]);
    if (h->cut == CUT_CVC)
        printf(" %ux%u", h->rows, h->columns);
    printf("; %u vertices, %" PRIu64 " arcs", g->graph.n,
           graph_arcs(&g->graph));
    if (h->host)
        printf(", %.2f proxies a vertex",
               (double)hosts_proxies(h) / g->graph.n);
    printf("\n%zu rounds", r->n);
    if (r->nkinds < r->n)
        printf(", %zu of them simulated", r->nkinds);
    if (g->result.unfinished)
        printf(" (no more were asked for)");
    printf(", %" PRIu64 " messages", all_messages(g));
    if (opt_in_list(g->workload->round_options, "source"))
        printf("; from vertex %u", g->in.source);
    if (opt_in_list(g->workload->round_options, "max-weight"))
        print_weights(g);
    if (opt_in_list(g->workload->round_options, "damping"))
        printf("; damping %g, threshold %g", g->in.damping, g->in.threshold);
    if (g->vertices_x > 0)
        printf("\nscaled: as many rounds, %.4g times the bytes, %.4g times the "
               "arcs",
               g->vertices_x, g->arcs_x);
    printf("\n\n");
}

static void print_time(const struct rounds_time *t)
{
    printf(" %10.6f %10.6f %10.6f %12.3f", t->time_s, t->compute_s,
           t->time_s - t->compute_s, t->bytes / 1e6);
}

static void print_rounds_cell(const struct graph_rounds *g,
                              const struct rounds_cell *c)
{
    printf("%-16s %-10s", c->machine->name, runtime_words[c->runtime]);
    print_time(&c->as_run);
    if (g->vertices_x > 0)
        print_time(&c->scaled);
    printf("\n");
}

static void print_table(const struct graph_rounds *g)
{
    static const char head[] = "     time s  compute s    other s           MB";

    if (g->vertices_x > 0)
        printf("%-27s %*s %*s\n", "", (int)sizeof head - 2, "as run",
               (int)sizeof head - 2, "scaled");
    printf("%-16s %-10s%s%s\n", "platform", "runtime", head,
           g->vertices_x > 0 ? head : "");
    for (size_t i = 0; i < g->ncells; i++)
        if (!g->cells[i].why)
            print_rounds_cell(g, &g->cells[i]);
    printf("\ncompute: of the busiest host in each round; other: communication "
           "that is not overlapped, gathers and scatters\n");
}

/* --- memory --------------------------------------------------------------- */

/* Sums over the hosts. */
struct use_sum {
    double least_B, most_B, reserved_B, waited_s, comm_s;
    uint64_t retries;
};

static struct use_sum sum_use(const struct graph_rounds *g,
                              const struct rounds_time *t)
{
    struct use_sum s = {.least_B = INFINITY};

    for (uint32_t h = 0; h < g->hosts.n; h++) {
        const struct host_use *use = &t->use[h];
        s.least_B = fmin(s.least_B, use->most_B);
        s.most_B = fmax(s.most_B, use->most_B);
        s.reserved_B = fmax(s.reserved_B, use->reserved_B);
        s.waited_s = fmax(s.waited_s, use->waited_s);
        s.comm_s = fmax(s.comm_s, use->comm_s);
        s.retries += use->retries;
    }
    return s;
}

static void print_use(const struct graph_rounds *g, const struct rounds_time *t)
{
    struct use_sum s = sum_use(g, t);

    printf(" %10.4f %10.4f %10.4f %10.4f %10.6f %9" PRIu64 " %10.6f",
           s.least_B / 1e6, s.most_B / 1e6, s.reserved_B / 1e6, t->windows_s,
           s.comm_s, s.retries, s.waited_s);
}

static bool has_use(const struct graph_rounds *g)
{
    bool any = false;

    for (size_t i = 0; i < g->ncells; i++)
        any |= g->cells[i].as_run.use != NULL;
    return any;
}

static void print_memory(const struct graph_rounds *g)
{
    if (!has_use(g))
        return;
    printf("\n%-16s %-10s %8s %10s %10s %10s %10s %10s %9s %10s\n", "platform",
           "runtime", "", "least MB", "most MB", "reserved", "windows s",
           "comm. s", "retries", "waits s");
    for (size_t i = 0; i < g->ncells; i++) {
        const struct rounds_cell *c = &g->cells[i];
        for (int scaled = 0; scaled < 2; scaled++) {
            const struct rounds_time *t = scaled ? &c->scaled : &c->as_run;
            if (c->why || !t->use)
                continue;
            printf("%-16s %-10s %8s", c->machine->name,
                   runtime_words[c->runtime], scaled ? "scaled" : "as run");
            print_use(g, t);
            printf("\n");
        }
    }
    printf(
        "\nbuffers of messages under way at the most, on the host with the "
        "least and the most; packets and windows that are reserved, MB; the "
        "creation of windows, apart from the time; the busiest communication "
        "thread; sends without a packet, and the longest wait of a host\n");
}

/* --- rounds --------------------------------------------------------------- */

static void print_details(const struct graph_rounds *g)
{
    const struct rounds *r = &g->result.rounds;

    printf("\n%6s %12s %12s %10s", "round", "active", "MB", "messages");
    for (size_t c = 0; c < g->ncells; c++)
        if (!g->cells[c].why) {
            char *name = xasprintf("%s %s", g->cells[c].machine->name,
                                   runtime_words[g->cells[c].runtime]);
            printf(" %20s", name);
            free(name);
        }
    printf("\n");
    for (size_t i = 0; i < r->n; i++) {
        const struct round *one = rounds_at(r, i);
        printf("%6zu %12" PRIu64 " %12.3f %10" PRIu64, i, one->active,
               (double)round_bytes(one) / 1e6, round_messages(one));
        for (size_t c = 0; c < g->ncells; c++)
            if (!g->cells[c].why)
                printf(" %17.3f us", g->cells[c].as_run.round_s[i] * 1e6);
        printf("\n");
    }
}

/* --- comparison of cells -------------------------------------------------- */

double rounds_cell_s(const struct graph_rounds *g, const struct rounds_cell *c)
{
    return g->vertices_x > 0 ? c->scaled.time_s : c->as_run.time_s;
}

double rounds_times_best(const struct graph_rounds *g,
                         const struct rounds_cell *c)
{
    double best_s = INFINITY;

    for (size_t i = 0; i < g->ncells; i++)
        if (!g->cells[i].why)
            best_s = fmin(best_s, rounds_cell_s(g, &g->cells[i]));
    return best_s > 0 ? rounds_cell_s(g, c) / best_s : 1;
}

const struct rounds_cell **rounds_ranked(const struct graph_rounds *g)
{
    const struct rounds_cell **order = xcalloc(g->ncells + 1, sizeof *order);
    size_t n = 0;

    for (size_t i = 0; i < g->ncells; i++) {
        const struct rounds_cell *c = &g->cells[i];
        size_t at = n;
        if (c->why)
            continue;
        for (; at && rounds_cell_s(g, c) < rounds_cell_s(g, order[at - 1]);
             at--)
            order[at] = order[at - 1];
        order[at] = c;
        n++;
    }
    return order;
}

void rounds_results_make(struct rounds_results *r, const struct graph_rounds *g,
                         const struct rounds_cell *c, bool details)
{
    struct outcome *o =
        g->vertices_x > 0 ? c->scaled.outcome : c->as_run.outcome;

    o->times_best = rounds_times_best(g, c);
    *r = (struct rounds_results){
        .job = {.machine = c->machine,
                .workload = g->workload,
                .words = g->words,
                .exec = g->exec,
                .load = {.shape = SHAPE_PLAN, .nodes = g->hosts.n}}};
    r->results = (struct run_results){
        .job = &r->job, .list = o, .n = 1, .details = details};
}

void print_rounds_list(const struct graph_rounds *g, const struct list *l,
                       bool csv)
{
    const struct rounds_cell **order = rounds_ranked(g);

    if (csv)
        print_list_csv_head(l);
    else
        print_heading(g);
    for (size_t i = 0; order[i]; i++) {
        struct rounds_results of;
        rounds_results_make(&of, g, order[i], true);
        if (csv) {
            print_list_csv_rows(&of.results, l);
        } else {
            printf("%s on %s\n", of.results.list->name, of.job.machine->name);
            print_list(&of.results, l);
        }
    }
    free(order);
}

/* --- CSV ------------------------------------------------------------------ */

static void print_csv_names(const struct rounds_cell *c)
{
    csv_print_text(stdout, c->machine->name);
    printf(",%s", runtime_words[c->runtime]);
}

static void print_csv_use(const struct graph_rounds *g,
                          const struct rounds_time *t)
{
    if (!t->use) {
        printf(",,,,,,");
        return;
    }
    struct use_sum s = sum_use(g, t);
    printf(",%.0f,%.0f,%.0f,%.9g,%" PRIu64 ",%.9g", s.least_B, s.most_B,
           s.reserved_B, t->windows_s, s.retries, s.waited_s);
}

static void print_csv_common_head(void)
{
    printf(",workload,nodes,gpus,strategy");
    print_csv_origin_head();
    printf("\n");
}

/* Prints the columns that the CSV of all commands has; here a candidate is a
 * runtime on hosts. */
static void print_csv_common(const struct graph_rounds *g,
                             const struct rounds_cell *c)
{
    char *cut = hosts_cut_words(&g->hosts);

    putchar(',');
    csv_print_text(stdout, g->words);
    printf(",%u,,%s", g->hosts.n, runtime_words[c->runtime]);
    print_csv_origin(rounds_times_best(g, c), g->words, cut);
    free(cut);
    printf("\n");
}

static void print_csv(const struct graph_rounds *g)
{
    printf("platform,runtime,hosts,rounds,messages,time_s,compute_s,bytes,"
           "scaled_time_s,scaled_compute_s,scaled_bytes");
    for (int scaled = 0; scaled < 2; scaled++) {
        const char *of = scaled ? "scaled_" : "";
        printf(",%sbuffers_least_B,%sbuffers_most_B,%sreserved_B,%swindows_s,"
               "%sretries,%swaited_s",
               of, of, of, of, of, of);
    }
    print_csv_common_head();
    for (size_t i = 0; i < g->ncells; i++) {
        const struct rounds_cell *c = &g->cells[i];
        if (c->why)
            continue;
        print_csv_names(c);
        printf(",%u,%zu,%" PRIu64 ",%.9g,%.9g,%.0f", g->hosts.n,
               g->result.rounds.n, all_messages(g), c->as_run.time_s,
               c->as_run.compute_s, c->as_run.bytes);
        if (g->vertices_x > 0)
            printf(",%.9g,%.9g,%.0f", c->scaled.time_s, c->scaled.compute_s,
                   c->scaled.bytes);
        else
            printf(",,,");
        print_csv_use(g, &c->as_run);
        print_csv_use(g, &c->scaled);
        print_csv_common(g, c);
    }
}

static void print_csv_rounds(const struct graph_rounds *g)
{
    const struct rounds *r = &g->result.rounds;

    printf("platform,runtime,round,active,messages,bytes,time_s,compute_s");
    print_csv_common_head();
    for (size_t c = 0; c < g->ncells; c++)
        for (size_t i = 0; i < r->n && !g->cells[c].why; i++) {
            const struct round *one = rounds_at(r, i);
            const struct rounds_time *t = &g->cells[c].as_run;
            print_csv_names(&g->cells[c]);
            printf(",%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.9g,%.9g", i,
                   one->active, round_messages(one), round_bytes(one),
                   t->round_s[i], t->round_compute_s[i]);
            print_csv_common(g, &g->cells[c]);
        }
}

void print_rounds(const struct graph_rounds *g, enum rounds_form form,
                  bool details)
{
    if (form == ROUNDS_JSON) {
        print_rounds_json(g, details);
    } else if (form == ROUNDS_CSV && details) {
        print_csv_rounds(g);
    } else if (form == ROUNDS_CSV) {
        print_csv(g);
    } else {
        print_heading(g);
        print_table(g);
        for (size_t i = 0; i < g->nmachines; i++)
            print_extrapolates(&g->machines[i],
                               &(struct answered){.nodes = g->hosts.n});
        print_memory(g);
        if (details)
            print_details(g);
    }
}
