/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the best runs of a sweep, or its Pareto front, as a table or CSV. */
#include "cli/print_points.h"

#include "base/csv.h"
#include "base/number.h"
#include "workloads/load/seed.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- CSV ------------------------------------------------------------------ */

static void csv_number_cell(FILE *to, double x)
{
    if (isnan(x))
        fputs(",", to);
    else
        fprintf(to, ",%.9g", x);
}

static void csv_text_cell(FILE *to, const char *text)
{
    putc(',', to);
    if (text)
        csv_print_cell(to, text);
}

static void csv_count_cell(FILE *to, unsigned n)
{
    if (n)
        fprintf(to, ",%u", n);
    else
        putc(',', to);
}

/* Returns whether a field is a column before the runtime, as those are that
 * `run --csv` has too, or behind it. */
static bool is_csv_column(enum run_field f, bool before)
{
    return before == ((run_fields[f].outputs & IN_RUN_CSV) != 0);
}

static void csv_keys(FILE *to, bool before)
{
    FOR_FIELDS (f, IN_DATABASE)
        if (is_csv_column(f, before))
            fprintf(to, ",%s", run_fields[f].key);
}

static void csv_values(FILE *to, const struct point_run *p, bool before)
{
    FOR_FIELDS (f, IN_DATABASE)
        if (is_csv_column(f, before))
            csv_number_cell(to, p->values[f]);
}

static void csv_row(FILE *to, const struct stored *t,
                    const struct stored_run *r, const double *best)
{
    const struct point_run *p = &r->run;
    uint64_t seed;

    fprintf(to, "%llu", (unsigned long long)r->point);
    for (size_t a = 0; a < t->space.naxes; a++)
        csv_text_cell(to, r->values[a]);
    csv_text_cell(to, p->platform);
    csv_text_cell(to, p->workload);
    csv_count_cell(to, p->nodes);
    csv_count_cell(to, p->gpus);
    csv_text_cell(to, p->candidate);
    csv_values(to, p, true);
    csv_text_cell(to, p->runtime);
    csv_values(to, p, false);
    csv_text_cell(to, p->error);
    csv_number_cell(to, stored_times(p->values[FIELD_time_s], best[r->work]));
    csv_text_cell(to, p->partition);
    if (p->workload && workload_seed(&seed, p->workload))
        fprintf(to, ",%" PRIu64, seed);
    else
        putc(',', to);
    csv_text_cell(to, r->version);
    putc('\n', to);
}

void print_points_csv(FILE *to, const struct stored *t, const size_t *list,
                      size_t n)
{
    double *best = stored_best(t, OBJECTIVE_TIME);

    fputs("point", to);
    for (size_t a = 0; a < t->space.naxes; a++) {
        char *name = xasprintf("axis_%s", t->space.axes[a].name);
        csv_text_cell(to, name);
        free(name);
    }
    fputs(",platform,workload,nodes,gpus,strategy", to);
    csv_keys(to, true);
    fputs(",runtime", to);
    csv_keys(to, false);
    fputs(",error,times_best,partition,seed,sluice\n", to);
    for (size_t i = 0; i < (list ? n : t->nruns); i++)
        csv_row(to, t, &t->runs[list ? list[i] : i], best);
    free(best);
}

/* --- table ---------------------------------------------------------------- */

/* Returns the last parts of a long name, because they say more than its
 * beginning. */
static const char *short_name(const char *name)
{
    enum { MOST = 28 };
    size_t n = strlen(name);
    const char *dot = n > MOST ? strchr(name + n - MOST, '.') : NULL;

    return dot ? dot + 1 : name;
}

/* Shortens a number to four digits. The caller frees it. */
static char *short_value(const char *text)
{
    double x;

    return number_real(text, &x) && strlen(text) > 8 ? xasprintf("%.4g", x)
                                                     : xstrdup(text);
}

/* Formats a number by its first four digits if fixed decimals would be rows of
 * digits, or only zeros. */
static char *short_number(double x, int decimals)
{
    bool plain = fabs(x) < 1e9 && (x == 0 || fabs(x) >= pow(10, -decimals));

    return plain ? xasprintf("%.*f", decimals, x) : xasprintf("%.4g", x);
}

