/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the tables for the pictures of a sweep. */
#include "cli/figure_sweep.h"

#include "base/csv.h"
#include "base/number.h"
#include "cli/figure_draw.h"
#include "cli/gnuplot.h"
#include "cli/sweep_least.h"
#include "cli/sweep_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CANDIDATES = 6, MOST_CELLS = 24, MOST_THREADS = 400 };

struct sweep_picture {
    const struct stored *runs;
    double *best_s; /* the best time of each work */
    struct sweep_view x, y, candidates;
};

static double time_of(const struct stored_run *r)
{
    return stored_objective(r, OBJECTIVE_TIME);
}

static double times_best(const struct sweep_picture *p,
                         const struct stored_run *r)
{
    return stored_times(time_of(r), p->best_s[r->work]);
}

/* Prints the keys along an axis: ticks_x[i] is the text of its i-th value. */
static void name_ticks(FILE *vars, struct figure_texts *texts,
                       const struct sweep_view *v, const char *array)
{
    fprintf(vars, "array %s[%zu]\n", array, v->n);
    for (size_t i = 0; i < v->n; i++) {
        double x;
        char *text = number_real(v->values[i], &x) ? xasprintf("%.4g", x)
                                                   : xstrdup(v->values[i]);
        fprintf(vars, "%s[%zu] = texts[%u]\n", array, i + 1,
                figure_text(texts, text));
        free(text);
    }
}

/* --- lines ---------------------------------------------------------------- */

struct candidate_time {
    size_t candidate;
    double best;
};

static int by_best(const void *a, const void *b)
{
    const struct candidate_time *x = a, *y = b;

    return x->best < y->best ? -1 : x->best > y->best;
}

struct lines {
    const struct sweep_picture *p;
    bool times; /* relative to the best time of the work, not seconds */
};

static double line_value(const struct lines *l, const struct stored_run *r)
{
    return l->times ? times_best(l->p, r) : time_of(r);
}

/* Returns the candidates in order of their least values. The caller frees
 * it. */
static struct candidate_time *rank_candidates(const struct lines *l)
{
    const struct sweep_picture *p = l->p;
    struct candidate_time *list = xcalloc(p->candidates.n + 1, sizeof *list);

    for (size_t w = 0; w < p->candidates.n; w++)
        list[w] = (struct candidate_time){w, NAN};
    for (size_t i = 0; i < p->runs->nruns; i++) {
        const struct stored_run *r = &p->runs->runs[i];
        size_t w = sweep_view_of(&p->candidates, r);
        if (w < p->candidates.n)
            list[w].best = fmin(list[w].best, line_value(l, r));
    }
    qsort(list, p->candidates.n, sizeof *list, by_best);
    return list;
}

/* Finds the line of one candidate, or of all (SWEEP_CANDIDATES): for each value
 * of x the least over all other axes. Returns the maximum number of works at
 * one value. */
static size_t least_line(double *least, const struct lines *l, size_t candidate)
{
    const struct sweep_picture *p = l->p;
    struct placed_list list = placed_new(p->runs->nruns);

    for (size_t i = 0; i < p->runs->nruns; i++) {
        const struct stored_run *r = &p->runs->runs[i];
        size_t at = sweep_view_of(&p->x, r);
        bool of_candidate = candidate == SWEEP_CANDIDATES ||
                            sweep_view_of(&p->candidates, r) == candidate;
        if (of_candidate && at < p->x.n && !isnan(time_of(r)))
            list.items[list.n++] =
                (struct placed){at, r->work, line_value(l, r)};
    }
    return placed_least(least, p->x.n, &list);
}

