/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the printed times of Dang et al. 2018 and the simulated cells, and
 * scores one against the other. */
#include "results/papers/runtime_study.h"

#include "base/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const study_runtimes[NSTUDY_RUNTIMES] = {"lci", "mpi-probe",
                                                     "mpi-rma"};

const struct runtime_row runtime_rows[] = {
    {"bfs", "rmat28", "stampede2"},      {"cc", "rmat28", "stampede2"},
    {"pagerank", "rmat28", "stampede2"}, {"sssp", "rmat28", "stampede2"},
    {"bfs", "rmat28", "stampede1"},      {"cc", "rmat28", "stampede1"},
    {"pagerank", "rmat28", "stampede1"}, {"sssp", "rmat28", "stampede1"},
    {"bfs", "kron30", "stampede2"},      {"cc", "kron30", "stampede2"},
    {"pagerank", "kron30", "stampede2"}, {"sssp", "kron30", "stampede2"}};
const size_t nruntime_rows = sizeof runtime_rows / sizeof runtime_rows[0];

enum { PAPER_ROUNDS = 100 };

/* --- files ---------------------------------------------------------------- */

struct text_field {
    const char *name;
    char *to;
    size_t room;
};

static int read_text_fields(const struct csv *t, size_t row,
                            const struct text_field *f, size_t n,
                            struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        const char *text = csv_text(t, row, f[i].name);
        if (!text || strlen(text) >= f[i].room)
            return fail(err, "%s:%u: no such %s", t->path, t->lines[row],
                        f[i].name);
        snprintf(f[i].to, f[i].room, "%s", text);
    }
    return 0;
}

static int read_study_runtime(enum study_runtime *r, const struct csv *t,
                              size_t row, struct err *err)
{
    const char *text = csv_text(t, row, "runtime");

    for (int i = 0; text && i < NSTUDY_RUNTIMES; i++)
        if (!strcmp(text, study_runtimes[i])) {
            *r = (enum study_runtime)i;
            return 0;
        }
    return fail(err, "%s:%u: no such runtime", t->path, t->lines[row]);
}

static int read_or(const struct csv *t, size_t row, const char *name,
                   double other, double *out, struct err *err)
{
    const char *text = csv_text(t, row, name);

    *out = other;
    return text && *text ? csv_number(t, row, name, out, err) : 0;
}

/* Converts all numbers that grow with the rounds. */
static void in_paper_rounds(struct runtime_cell *c)
{
    double times = (double)PAPER_ROUNDS / c->rounds;

    c->time_s *= times;
    c->compute_s *= times;
    c->bytes *= times;
    c->messages *= times;
    c->rounds = PAPER_ROUNDS;
}

static int read_cell(struct runtime_cell *c, const struct csv *t, size_t row,
                     struct err *err)
{
    const struct text_field texts[] = {
        {"set", c->set, sizeof c->set},
        {"application", c->application, sizeof c->application},
        {"graph", c->graph, sizeof c->graph},
        {"cut", c->cut, sizeof c->cut},
        {"platform", c->platform, sizeof c->platform},
        {"change", c->change, sizeof c->change}};
    double threads, hosts, rounds;
    const struct {
        const char *name;
        double *to;
    } numbers[] = {{"threads", &threads},
                   {"hosts", &hosts},
                   {"rounds", &rounds},
                   {"vertices", &c->vertices},
                   {"messages", &c->messages},
                   {"scaled_time_s", &c->time_s},
                   {"scaled_compute_s", &c->compute_s},
                   {"scaled_bytes", &c->bytes},
                   {"scaled_windows_s", &c->windows_s},
                   {"scaled_buffers_least_B", &c->least_B},
                   {"scaled_buffers_most_B", &c->most_B},
                   {"scaled_reserved_B", &c->reserved_B}};

    if (read_text_fields(t, row, texts, sizeof texts / sizeof texts[0], err) <
            0 ||
        read_study_runtime(&c->runtime, t, row, err) < 0)
        return -1;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (read_or(t, row, numbers[i].name, 0, numbers[i].to, err) < 0)
            return -1;
    if (!(rounds >= 1 && hosts >= 1 && c->time_s > 0))
        return fail(err, "%s:%u: expected rounds, hosts and a time", t->path,
                    t->lines[row]);
    c->threads = (uint32_t)threads;
    c->hosts = (uint32_t)hosts;
    c->rounds = (uint32_t)rounds;
    if (!strcmp(c->application, "pagerank"))
        in_paper_rounds(c);
    return 0;
}

