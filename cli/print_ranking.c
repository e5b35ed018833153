/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the ranking of `sluice run`: one table of columns for text and CSV, in
 * which an outcome without a value has "-" or nothing. */
#include "cli/print_run.h"

#include "base/csv.h"
#include "strategies/run/sweep.h"
#include "workloads/load/seed.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- columns -------------------------------------------------------------- */

static double on_node(const uint64_t *by_locality)
{
    return (double)(by_locality[SHARED_CACHE] + by_locality[ON_SOCKET] +
                    by_locality[ON_NODE]);
}

/* Returns the mean over all GPUs of the part of their time that one activity
 * took; `offset` is its place in struct traverse_gpu. */
static double part(const struct traverse_result *r, size_t offset)
{
    double sum = 0;

    for (uint32_t i = 0; i < r->ngpus; i++)
        sum += *(const double *)((const char *)&r->gpus[i] + offset);
    return r->time_s > 0 ? sum / r->time_s / r->ngpus : 0;
}

#define COLUMN(name, value)                                                    \
    static double name(const struct outcome *o)                                \
    {                                                                          \
        return (double)(value);                                                \
    }
#define OF_PLAN(name, value) COLUMN(name, o->graph ? NAN : (double)(value))
#define OF_GRAPH(name, value)                                                  \
    COLUMN(name, !o->graph ? NAN : (double)(o->graph->value))