struct text_table {
    char **cells; /* row by row, the headings first */
    size_t ncols, nrows;
    bool candidates;     /* has a column of candidates */
    size_t naxes, *axes; /* axes along which anything varies */
};

static void put_cell(struct text_table *t, size_t row, size_t col, char *text)
{
    t->cells[row * t->ncols + col] = text;
}

/* Returns whether some axis already has each run's candidate as its value. */
static bool axis_says_candidate(const struct stored *t, const size_t *list,
                                size_t n)
{
    for (size_t a = 0; a < t->space.naxes; a++) {
        bool same = true;
        for (size_t i = 0; i < n && same; i++) {
            const struct stored_run *r = &t->runs[list[i]];
            same = r->run.candidate && !strcmp(r->values[a], r->run.candidate);
        }
        if (same && !t->space.axes[a].set)
            return true;
    }
    return false;
}

static void put_row(struct text_table *table, size_t row,
                    const struct stored *t, const struct stored_run *r,
                    double *const *best)
{
    size_t col = 1 + table->naxes;

    put_cell(table, row, 0, xasprintf("%llu", (unsigned long long)r->point));
    for (size_t a = 0; a < table->naxes; a++)
        put_cell(table, row, 1 + a, short_value(r->values[table->axes[a]]));
    if (table->candidates)
        put_cell(table, row, col++,
                 xstrdup(r->run.candidate ? r->run.candidate : "-"));
    for (size_t i = 0; i < t->space.nobjectives; i++) {
        enum objective o = t->space.objectives[i];
        double x = stored_objective(r, o);
        const struct field_text *form = &run_fields[objective_fields[o]].text;
        put_cell(table, row, col++,
                 short_number(x * form->scale, form->decimals));
        put_cell(table, row, col++,
                 short_number(stored_times(x, best[i][r->work]), 3));
    }
}

static void put_headings(struct text_table *table, const struct stored *t)
{
    size_t col = 1 + table->naxes;

    put_cell(table, 0, 0, xstrdup("point"));
    for (size_t a = 0; a < table->naxes; a++)
        put_cell(table, 0, 1 + a,
                 xstrdup(short_name(t->space.axes[table->axes[a]].name)));
    if (table->candidates)
        put_cell(table, 0, col++, xstrdup("way"));
    for (size_t i = 0; i < t->space.nobjectives; i++) {
        put_cell(table, 0, col++,
                 xstrdup(run_fields[objective_fields[t->space.objectives[i]]]
                             .text.heading));
        put_cell(table, 0, col++, xstrdup("times best"));
    }
}

/* Aligns texts to the left, numbers to the right. */
static void print_table(const struct text_table *t)
{
    int *width = xcalloc(t->ncols, sizeof *width);
    bool *text = xcalloc(t->ncols, sizeof *text);

    for (size_t i = 0; i < t->nrows * t->ncols; i++) {
        double ignored;
        int n = (int)strlen(t->cells[i]);
        width[i % t->ncols] = n > width[i % t->ncols] ? n : width[i % t->ncols];
        if (i >= t->ncols && !number_real(t->cells[i], &ignored))
            text[i % t->ncols] = true;
    }
    for (size_t i = 0; i < t->nrows * t->ncols; i++) {
        size_t col = i % t->ncols;
        bool last = col + 1 == t->ncols;
        printf("%s%*s%s", col ? "  " : "", text[col] ? -width[col] : width[col],
               t->cells[i], last ? "\n" : "");
    }
    free(width);
    free(text);
}

