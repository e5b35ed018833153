/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the results of a graph algorithm in rounds on hosts, platform by
 * platform and runtime by runtime, as text and CSV. */
#include "cli/print_rounds.h"

#include "base/csv.h"
#include "cli/list_columns.h"
#include "cli/print_extrapolates.h"
#include "cli/print_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- cells ---------------------------------------------------------------- */

static const struct outcome *outcome_of(const struct sweep_size *size,
                                        const char *name)
{
    for (size_t i = 0; i < size->runs.n; i++)
        if (!strcmp(size->runs.list[i].name, name))
            return &size->runs.list[i];
    return NULL;
}

void rounds_cells_make(struct rounds_cells *cells, const struct sweep *s)
{
    const struct job *any = NULL;

    for (size_t i = 0; i < s->n && !any; i++)
        any = s->sizes[i].job.workload ? &s->sizes[i].job : NULL;
    *cells = (struct rounds_cells){
        .sweep = s,
        .job = any,
        .of = any->rounds,
        .list = xcalloc(s->n * any->nchoices, sizeof *cells->list)};
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < any->nchoices; k++) {
            const char *name = any->choices[k].name;
            const struct outcome *o = outcome_of(&s->sizes[i], name);
            cells->list[cells->n++] = (struct rounds_cell){
                .size = &s->sizes[i],
                .runtime = name,
                .of = o && !o->why ? o : NULL,
                .why = o ? o->why : s->sizes[i].why,
            };
        }
}

void rounds_cells_clear(struct rounds_cells *cells)
{
    free(cells->list);
    *cells = (struct rounds_cells){0};
}

/* Visits the cells that have a time. */
#define FOR_TIMED(c, cells)                                                    \
    for (const struct rounds_cell *c = (cells)->list;                          \
         c < (cells)->list + (cells)->n; c++)                                  \
        if (c->of)

static bool is_scaled(const struct rounds_cells *cells)
{
    return cells->of->vertices_x > 0;
}

static uint64_t all_messages(const struct rounds *r)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < r->n; i++)
        sum += round_messages(rounds_at(r, i));
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

