/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the table for a picture of the user's own results. */
#include "cli/figure_plot.h"

#include "base/csv.h"
#include "base/number.h"
#include "base/outfile.h"
#include "cli/figure_draw.h"
#include "cli/gnuplot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An axis is logarithmic if its largest value exceeds its least by more than
 * this factor. */
static const double wide = 20;
enum { MOST_LINES = 24, MOST_TICKS = 500 };

struct plot_point {
    double x, y; /* x: for words their number, from 1 */
    size_t line, row;
};

struct plot_words {
    const char **of; /* borrowed from the table */
    size_t n;
};

struct plot {
    const struct figure_plot_request *request;
    struct csv table;
    struct plot_point *points;
    size_t n;
    struct plot_words lines, ticks; /* ticks: if x is of words */
    bool numbers;
};

/* --- columns -------------------------------------------------------------- */

static int plot_find(const struct csv *t, const char *option, const char *name,
                     struct err *err)
{
    if (csv_column(t, name) >= 0)
        return 0;
    const char *near =
        nearest_word(name, (const char *const *)t->names, t->ncols);
    return fail(err, "--%s: %s has no column %s%s%s%s", option, t->path, name,
                near ? " (did you mean " : "", near ? near : "",
                near ? "?)" : "");
}

static size_t plot_word(struct plot_words *w, const char *text)
{
    for (size_t i = 0; i < w->n; i++)
        if (!strcmp(w->of[i], text))
            return i;
    w->of = xrealloc(w->of, w->n + 1, sizeof *w->of);
    w->of[w->n] = text;
    return w->n++;
}

static bool plot_is_numbers(const struct csv *t, const char *column)
{
    double x;

    for (size_t i = 0; i < t->nrows; i++) {
        const char *text = csv_text(t, i, column);
        if (*text && !number_real(text, &x))
            return false;
    }
    return true;
}

/* --- points --------------------------------------------------------------- */

static int plot_by_line_and_x(const void *a, const void *b)
{
    const struct plot_point *p = a, *q = b;

    if (p->line != q->line)
        return p->line < q->line ? -1 : 1;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->row < q->row ? -1 : p->row > q->row;
}

/* Fails if there are too many words for a readable picture. */
static int plot_check_words(const struct plot *p, struct err *err)
{
    if (p->lines.n > MOST_LINES)
        return fail(err,
                    "--by %s: it has more than %d values: more lines than can "
                    "be told apart",
                    p->request->by, MOST_LINES);
    if (p->ticks.n > MOST_TICKS)
        return fail(err,
                    "--x %s: it has more than %d words: more than fit below an "
                    "axis",
                    p->request->x, MOST_TICKS);
    return 0;
}

static int plot_read_row(struct plot *p, size_t row, struct err *err)
{
    const struct figure_plot_request *r = p->request;
    const char *x = csv_text(&p->table, row, r->x);
    const char *y = csv_text(&p->table, row, r->y);
    struct plot_point *at = &p->points[p->n];

    if (!*x || !*y)
        return 0;
    if (!number_real(y, &at->y))
        return fail(err, "%s:%u: %s: expected a number, got '%s'",
                    p->table.path, p->table.lines[row], r->y, y);
    if (!p->numbers)
        at->x = (double)plot_word(&p->ticks, x) + 1;
    else if (!number_real(x, &at->x))
        return fail(err, "%s:%u: %s: expected a number, got '%s'",
                    p->table.path, p->table.lines[row], r->x, x);
    at->line =
        plot_word(&p->lines, r->by ? csv_text(&p->table, row, r->by) : r->y);
    at->row = row;
    p->n++;
    return plot_check_words(p, err);
}

static int plot_read(struct plot *p, struct err *err)
{
    const struct figure_plot_request *r = p->request;

    if (plot_find(&p->table, "x", r->x, err) < 0 ||
        plot_find(&p->table, "y", r->y, err) < 0 ||
        (r->by && plot_find(&p->table, "by", r->by, err) < 0))
        return -1;
    p->numbers = plot_is_numbers(&p->table, r->x);
    p->points = xcalloc(p->table.nrows + 1, sizeof *p->points);
    for (size_t i = 0; i < p->table.nrows; i++)
        if (plot_read_row(p, i, err) < 0)
            return -1;
    if (!p->n)
        return fail(err, "%s: no row has both %s and %s", p->table.path, r->x,
                    r->y);
    qsort(p->points, p->n, sizeof *p->points, plot_by_line_and_x);
    return 0;
}

/* --- axes ----------------------------------------------------------------- */

struct plot_range {
    double least, most;
};

static struct plot_range plot_range(const struct plot *p, bool of_y)
{
    struct plot_range r = {INFINITY, -INFINITY};