static void print_list(const struct stored *t, const size_t *list, size_t n)
{
    struct text_table table = {.nrows = n + 1,
                               .candidates = !axis_says_candidate(t, list, n)};
    double *best[NOBJECTIVES];

    table.axes = xcalloc(t->space.naxes + 1, sizeof *table.axes);
    for (size_t a = 0; a < t->space.naxes; a++)
        if (t->space.axes[a].kind == AXIS_BETWEEN || t->space.axes[a].n > 1)
            table.axes[table.naxes++] = a;
    table.ncols = 1 + table.naxes + table.candidates + 2 * t->space.nobjectives;
    table.cells = xcalloc(table.ncols * table.nrows, sizeof *table.cells);
    for (size_t i = 0; i < t->space.nobjectives; i++)
        best[i] = stored_best(t, t->space.objectives[i]);
    put_headings(&table, t);
    for (size_t i = 0; i < n; i++)
        put_row(&table, i + 1, t, &t->runs[list[i]], best);
    print_table(&table);
    for (size_t i = 0; i < table.ncols * table.nrows; i++)
        free(table.cells[i]);
    for (size_t i = 0; i < t->space.nobjectives; i++)
        free(best[i]);
    free(table.cells);
    free(table.axes);
}

/* Prints text such as ", for each workload and value_bytes". */
static void print_work_axes(const struct stored *t)
{
    const char *before = ", for each ";

    for (size_t a = 0; t->nworks > 1 && a < t->space.naxes; a++) {
        if (!stored_axis_is_work(t, a))
            continue;
        printf("%s%s", before, t->space.axes[a].name);
        before = " and ";
    }
}

static void print_heading(const struct stored *t, size_t succeeded,
                          const struct points_form *form, size_t shown)
{
    printf("%s: %zu of %zu points, %zu runs", t->path, t->npoints,
           t->space.npoints, t->nruns);
    if (succeeded < t->nruns)
        printf(", %zu of them without result", t->nruns - succeeded);
    if (form->pareto)
        printf("; the %zu that none beats in all objectives", shown);
    else
        printf("; the best by %s", objective_names[t->space.objectives[0]]);
    print_work_axes(t);
    printf("\n\n");
}

static const char *first_error(const struct stored *t)
{
    for (size_t i = 0; i < t->nruns; i++)
        if (t->runs[i].run.error)
            return t->runs[i].run.error;
    return "none is done yet";
}

/* Keeps the first `most` runs of each work; returns how many it kept. */
static size_t keep_of_each(const struct stored *t, size_t *list, size_t n,
                           size_t most)
{
    size_t kept = 0, of_work = 0;

    for (size_t i = 0; i < n; i++) {
        bool same = i && t->runs[list[i]].work == t->runs[list[i - 1]].work;
        of_work = same ? of_work + 1 : 1;
        if (of_work <= most)
            list[kept++] = list[i];
    }
    return kept;
}

/* Keeps as many rows as fit a screen, if the user gives no number. */
static size_t keep_few(const struct stored *t, size_t *list, size_t n)
{
    enum { FEW = 10 };
    size_t of_each = FEW / t->nworks;

    n = keep_of_each(t, list, n, of_each ? of_each : 1);
    return n < FEW ? n : FEW;
}

/* Returns the runs to print; NULL for all, in their order. The caller frees
 * it. */
static size_t *choose_runs(const struct stored *t,
                           const struct points_form *form, size_t *n)
{
    bool table = !form->csv && !form->json;
    size_t *list;

    if (!table && !form->pareto && !form->best)
        return NULL;
    list = form->pareto ? stored_pareto(t, n)
                        : stored_ranked(t, t->space.objectives[0], n);
    if (form->best)
        *n = keep_of_each(t, list, *n, form->best);
    else if (!form->pareto)
        *n = keep_few(t, list, *n);
    return list;
}

static size_t count_succeeded(const struct stored *t)
{
    size_t n = 0;

    for (size_t i = 0; i < t->nruns; i++)
        n += t->runs[i].run.error == NULL;
    return n;
}

int print_points(const struct stored *t, const struct points_form *form,
                 struct err *err)
{
    size_t n = 0, *list = choose_runs(t, form, &n);
    int result = 0;

    if (form->json) {
        print_points_json(t, list, n);
    } else if (form->csv) {
        print_points_csv(stdout, t, list, n);
    } else if (!n) {
        result =
            fail(err, "%s: no run has a result: %s", t->path, first_error(t));
    } else {
        print_heading(t, count_succeeded(t), form, n);
        print_list(t, list, n);
    }
    free(list);
    return result;
}