static int read_printed(struct printed_time *p, const struct csv *t, size_t row,
                        struct err *err)
{
    const struct text_field texts[] = {
        {"application", p->application, sizeof p->application},
        {"graph", p->graph, sizeof p->graph},
        {"platform", p->platform, sizeof p->platform},
        {"mpi", p->mpi, sizeof p->mpi}};

    if (read_text_fields(t, row, texts, sizeof texts / sizeof texts[0], err) <
            0 ||
        read_study_runtime(&p->runtime, t, row, err) < 0 ||
        csv_number(t, row, "time_s", &p->time_s, err) < 0)
        return -1;
    return read_or(t, row, "windows_s", NAN, &p->windows_s, err);
}

static int read_cells(struct runtime_study *s, const char *path,
                      struct err *err)
{
    struct csv t;
    int result = path ? csv_load(&t, path, err)
                      : csv_load_data(&t, "results/lci/cells.csv", err);

    if (result < 0)
        return -1;
    s->cells = xcalloc(t.nrows + 1, sizeof *s->cells);
    for (size_t row = 0; row < t.nrows && result == 0; row++)
        result = read_cell(&s->cells[s->ncells++], &t, row, err);
    csv_clear(&t);
    return result;
}

static int read_all_printed(struct runtime_study *s, struct err *err)
{
    struct csv t;

    int result = csv_load_data(&t, "results/lci/paper/times.csv", err);

    if (result < 0)
        return -1;
    s->printed = xcalloc(t.nrows + 1, sizeof *s->printed);
    for (size_t row = 0; row < t.nrows && result == 0; row++)
        result = read_printed(&s->printed[s->nprinted++], &t, row, err);
    csv_clear(&t);
    return result;
}

int runtime_study_open(struct runtime_study *s, const char *path,
                       struct err *err)
{
    *s = (struct runtime_study){0};
    if (read_cells(s, path, err) == 0 && read_all_printed(s, err) == 0)
        return 0;
    runtime_study_close(s);
    return -1;
}

void runtime_study_close(struct runtime_study *s)
{
    free(s->cells);
    free(s->printed);
    *s = (struct runtime_study){0};
}

/* --- JSON ----------------------------------------------------------------- */

static struct json *row_json(const char *application, const char *graph,
                             const char *platform, enum study_runtime runtime)
{
    struct json *o = json_new_object();

    json_add_string(o, "application", application);
    json_add_string(o, "graph", graph);
    json_add_string(o, "platform", platform);
    json_add_string(o, "runtime", study_runtimes[runtime]);
    return o;
}

static struct json *cell_json(const struct runtime_cell *c)
{
    struct json *o =
        row_json(c->application, c->graph, c->platform, c->runtime);

    json_add_string(o, "set", c->set);
    json_add_string(o, "change", c->change);
    json_add_number(o, "hosts", c->hosts);
    json_add_number(o, "rounds", c->rounds);
    json_add_number(o, "time_s", c->time_s);
    json_add_number(o, "compute_s", c->compute_s);
    json_add_number(o, "bytes", c->bytes);
    json_add_number(o, "windows_s", c->windows_s);
    json_add_number(o, "least_B", c->least_B);
    json_add_number(o, "most_B", c->most_B);
    json_add_number(o, "reserved_B", c->reserved_B);
    return o;
}

struct json *runtime_study_json(const struct runtime_study *s)
{
    struct json *o = json_new_object();
    struct json *cells = json_new_array(), *printed = json_new_array();

    for (size_t i = 0; i < s->ncells; i++)
        json_append(cells, cell_json(&s->cells[i]));
    for (size_t i = 0; i < s->nprinted; i++) {
        const struct printed_time *p = &s->printed[i];
        struct json *row =
            row_json(p->application, p->graph, p->platform, p->runtime);
        json_add_string(row, "mpi", p->mpi);
        json_add_number(row, "time_s", p->time_s);
        json_append(printed, row);
    }
    json_add(o, "cells", cells);
    json_add(o, "printed", printed);
    return o;
}

