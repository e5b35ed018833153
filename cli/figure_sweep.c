/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the tables of the pictures of a sweep. */
#include "cli/figure_sweep.h"

#include "base/csv.h"
#include "base/number.h"
#include "cli/figure_draw.h"
#include "cli/gnuplot.h"
#include "cli/sweep_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WAYS = 6, MOST_CELLS = 24, MOST_THREADS = 400 };

struct sweep_picture {
    const struct stored *runs;
    struct sweep_view x, y, ways;
};

static double time_of(const struct stored_run *r)
{
    return stored_objective(r, OBJECTIVE_TIME);
}

static double best_time(const struct stored *t)
{
    double best = INFINITY;

    for (size_t i = 0; i < t->nruns; i++)
        best = time_of(&t->runs[i]) < best ? time_of(&t->runs[i]) : best;
    return best;
}

static bool less(double x, double than)
{
    return isnan(than) || x < than;
}

/* Keys along an axis: ticks_x[i] is the text of its i-th value. */
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

struct way_time {
    size_t way;
    double best_s;
};

static int by_time(const void *a, const void *b)
{
    const struct way_time *x = a, *y = b;

    return x->best_s < y->best_s ? -1 : x->best_s > y->best_s;
}

/* The ways in order of their best times. */
static struct way_time *rank_ways(const struct sweep_picture *p)
{
    struct way_time *list = xcalloc(p->ways.n + 1, sizeof *list);

    for (size_t w = 0; w < p->ways.n; w++)
        list[w] = (struct way_time){w, NAN};
    for (size_t i = 0; i < p->runs->nruns; i++) {
        const struct stored_run *r = &p->runs->runs[i];
        size_t w = sweep_view_of(&p->ways, r);
        if (w < p->ways.n && less(time_of(r), list[w].best_s))
            list[w].best_s = time_of(r);
    }
    qsort(list, p->ways.n, sizeof *list, by_time);
    return list;
}

/* Of a way at each value of x, the least time of all else. */
static void print_way_line(FILE *csv, const struct sweep_picture *p,
                           size_t series, size_t way)
{
    double *least = xcalloc(p->x.n + 1, sizeof *least);

    for (size_t i = 0; i < p->x.n; i++)
        least[i] = NAN;
    for (size_t i = 0; i < p->runs->nruns; i++) {
        const struct stored_run *r = &p->runs->runs[i];
        size_t at = sweep_view_of(&p->x, r);
        if (at < p->x.n && sweep_view_of(&p->ways, r) == way &&
            !isnan(time_of(r)) && less(time_of(r), least[at]))
            least[at] = time_of(r);
    }
    for (size_t i = 0; i < p->x.n; i++) {
        if (isnan(least[i]))
            continue;
        fprintf(csv, "%zu,", series);
        csv_print_text(csv, p->ways.values[way]);
        if (p->x.numbers)
            fprintf(csv, ",%s,%.9g\n", p->x.values[i], least[i]);
        else
            fprintf(csv, ",%zu,%.9g\n", i + 1, least[i]);
    }
    free(least);
}

static int make_lines(FILE *csv, FILE *vars, const struct figure_input *in,
                      struct err *err)
{
    const struct sweep_picture *p = in->sweep;
    struct way_time *ways = rank_ways(p);
    size_t n = p->ways.n < MOST_WAYS ? p->ways.n : MOST_WAYS;

    (void)err; /* never fails */
    fprintf(vars, "xname = texts[%u]\nnumbers = %d\nlogx = %d\nsampled = %d\n",
            figure_text(in->texts, sweep_view_name(&p->x)), p->x.numbers,
            p->x.log,
            p->x.axis != SWEEP_WAYS &&
                p->runs->space.axes[p->x.axis].kind == AXIS_BETWEEN);
    fprintf(vars, "nways = %zu\narray way[%zu]\n", n, n + 1);
    fprintf(csv, "series,way,x,time_s\n");
    for (size_t i = 0; i < n; i++) {
        const char *name = p->ways.values[ways[i].way];
        fprintf(vars, "way[%zu] = texts[%u]\n", i + 1,
                figure_text(in->texts, name));
        print_way_line(csv, p, i + 1, ways[i].way);
    }
    if (!p->x.numbers)
        name_ticks(vars, in->texts, &p->x, "ticks");
    free(ways);
    return 0;
}

/* --- heat map ------------------------------------------------------------- */