static void print_candidate_line(FILE *csv, const struct lines *l,
                                 size_t series, size_t candidate)
{
    const struct sweep_picture *p = l->p;
    double *least = xcalloc(p->x.n + 1, sizeof *least);

    (void)least_line(least, l, candidate);
    for (size_t i = 0; i < p->x.n; i++) {
        if (isnan(least[i]))
            continue;
        fprintf(csv, "%zu,", series);
        csv_print_text(csv, p->candidates.values[candidate]);
        if (p->x.numbers)
            fprintf(csv, ",%s,%.9g\n", p->x.values[i], least[i]);
        else
            fprintf(csv, ",%zu,%.9g\n", i + 1, least[i]);
    }
    free(least);
}

static void print_line_names(FILE *vars, const struct lines *l, size_t works,
                             struct figure_texts *texts)
{
    const struct sweep_view *x = &l->p->x;

    fprintf(vars, "xname = texts[%u]\nnumbers = %d\nlogx = %d\nsampled = %d\n",
            figure_text(texts, sweep_view_name(x)), x->numbers, x->log,
            x->axis != SWEEP_CANDIDATES &&
                x->runs->space.axes[x->axis].kind == AXIS_BETWEEN);
    fprintf(vars, "works = %zu\nvalue = '%s'\n", works,
            l->times ? "times_best" : "time_s");
}

static int make_lines(FILE *csv, FILE *vars, const struct figure_input *in,
                      struct err *err)
{
    const struct sweep_picture *p = in->sweep;
    struct lines l = {p, false};
    double *ignored = xcalloc(p->x.n + 1, sizeof *ignored);
    size_t works = least_line(ignored, &l, SWEEP_CANDIDATES);
    size_t n =
        p->candidates.n < MOST_CANDIDATES ? p->candidates.n : MOST_CANDIDATES;

    (void)err; /* never fails */
    free(ignored);
    l.times = works > 1; /* because seconds of several works have no mean */
    struct candidate_time *candidates = rank_candidates(&l);
    print_line_names(vars, &l, works, in->texts);
    fprintf(vars, "nways = %zu\narray way[%zu]\n", n, n + 1);
    fprintf(csv, "series,way,x,%s\n", l.times ? "times_best" : "time_s");
    for (size_t i = 0; i < n; i++) {
        const char *name = p->candidates.values[candidates[i].candidate];
        fprintf(vars, "way[%zu] = texts[%u]\n", i + 1,
                figure_text(in->texts, name));
        print_candidate_line(csv, &l, i + 1, candidates[i].candidate);
    }
    if (!p->x.numbers)
        name_ticks(vars, in->texts, &p->x, "ticks");
    free(candidates);
    return 0;
}

/* --- heat map ------------------------------------------------------------- */

/* Returns the number of cells along an axis: one for each value or, if there
 * are many, equal parts of the range. */
static size_t cells_of(const struct sweep_view *v)
{
    return v->n <= MOST_CELLS || !v->numbers ? v->n : MOST_CELLS / 2;
}

static size_t cell_of(const struct sweep_view *v, const struct stored_run *r)
{
    size_t n = cells_of(v), at = sweep_view_of(v, r);

    if (n == v->n || at == v->n)
        return at < v->n ? at : n;
    size_t cell = (size_t)(sweep_view_share(v, r) * (double)n);
    return cell < n ? cell : n - 1;
}

/* Names the cells; a part is named by the value in its middle. */
static void name_cells(FILE *vars, struct figure_texts *texts,
                       const struct sweep_view *v, const char *array)
{
    size_t n = cells_of(v);

    if (n == v->n) {
        name_ticks(vars, texts, v, array);
        return;
    }
    double low = strtod(v->values[0], NULL);
    double high = strtod(v->values[v->n - 1], NULL);
    fprintf(vars, "array %s[%zu]\n", array, n);
    for (size_t i = 0; i < n; i++) {
        double u = ((double)i + 0.5) / (double)n;
        double x = v->log ? low * pow(high / low, u) : low + u * (high - low);
        fprintf(vars, "%s[%zu] = '%.3g'\n", array, i + 1, x);
    }
}

/* Finds the least time of each cell, in seconds and relative to the best of its
 * work. Returns the maximum number of works in a cell. */