#define PART(name)                                                             \
    COLUMN(name##_part,                                                        \
           !o->graph                                                           \
               ? NAN                                                           \
               : part(o->graph, offsetof(struct traverse_gpu, name##_s)))
COLUMN(time_s, o->time_s)
COLUMN(times_best, o->times_best)
COLUMN(model_s, o->model_s)
COLUMN(saved_part, o->given_s > 0 ? 1 - o->time_s / o->given_s : NAN)
OF_PLAN(off_node_messages, o->report.messages[OFF_NODE])
OF_PLAN(off_node_bytes, o->report.bytes[OFF_NODE])
OF_PLAN(on_node_messages, on_node(o->report.messages))
OF_PLAN(on_node_bytes, on_node(o->report.bytes))
OF_PLAN(copies, o->report.copies)
OF_PLAN(copied_bytes, o->report.copied_bytes)
OF_PLAN(mean_duration_s, o->durations.mean)
COLUMN(buffers_most, HOSTS_MOST(o, most_B))
COLUMN(buffers_least, HOSTS_LEAST(o, most_B))
COLUMN(reserved, HOSTS_MOST(o, reserved_B))
COLUMN(retries, hosts_retries(o))
COLUMN(buffer_wait_s, hosts_waited_s(o))
COLUMN(windows_s, o->nhosts ? o->windows_s : NAN)
OF_GRAPH(work, workload)
OF_GRAPH(visits, visits)
OF_GRAPH(edges, edges)
OF_GRAPH(steps, steps)
OF_GRAPH(transfers, transfers)
OF_GRAPH(transfer_bytes, transfer_B)
OF_GRAPH(wire_bytes, wire_B)
OF_GRAPH(peak_over_mean, peak_over_mean)
PART(busy)
PART(waiting)
PART(idle)

static const struct column {
    const char *key;     /* in CSV; NULL if only text has it */
    const char *heading; /* in text; NULL if only CSV has it */
    const char *before;  /* text between this column and the one before */
    int width, decimals;
    double scale; /* for text; CSV has seconds and bytes */
    double (*get)(const struct outcome *o);
} columns[] = {
    {"time_s", "time us", " ", 10, 2, 1e6, time_s},
    {NULL, "x best", " ", 7, 2, 1, times_best},
    {NULL, "saved %", " ", 8, 2, 100, saved_part},
    {"model_s", "model us", " ", 10, 2, 1e6, model_s},
    {"off_node_messages", "off node", " | ", 8, 0, 1, off_node_messages},
    {"off_node_bytes", "kB", " ", 10, 1, 1e-3, off_node_bytes},
    {"on_node_messages", "on node", " | ", 8, 0, 1, on_node_messages},
    {"on_node_bytes", "kB", " ", 10, 1, 1e-3, on_node_bytes},
    {"copies", "copies", " | ", 7, 0, 1, copies},
    {"copied_bytes", "kB", " ", 10, 1, 1e-3, copied_bytes},
    {"mean_duration_s", NULL, NULL, 0, 0, 0, mean_duration_s},
    {"buffers_most_bytes", "buffers", " | ", 9, 1, 1e-3, buffers_most},
    {"buffers_least_bytes", NULL, NULL, 0, 0, 0, buffers_least},
    {"reserved_bytes", "kB, fixed", " ", 10, 1, 1e-3, reserved},
    {"retries", "retries", " ", 8, 0, 1, retries},
    {"buffer_wait_s", NULL, NULL, 0, 0, 0, buffer_wait_s},
    {"windows_s", NULL, NULL, 0, 0, 0, windows_s},
    {"visits_per_vertex", "workload", " | ", 9, 3, 1, work},
    {"visits", NULL, NULL, 0, 0, 0, visits},
    {"edges", NULL, NULL, 0, 0, 0, edges},
    {"steps", "steps", " ", 10, 0, 1, steps},
    {"transfers", "transfers", " | ", 10, 0, 1, transfers},
    {"transfer_bytes", "MB", " ", 10, 2, 1e-6, transfer_bytes},
    {"wire_bytes", "MB wire", " ", 10, 2, 1e-6, wire_bytes},
    {"peak_over_mean", "peak/mean", " ", 9, 2, 1, peak_over_mean},
    {"busy", "busy %", " | ", 7, 1, 100, busy_part},
    {"waiting", "wait %", " ", 7, 1, 100, waiting_part},
    {"idle", NULL, NULL, 0, 0, 0, idle_part},
};
enum { NCOLUMNS = sizeof columns / sizeof columns[0] };

/* --- text ----------------------------------------------------------------- */

/* Returns whether the text has the column: some outcome has a value, and a
 * comparison has another outcome to compare with. */
static bool is_shown(const struct column *c, const struct run_results *r)
{
    if (!c->heading || (c->get == times_best && r->n == 1))
        return false;
    for (size_t i = 0; i < r->n; i++)
        if (!isnan(c->get(&r->list[i])))
            return true;
    return false;
}

static int ranking_width(const struct run_results *r)
{
    size_t width = 17;

    for (size_t i = 0; i < r->n; i++)
        if (strlen(r->list[i].name) > width)
            width = strlen(r->list[i].name);
    return (int)width;
}

void print_ranking(const struct run_results *r)
{
    int width = ranking_width(r);
    bool shown[NCOLUMNS];

    printf("%-*s", width,
           r->job->load.shape == SHAPE_COLLECTIVE ? "algorithm" : "strategy");
    for (size_t c = 0; c < NCOLUMNS; c++) {
        shown[c] = is_shown(&columns[c], r);
        if (shown[c])
            printf("%s%*s", columns[c].before, columns[c].width,
                   columns[c].heading);
    }
    printf("\n");
    for (size_t i = 0; i < r->n; i++) {
        printf("%-*s", width, r->list[i].name);
        for (size_t c = 0; c < NCOLUMNS; c++) {
            const struct column *k = &columns[c];
            double v = k->get(&r->list[i]);
            if (shown[c] && isnan(v))
                printf("%s%*s", k->before, k->width, "-");
            else if (shown[c])
                printf("%s%*.*f", k->before, k->width, k->decimals,
                       v * k->scale);
        }
        printf("\n");
    }
}

void print_tie(const struct run_results *r)
{
    size_t tied = outcomes_tied(r->list, r->n);

    if (tied < 2)
        return;
    printf("a tie of %zu: ", tied);
    for (size_t i = 0; i < tied; i++)
        printf("%s%s", i ? ", " : "", r->list[i].name);
    printf("\n");
}

/* --- CSV ------------------------------------------------------------------ */

static void print_ranking_number(double v)
{
    if (isnan(v))
        putchar(',');
    else
        printf(v == floor(v) ? ",%.15g" : ",%.9g", v);
}

void print_csv_origin_head(void)
{
    printf(",times_best,partition,seed,sluice");
}

void print_csv_origin(double times_best, const char *words,
                      const char *partition)
{
    uint64_t seed;

    print_ranking_number(times_best);
    putchar(',');
    csv_print_cell(stdout, partition ? partition : "");
    putchar(',');
    if (workload_seed(&seed, words))
        printf("%" PRIu64, seed);
    printf(",%s", SLUICE_VERSION);
}

void print_run_csv_head(const struct run_results *r)
{
    struct sized s;

    printf("platform,workload,nodes,gpus,strategy");
    for (size_t c = 0; c < NCOLUMNS; c++)
        if (columns[c].key)
            printf(",%s", columns[c].key);
    for (size_t ph = 0; ph < PHASE_WORK; ph++) {
        putchar(',');
        for (const char *c = phase_names[ph]; *c; c++)
            putchar(isalnum((unsigned char)*c) ? *c : '_');
        printf("_wall_s");
    }
    if (job_sized(&s, r->job))
        printf(",size_bytes,count,type,algbw_Bps,busbw_Bps");
    if (r->job->load.collective.place == COLLECTIVE_BOTH_PLACES)
        printf(",in_place_s,in_place_algbw_Bps,in_place_busbw_Bps");
    if (r->judged && r->judged->library)
        printf(",regret,library,library_takes");
    print_csv_origin_head();
    printf("\n");
}

static void print_ranking_sized(const struct sized *s, const struct outcome *o)
{
    char *type = sized_type(s->element_B);

    printf(",%llu,%llu,%s", (unsigned long long)s->bytes,
           (unsigned long long)s->count, type);
    print_ranking_number(sized_algbw(s, o->time_s));
    print_ranking_number(sized_busbw(s, o->time_s));
    free(type);
    if (isnan(o->in_place_s))
        return;
    print_ranking_number(o->in_place_s);
    print_ranking_number(sized_algbw(s, o->in_place_s));
    print_ranking_number(sized_busbw(s, o->in_place_s));
}

/* Prints the excess over the best, for every algorithm and for the library's
 * choice. */
static void print_ranking_judged(const struct judged *j,
                                 const struct outcome *o)
{
    print_ranking_number(j->best_s > 0 ? o->time_s / j->best_s - 1 : NAN);
    printf(",%s,%s", j->library, j->takes ? j->takes : "");
}

void print_run_csv_rows(const struct run_results *r)
{
    const struct load *l = &r->job->load;
    struct sized s;
    bool sized = job_sized(&s, r->job);

    for (size_t i = 0; i < r->n; i++) {
        const struct outcome *o = &r->list[i];
        csv_print_cell(stdout, r->job->machine->name);
        putchar(',');
        csv_print_cell(stdout, r->job->words);
        printf(",%u,", l->nodes);
        if (l->gpus)
            printf("%u", l->gpus);
        printf(",%s", o->name);
        for (size_t c = 0; c < NCOLUMNS; c++)
            if (columns[c].key)
                print_ranking_number(columns[c].get(o));
        for (size_t ph = 0; ph < PHASE_WORK; ph++)
            print_ranking_number(
                o->graph || o->in_steps ? NAN : o->report.phases[ph].wall_s);
        if (sized)
            print_ranking_sized(&s, o);
        if (r->judged && r->judged->library)
            print_ranking_judged(r->judged, o);
        print_csv_origin(o->times_best, r->job->words, l->partition);
        printf("\n");
    }
}