static void print_heading(const struct rounds_cells *cells)
{
    const struct graph_rounds *g = cells->of;
    const char *options = cells->job->workload->round_options;
    const struct hosts *h = &g->hosts;
    const struct rounds *r = &g->result.rounds;

    printf("%s on %u host%s, %s", cells->sweep->words, h->n,
           h->n == 1 ? "" : "s", cut_names[h->cut]);
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
    printf(", %" PRIu64 " messages", all_messages(r));
    if (opt_in_list(options, "source"))
        printf("; from vertex %u", g->in.source);
    if (opt_in_list(options, "max-weight"))
        print_weights(g);
    if (opt_in_list(options, "damping"))
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

static void print_rounds_cell(const struct rounds_cell *c, bool scaled)
{
    printf("%-16s %-10s", c->size->machine->name, c->runtime);
    print_time(&c->of->on_hosts->as_run);
    if (scaled)
        print_time(&c->of->on_hosts->scaled);
    printf("\n");
}

static void print_table(const struct rounds_cells *cells)
{
    static const char head[] = "     time s  compute s    other s           MB";

    if (is_scaled(cells))
        printf("%-27s %*s %*s\n", "", (int)sizeof head - 2, "as run",
               (int)sizeof head - 2, "scaled");
    printf("%-16s %-10s%s%s\n", "platform", "runtime", head,
           is_scaled(cells) ? head : "");
    FOR_TIMED (c, cells)
        print_rounds_cell(c, is_scaled(cells));
    printf("\ncompute: of the busiest host in each round; other: communication "
           "that is not overlapped, gathers and scatters\n");
}

/* --- memory --------------------------------------------------------------- */

/* Sums over the hosts. */
struct use_sum {
    double least_B, most_B, reserved_B, waited_s, comm_s;
    uint64_t retries;
};

static struct use_sum sum_use(uint32_t hosts, const struct rounds_time *t)
{
    struct use_sum s = {.least_B = INFINITY};

    for (uint32_t h = 0; h < hosts; h++) {
        const struct host_counts *use = &t->use[h];
        s.least_B = fmin(s.least_B, use->most_B);
        s.most_B = fmax(s.most_B, use->most_B);
        s.reserved_B = fmax(s.reserved_B, use->reserved_B);
        s.waited_s = fmax(s.waited_s, use->waited_s);
        s.comm_s = fmax(s.comm_s, use->comm_s);
        s.retries += use->retries;
    }
    return s;
}

static void print_use(uint32_t hosts, const struct rounds_time *t)
{
    struct use_sum s = sum_use(hosts, t);

    printf(" %10.4f %10.4f %10.4f %10.4f %10.6f %9" PRIu64 " %10.6f",
           s.least_B / 1e6, s.most_B / 1e6, s.reserved_B / 1e6, t->windows_s,
           s.comm_s, s.retries, s.waited_s);
}

static bool has_use(const struct rounds_cells *cells)
{
    bool any = false;

    FOR_TIMED (c, cells)
        any |= c->of->on_hosts->as_run.use != NULL;
    return any;
}

static void print_memory(const struct rounds_cells *cells)
{
    if (!has_use(cells))
        return;
    printf("\n%-16s %-10s %8s %10s %10s %10s %10s %10s %9s %10s\n", "platform",
           "runtime", "", "least MB", "most MB", "reserved", "windows s",
           "comm. s", "retries", "waits s");
    FOR_TIMED (c, cells)
        for (int scaled = 0; scaled < 2; scaled++) {
            const struct rounds_times *times = c->of->on_hosts;
            const struct rounds_time *t =
                scaled ? &times->scaled : &times->as_run;
            if (!t->use)
                continue;
            printf("%-16s %-10s %8s", c->size->machine->name, c->runtime,
                   scaled ? "scaled" : "as run");
            print_use(cells->of->hosts.n, t);
            printf("\n");
        }
    printf(
        "\nbuffers of messages under way at the most, on the host with the "
        "least and the most; packets and windows that are reserved, MB; the "
        "creation of windows, apart from the time; the busiest communication "
        "thread; sends without a packet, and the longest wait of a host\n");
}

/* --- rounds --------------------------------------------------------------- */

static void print_details(const struct rounds_cells *cells)
{
    const struct rounds *r = &cells->of->result.rounds;

    printf("\n%6s %12s %12s %10s", "round", "active", "MB", "messages");
    FOR_TIMED (c, cells) {
        char *name = xasprintf("%s %s", c->size->machine->name, c->runtime);
        printf(" %20s", name);
        free(name);
    }
    printf("\n");
    for (size_t i = 0; i < r->n; i++) {
        const struct round *one = rounds_at(r, i);
        printf("%6zu %12" PRIu64 " %12.3f %10" PRIu64, i, one->active,
               (double)round_bytes(one) / 1e6, round_messages(one));
        FOR_TIMED (c, cells)
            printf(" %17.3f us",
                   c->of->on_hosts->as_run.rounds[i].time_s * 1e6);
        printf("\n");
    }
}

/* --- lists ---------------------------------------------------------------- */

const struct rounds_cell **rounds_ranked(const struct rounds_cells *cells)
{
    const struct rounds_cell **order = xcalloc(cells->n + 1, sizeof *order);
    size_t n = 0;

    FOR_TIMED (c, cells) {
        size_t at = n++;
        for (; at && c->of->time_s < order[at - 1]->of->time_s; at--)
            order[at] = order[at - 1];
        order[at] = c;
    }
    return order;
}

void print_rounds_list(const struct sweep *s, const struct list *l, bool csv)
{
    struct rounds_cells cells;

    rounds_cells_make(&cells, s);
    const struct rounds_cell **order = rounds_ranked(&cells);
    if (csv)
        print_list_csv_head(l);
    else
        print_heading(&cells);
    for (size_t i = 0; order[i]; i++) {
        const struct run_results r = {.job = &order[i]->size->job,
                                      .list = order[i]->of,
                                      .n = 1,
                                      .details = true};
        if (csv) {
            print_list_csv_rows(&r, l);
        } else {
            printf("%s on %s\n", r.list->name, r.job->machine->name);
            print_list(&r, l);
        }
    }
    free(order);
    rounds_cells_clear(&cells);
}

/* --- CSV ------------------------------------------------------------------ */

static void print_csv_names(const struct rounds_cell *c)
{
    csv_print_text(stdout, c->size->machine->name);
    printf(",%s", c->runtime);
}

static void print_csv_use(uint32_t hosts, const struct rounds_time *t)
{
    if (!t->use) {
        printf(",,,,,,");
        return;
    }
    struct use_sum s = sum_use(hosts, t);
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
static void print_csv_common(const struct rounds_cell *c)
{
    const struct job *j = &c->size->job;

    putchar(',');
    csv_print_text(stdout, j->words);
    printf(",%u,,%s", j->load.nodes, c->runtime);
    print_csv_origin(c->of->times_best, j->words, j->load.partition);
    printf("\n");
}

static void print_csv_cell(const struct rounds_cells *cells,
                           const struct rounds_cell *c)
{
    const struct rounds *r = &cells->of->result.rounds;
    const struct rounds_time *as_run = &c->of->on_hosts->as_run;
    const struct rounds_time *scaled = &c->of->on_hosts->scaled;
    uint32_t hosts = cells->of->hosts.n;

    print_csv_names(c);
    printf(",%u,%zu,%" PRIu64 ",%.9g,%.9g,%.0f", hosts, r->n, all_messages(r),
           as_run->time_s, as_run->compute_s, as_run->bytes);
    if (is_scaled(cells))
        printf(",%.9g,%.9g,%.0f", scaled->time_s, scaled->compute_s,
               scaled->bytes);
    else
        printf(",,,");
    print_csv_use(hosts, as_run);
    print_csv_use(hosts, scaled);
    print_csv_common(c);
}

static void print_csv(const struct rounds_cells *cells)
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
    FOR_TIMED (c, cells)
        print_csv_cell(cells, c);
}

static void print_csv_rounds(const struct rounds_cells *cells)
{
    printf("platform,runtime,round,active,messages,bytes,time_s,compute_s");
    print_csv_common_head();
    FOR_TIMED (c, cells)
        for (size_t i = 0; i < c->of->nrounds; i++) {
            const struct outcome_round *r = &c->of->on_hosts->as_run.rounds[i];
            print_csv_names(c);
            printf(",%zu,%" PRIu64 ",%" PRIu64 ",%.0f,%.9g,%.9g", i, r->active,
                   r->messages, r->bytes, r->time_s, r->compute_s);
            print_csv_common(c);
        }
}

static void print_text(const struct rounds_cells *cells, bool details)
{
    const struct sweep *s = cells->sweep;

    print_heading(cells);
    print_table(cells);
    for (size_t i = 0; i < s->n; i++)
        print_extrapolates(s->sizes[i].machine,
                           &(struct answered){.nodes = cells->of->hosts.n});
    print_memory(cells);
    if (details)
        print_details(cells);
}

void print_rounds(const struct sweep *s, enum sizes_form form, bool details)
{
    struct rounds_cells cells;

    rounds_cells_make(&cells, s);
    if (form == SIZES_JSON)
        print_rounds_json(&cells, details);
    else if (form == SIZES_CSV && details)
        print_csv_rounds(&cells);
    else if (form == SIZES_CSV)
        print_csv(&cells);
    else
        print_text(&cells, details);
    rounds_cells_clear(&cells);
}