static size_t heat_cells(double *times, double *least_s,
                         const struct sweep_picture *p, size_t nx, size_t ny)
{
    struct placed_list a = placed_new(p->runs->nruns),
                       b = placed_new(p->runs->nruns);

    for (size_t i = 0; i < p->runs->nruns; i++) {
        const struct stored_run *r = &p->runs->runs[i];
        size_t x = cell_of(&p->x, r), y = cell_of(&p->y, r);
        if (x >= nx || y >= ny || isnan(time_of(r)))
            continue;
        struct placed at = {y * nx + x, r->work, times_best(p, r)};
        a.items[a.n++] = at;
        at.value = time_of(r);
        b.items[b.n++] = at;
    }
    (void)placed_least(least_s, nx * ny, &b);
    return placed_least(times, nx * ny, &a);
}

static int make_heat(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err)
{
    const struct sweep_picture *p = in->sweep;
    size_t nx = cells_of(&p->x), ny = cells_of(&p->y);
    double *times = xcalloc(nx * ny + 1, sizeof *times);
    double *least_s = xcalloc(nx * ny + 1, sizeof *least_s);

    (void)err; /* never fails */
    size_t works = heat_cells(times, least_s, p, nx, ny);
    fprintf(vars, "nx = %zu\nny = %zu\nxname = texts[%u]\nyname = texts[%u]\n",
            nx, ny, figure_text(in->texts, sweep_view_name(&p->x)),
            figure_text(in->texts, sweep_view_name(&p->y)));
    name_cells(vars, in->texts, &p->x, "xticks");
    name_cells(vars, in->texts, &p->y, "yticks");
    fprintf(vars, "works = %zu\n", works);
    fprintf(csv, "x,y,time_s,times_best\n");
    for (size_t i = 0; i < nx * ny; i++)
        if (!isnan(times[i]))
            fprintf(csv, "%zu,%zu,%.9g,%.6g\n", i % nx + 1, i / nx + 1,
                    least_s[i], times[i]);
    free(least_s);
    free(times);
    return 0;
}

/* --- Pareto front --------------------------------------------------------- */

static const char *const objective_labels[NOBJECTIVES] = {
    "time (s)", "cost (dollars)", "energy (J)"};

static int make_pareto(FILE *csv, FILE *vars, const struct figure_input *in,
                       struct err *err)
{
    const struct sweep_picture *p = in->sweep;
    const enum objective *o = p->runs->space.objectives;
    size_t n, *front = stored_pareto(p->runs, &n);

    (void)err; /* never fails */
    fprintf(vars, "xname = '%s'\nyname = '%s'\nnfront = %zu\n",
            objective_labels[o[0]], objective_labels[o[1]], n);
    fprintf(csv, "front,point,x,y\n");
    for (size_t i = 0; i < p->runs->nruns; i++) {
        const struct stored_run *r = &p->runs->runs[i];
        if (!r->run.error)
            fprintf(csv, "0,%llu,%.9g,%.9g\n", (unsigned long long)r->point,
                    stored_objective(r, o[0]), stored_objective(r, o[1]));
    }
    fprintf(vars, "works = %zu\n", p->runs->nworks);
    for (size_t i = 0; i < n; i++) {
        const struct stored_run *r = &p->runs->runs[front[i]];
        if (i && r->work != p->runs->runs[front[i - 1]].work)
            fputs("\n", csv); /* starts another line */
        fprintf(csv, "1,%llu,%.9g,%.9g\n", (unsigned long long)r->point,
                stored_objective(r, o[0]), stored_objective(r, o[1]));
    }
    free(front);
    return 0;
}

/* --- parallel coordinates ------------------------------------------------- */