/* Values as they are, or, where they are many, in so many parts. */
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

/* Of parts the values in the middle of them. */
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

static int make_heat(FILE *csv, FILE *vars, const struct figure_input *in,
                     struct err *err)
{
    const struct sweep_picture *p = in->sweep;
    size_t nx = cells_of(&p->x), ny = cells_of(&p->y);
    double *least = xcalloc(nx * ny + 1, sizeof *least), best;

    (void)err; /* never fails */
    for (size_t i = 0; i < nx * ny; i++)
        least[i] = NAN;
    for (size_t i = 0; i < p->runs->nruns; i++) {
        const struct stored_run *r = &p->runs->runs[i];
        size_t x = cell_of(&p->x, r), y = cell_of(&p->y, r);
        if (x < nx && y < ny && !isnan(time_of(r)) &&
            less(time_of(r), least[y * nx + x]))
            least[y * nx + x] = time_of(r);
    }
    best = best_time(p->runs);
    fprintf(vars, "nx = %zu\nny = %zu\nxname = texts[%u]\nyname = texts[%u]\n",
            nx, ny, figure_text(in->texts, sweep_view_name(&p->x)),
            figure_text(in->texts, sweep_view_name(&p->y)));
    name_cells(vars, in->texts, &p->x, "xticks");
    name_cells(vars, in->texts, &p->y, "yticks");
    fprintf(csv, "x,y,time_s,times_best\n");
    for (size_t i = 0; i < nx * ny; i++)
        if (!isnan(least[i]))
            fprintf(csv, "%zu,%zu,%.9g,%.6g\n", i % nx + 1, i / nx + 1,
                    least[i], least[i] / best);
    free(least);
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
    for (size_t i = 0; i < n; i++) {
        const struct stored_run *r = &p->runs->runs[front[i]];
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

/* Of a few values all are named, of many the ends. */
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

/* The axes along which something changes, and the ways. */
static struct sweep_view *parallel_views(const struct sweep_picture *p,
                                         size_t *n)
{
    size_t naxes = p->runs->space.naxes;
    struct sweep_view *views = xcalloc(naxes + 1, sizeof *views);

    *n = 0;
    for (size_t a = 0; a <= naxes; a++) {
        struct sweep_view *v = &views[*n];
        sweep_view_init(v, p->runs, a < naxes ? a : SWEEP_WAYS);
        bool named =
            a < naxes && !strcmp(p->runs->space.axes[a].name, "strategy");
        if (v->n > 1 && !named)
            ++*n;
        else
            sweep_view_clear(v);
    }
    return views;
}

/* The slowest first, so that the best lie on top; of many runs the best and an
 * even part of the others. */
static int make_parallel(FILE *csv, FILE *vars, const struct figure_input *in,
                         struct err *err)
{
    const struct sweep_picture *p = in->sweep;
    size_t n, all;
    struct sweep_view *views = parallel_views(p, &n);
    size_t *list = stored_ranked(p->runs, OBJECTIVE_TIME, &all);
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
    double best = time_of(&p->runs->runs[list[0]]);
    double worst = time_of(&p->runs->runs[list[all - 1]]);
    fprintf(csv, "point,axis,value,time\n");
    for (size_t i = all; i-- > 0;) {
        const struct stored_run *r = &p->runs->runs[list[i]];
        if (i >= MOST_THREADS / 10 && i % every)
            continue;
        double share =
            worst > best ? log(time_of(r) / best) / log(worst / best) : 0;
        print_thread(csv, views, n, r, share);
        drawn++;
    }
    fprintf(vars, "best = %.9g\nworst = %.9g\ndrawn = %zu\nall = %zu\n", best,
            worst, drawn, all);
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
    size_t x, y;

    if (!isfinite(best_time(t)))
        return fail(err, "%s: no run has a result", t->path);
    if (sweep_view_find(&x, t, r->x, SWEEP_WAYS, err) < 0)
        return fail_in(err, "--x");
    if (sweep_view_find(&y, t, r->y, x, err) < 0)
        return fail_in(err, "--y");
    sweep_view_init(&p.x, t, x);
    sweep_view_init(&p.y, t, y);
    sweep_view_init(&p.ways, t, SWEEP_WAYS);
    int result = write_all(&p, r, err);
    sweep_view_clear(&p.x);
    sweep_view_clear(&p.y);
    sweep_view_clear(&p.ways);
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