    for (size_t i = 0; i < p->n; i++) {
        double v = of_y ? p->points[i].y : p->points[i].x;
        r.least = fmin(r.least, v);
        r.most = fmax(r.most, v);
    }
    return r;
}

/* Returns 1 if the axis is logarithmic. */
static int plot_is_log(const struct plot *p, bool of_y, struct err *err)
{
    static const char axes[] = {'x', 'y'};
    const char *log = p->request->log;
    struct plot_range r = plot_range(p, of_y);

    if (!of_y && !p->numbers)
        return 0;
    if (!log)
        return r.least > 0 && r.most > wide * r.least;
    if (!strchr(log, axes[of_y]))
        return 0;
    if (r.least <= 0)
        return fail(err, "--log %s: %s has values that are not above 0", log,
                    of_y ? p->request->y : p->request->x);
    return 1;
}

static int plot_make(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err)
{
    const struct plot *p = in->plot;
    int logx = plot_is_log(p, false, err), logy = plot_is_log(p, true, err);

    if (logx < 0 || logy < 0)
        return -1;
    fprintf(vars,
            "xname = texts[%u]\nyname = texts[%u]\nnumbers = %d\n"
            "logx = %d\nlogy = %d\nnlines = %zu\narray line[%zu]\n",
            figure_text(in->texts, p->request->x),
            figure_text(in->texts, p->request->y), p->numbers, logx, logy,
            p->lines.n, p->lines.n + 1);
    for (size_t i = 0; i < p->lines.n; i++)
        fprintf(vars, "line[%zu] = texts[%u]\n", i + 1,
                figure_text(in->texts, p->lines.of[i]));
    if (!p->numbers)
        fprintf(vars, "array ticks[%zu]\n", p->ticks.n);
    for (size_t i = 0; i < p->ticks.n; i++)
        fprintf(vars, "ticks[%zu] = texts[%u]\n", i + 1,
                figure_text(in->texts, p->ticks.of[i]));
    fprintf(csv, "line,name,x,y\n");
    for (size_t i = 0; i < p->n; i++) {
        const struct plot_point *at = &p->points[i];
        fprintf(csv, "%zu,", at->line + 1);
        csv_print_text(csv, p->lines.of[at->line]);
        fprintf(csv, ",%.17g,%.17g\n", at->x, at->y);
    }
    return 0;
}

/* --- all ------------------------------------------------------------------ */

static const struct figure plot_figure = {
    .name = "plot", .about = "two columns of a table", .make = plot_make};

static int plot_write(const struct plot *p, struct err *err)
{
    const struct figure_plot_request *r = p->request;
    const struct figure_input in = {.plot = p};
    char *by = xasprintf("%s%s%s%s", r->by ? " --by " : "", r->by ? r->by : "",
                         r->log ? " --log " : "", r->log ? r->log : "");
    char *command = xasprintf("sluice figure plot --results %s --x %s --y %s%s",
                              r->results, r->x, r->y, by);
    int result = figure_write(&plot_figure, &in, r->out, command, err);
    char *name;

    for (int i = 0; result == 0 && (name = figure_file(&plot_figure, i)); i++) {
        printf("%s/%s\n", r->out, name);
        free(name);
    }
    free(command);
    free(by);
    return result;
}

/* Fails if the picture's own table would replace the results. */
static int plot_check_out(const struct figure_plot_request *r, struct err *err)
{
    int result = 0;
    char *name;

    for (int i = 0; result == 0 && (name = figure_file(&plot_figure, i)); i++) {
        char *path = xasprintf("%s/%s", r->out, name);
        result = outfile_check_other(path, r->results, err);
        free(path);
        free(name);
    }
    return result;
}

int figure_plot(const struct figure_plot_request *r, struct err *err)
{
    struct plot p = {.request = r};

    if (!r->results || !r->x || !r->y)
        return fail(err, "figure plot: expected --results FILE.csv, --x and "
                         "--y");
    if (r->log && strcmp(r->log, "none") != 0 && strcmp(r->log, "x") != 0 &&
        strcmp(r->log, "y") != 0 && strcmp(r->log, "xy") != 0)
        return fail(err, "--log: expected x, y, xy or none, got '%s'", r->log);
    if (plot_check_out(r, err) < 0)
        return fail_in(err, "--out");
    if (gnuplot_check(err) < 0 || csv_load(&p.table, r->results, err) < 0)
        return -1;
    int result = plot_read(&p, err);
    if (result == 0 &&
        (plot_is_log(&p, false, err) < 0 || plot_is_log(&p, true, err) < 0))
        result = -1;
    if (result == 0)
        result = plot_write(&p, err);
    free(p.lines.of);
    free(p.ticks.of);
    free(p.points);
    csv_clear(&p.table);
    return result;
}