static void print_thread(FILE *csv, const struct sweep_view *views, size_t n,
                         const struct stored_run *r, double share)
{
    for (size_t a = 0; a < n; a++)
        fprintf(csv, "%llu,%zu,%.6g,%.6g\n", (unsigned long long)r->point,
                a + 1, sweep_view_share(&views[a], r), share);
    fprintf(csv, "%llu,%zu,%.6g,%.6g\n\n", (unsigned long long)r->point, n + 1,
            share, share);
}

/* Names the ticks of an axis: all values if they are few, otherwise the
 * ends. */
static void name_axis(FILE *vars, struct figure_texts *texts,
                      const struct sweep_view *v, size_t number, size_t *ticks)
{
    enum { FEW = 8 };
    double low = strtod(v->values[0], NULL);
    double high = strtod(v->values[v->n - 1], NULL);

    fprintf(vars, "name[%zu] = texts[%u]\n", number,
            figure_text(texts, sweep_view_name(v)));
    for (size_t i = 0; i < v->n; i++) {
        double x, u = (double)i / (double)(v->n - 1);
        if (v->n > FEW && i && i + 1 < v->n)
            continue;
        bool is_number = v->numbers && number_real(v->values[i], &x);
        if (is_number)
            u = v->log ? log(x / low) / log(high / low)
                       : (x - low) / (high - low);
        char *text = is_number ? xasprintf("%.4g", x) : xstrdup(v->values[i]);
        ++*ticks;
        fprintf(vars,
                "tick[%zu] = texts[%u]\nat_axis[%zu] = %zu\n"
                "at_value[%zu] = %.6g\n",
                *ticks, figure_text(texts, text), *ticks, number, *ticks, u);
        free(text);
    }
}

/* Returns the axes along which anything varies, and the candidates. The caller
 * clears and frees them. */
static struct sweep_view *parallel_views(const struct sweep_picture *p,
                                         size_t *n)
{
    size_t naxes = p->runs->space.naxes;
    struct sweep_view *views = xcalloc(naxes + 1, sizeof *views);

    *n = 0;
    for (size_t a = 0; a <= naxes; a++) {
        struct sweep_view *v = &views[*n];
        sweep_view_init(v, p->runs, a < naxes ? a : SWEEP_CANDIDATES);
        bool named =
            a < naxes && !strcmp(p->runs->space.axes[a].name, "strategy");
        if (v->n > 1 && !named)
            ++*n;
        else
            sweep_view_clear(v);
    }
    return views;
}

static int by_times(const void *a, const void *b, void *arg)
{
    size_t i = *(const size_t *)a, k = *(const size_t *)b;
    const struct sweep_picture *p = arg;
    double x = times_best(p, &p->runs->runs[i]);
    double y = times_best(p, &p->runs->runs[k]);

    if (x != y)
        return x < y ? -1 : 1;
    return i < k ? -1 : i > k;
}

/* Returns the runs with a result, sorted by their time relative to the best of
 * their work. The caller frees it. */
static size_t *rank_by_times(const struct sweep_picture *p, size_t *n)
{
    size_t *list = stored_ranked(p->runs, OBJECTIVE_TIME, n);

    qsort_r(list, *n, sizeof *list, by_times, (void *)p);
    return list;
}

/* Prints the slowest first, so that the best lie on top; of many runs the best
 * and an even sample of the others. */
static int make_parallel(FILE *csv, FILE *vars, const struct figure_input *in,
                         struct err *err)
{
    const struct sweep_picture *p = in->sweep;
    size_t n, all;
    struct sweep_view *views = parallel_views(p, &n);
    size_t *list = rank_by_times(p, &all);
    size_t every = all / MOST_THREADS + 1, drawn = 0;