/* --- rows ----------------------------------------------------------------- */

static bool of_row(const char *application, const char *graph,
                   const char *platform, struct runtime_row row)
{
    return !strcmp(application, row.application) && !strcmp(graph, row.graph) &&
           !strcmp(platform, row.platform);
}

double runtime_printed_s(const struct runtime_study *s, struct runtime_row row,
                         enum study_runtime r, const char *mpi)
{
    for (size_t i = 0; i < s->nprinted; i++) {
        const struct printed_time *p = &s->printed[i];
        if (p->runtime == r &&
            of_row(p->application, p->graph, p->platform, row) &&
            (r == BY_LCI || !strcmp(p->mpi, mpi)))
            return p->time_s;
    }
    return NAN;
}

const struct runtime_cell *runtime_cell_of(const struct runtime_study *s,
                                           struct runtime_row row,
                                           enum study_runtime r)
{
    for (size_t i = 0; i < s->ncells; i++) {
        const struct runtime_cell *c = &s->cells[i];
        if (c->runtime == r && !strcmp(c->set, "tables") &&
            of_row(c->application, c->graph, c->platform, row))
            return c;
    }
    return NULL;
}

const struct runtime_cell *
runtime_cell_find(const struct runtime_study *s, const char *set,
                  struct runtime_row row, uint32_t hosts, enum study_runtime r)
{
    for (size_t i = 0; i < s->ncells; i++) {
        const struct runtime_cell *c = &s->cells[i];
        if (c->runtime == r && c->hosts == hosts && !*c->change &&
            !strcmp(c->set, set) &&
            of_row(c->application, c->graph, c->platform, row))
            return c;
    }
    return NULL;
}

bool runtime_is_fitted(struct runtime_row row, enum study_runtime r)
{
    return r == BY_PROBE && strcmp(row.application, "bfs") != 0 &&
           !strcmp(row.graph, "rmat28") && !strcmp(row.platform, "stampede2");
}

/* --- scores --------------------------------------------------------------- */

int runtime_order(double a_s, double b_s)
{
    const double tie = 1 + RUNTIME_TIE_PERCENT / 100.0;

    return a_s > b_s * tie ? 1 : b_s > a_s * tie ? -1 : 0;
}

static void score_row(struct runtime_score *score,
                      const struct runtime_study *s, struct runtime_row row,
                      bool with_fitted)
{
    double printed[NSTUDY_RUNTIMES], time_s[NSTUDY_RUNTIMES];

    for (int r = 0; r < NSTUDY_RUNTIMES; r++) {
        enum study_runtime by = (enum study_runtime)r;
        const struct runtime_cell *c = runtime_cell_of(s, row, by);
        printed[r] = runtime_printed_s(s, row, by, "default");
        time_s[r] = c ? c->time_s : NAN;
    }
    for (int a = 0; a < NSTUDY_RUNTIMES; a++)
        for (int b = a + 1; b < NSTUDY_RUNTIMES; b++) {
            bool fitted =
                a == BY_LCI && runtime_is_fitted(row, (enum study_runtime)b);
            if (isnan(time_s[a] + time_s[b] + printed[a] + printed[b]) ||
                (fitted && !with_fitted))
                continue;
            score->pairs++;
            score->ordered += runtime_order(time_s[a], time_s[b]) ==
                              runtime_order(printed[a], printed[b]);
            if (a != BY_LCI)
                continue;
            double x = time_s[b] / time_s[a] * printed[a] / printed[b];
            score->ratios++;
            score->near += x < 1.3 && x > 1 / 1.3;
        }
}

struct runtime_score runtime_scores(const struct runtime_study *s,
                                    const char *graph, const char *platform,
                                    bool with_fitted)
{
    struct runtime_score score = {0};

    for (size_t i = 0; i < nruntime_rows; i++) {
        struct runtime_row row = runtime_rows[i];
        if ((!graph || !strcmp(graph, row.graph)) &&
            (!platform || !strcmp(platform, row.platform)))
            score_row(&score, s, row, with_fitted);
    }
    score.order_p = score.pairs ? 100.0 * score.ordered / score.pairs : NAN;
    score.ratio_p = score.ratios ? 100.0 * score.near / score.ratios : NAN;
    return score;
}