    (void)err; /* never fails */
    size_t ticks = 0, room = 8 * n + 1;
    fprintf(vars, "naxes = %zu\narray name[%zu]\n", n, n + 1);
    fprintf(vars,
            "array tick[%zu]\narray at_axis[%zu]\n"
            "array at_value[%zu]\n",
            room, room, room);
    for (size_t a = 0; a < n; a++)
        name_axis(vars, in->texts, &views[a], a + 1, &ticks);
    fprintf(vars, "nticks = %zu\n", ticks);
    const struct stored_run *first = &p->runs->runs[list[0]];
    const struct stored_run *last = &p->runs->runs[list[all - 1]];
    double worst = times_best(p, last);
    fprintf(csv, "point,axis,value,time\n");
    for (size_t i = all; i-- > 0;) {
        const struct stored_run *r = &p->runs->runs[list[i]];
        if (i >= MOST_THREADS / 10 && i % every)
            continue;
        double share = worst > 1 ? log(times_best(p, r)) / log(worst) : 0;
        print_thread(csv, views, n, r, share);
        drawn++;
    }
    bool one = p->runs->nworks == 1;
    fprintf(vars, "best = %.9g\nworst = %.9g\ndrawn = %zu\nall = %zu\n",
            one ? time_of(first) : 1, one ? time_of(last) : worst, drawn, all);
    fprintf(vars, "works = %zu\n", p->runs->nworks);
    for (size_t a = 0; a < n; a++)
        sweep_view_clear(&views[a]);
    free(views);
    free(list);
    return 0;
}

/* --- all ------------------------------------------------------------------ */

static const struct figure sweep_figures[] = {
    {.name = "sweep-lines",
     .about = "the least time of each way along an axis",
     .make = make_lines},
    {.name = "sweep-heat",
     .about = "the least time along two axes",
     .make = make_heat},
    {.name = "sweep-pareto",
     .about = "two objectives, and what none beats",
     .make = make_pareto},
    {.name = "sweep-parallel",
     .about = "runs by their parallel coordinates",
     .make = make_parallel},
};

static int write_all(const struct sweep_picture *p,
                     const struct figure_sweep_request *r, struct err *err)
{
    const struct figure_input in = {.sweep = p};
    char *command = xasprintf("sluice figure sweep --runs %s%s%s%s%s", r->runs,
                              r->x ? " --x " : "", r->x ? r->x : "",
                              r->y ? " --y " : "", r->y ? r->y : "");
    int result = 0;

    for (size_t i = 0; i < 4 && result == 0; i++) {
        const struct figure *f = &sweep_figures[i];
        if (f->make == make_pareto && p->runs->space.nobjectives < 2)
            continue;
        result = figure_write(f, &in, r->out, command, err);
        char *name;
        for (int k = 0; result == 0 && (name = figure_file(f, k)); k++) {
            printf("%s/%s\n", r->out, name);
            free(name);
        }
    }
    free(command);
    return result;
}

static int draw(const struct stored *t, const struct figure_sweep_request *r,
                struct err *err)
{
    struct sweep_picture p = {.runs = t};
    size_t x, y, n;

    free(stored_ranked(t, OBJECTIVE_TIME, &n));
    if (!n)
        return fail(err, "%s: no run has a result", t->path);
    if (sweep_view_find(&x, t, r->x, SWEEP_CANDIDATES, err) < 0)
        return fail_in(err, "--x");
    if (sweep_view_find(&y, t, r->y, x, err) < 0)
        return fail_in(err, "--y");
    sweep_view_init(&p.x, t, x);
    sweep_view_init(&p.y, t, y);
    sweep_view_init(&p.candidates, t, SWEEP_CANDIDATES);
    p.best_s = stored_best(t, OBJECTIVE_TIME);
    int result = write_all(&p, r, err);
    sweep_view_clear(&p.x);
    sweep_view_clear(&p.y);
    sweep_view_clear(&p.candidates);
    free(p.best_s);
    return result;
}

int figure_sweep(const struct figure_sweep_request *r, struct err *err)
{
    struct stored t;

    if (!r->runs)
        return fail(err, "figure sweep: expected --runs RUNS.db");
    if (gnuplot_check(err) < 0 || stored_load(&t, r->runs, err) < 0)
        return -1;
    int result = draw(&t, r, err);
    stored_clear(&t);
    return result;
}
