/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the tables for the pictures of an advice. */
#include "cli/figure_advice.h"

#include "base/csv.h"
#include "cli/gnuplot.h"

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CANDIDATES = 12, MOST_BARS = 8, MOST_LINES = 6 };

struct advice_picture {
    const struct advice_results *of;
    const struct advised_sizes *sizes; /* NULL for a single size */
};

static size_t at_most(size_t n, size_t most)
{
    return n < most ? n : most;
}

static void row(FILE *csv, const char *kind, size_t nth, const char *name)
{
    fprintf(csv, "%s,%zu,", kind, nth);
    csv_print_text(csv, name);
}

/* Prints the interval of a candidate; it has none if it was not simulated on
 * any drawn machine. */
static void print_interval(FILE *csv, const struct advised_candidate *w)
{
    if (w->draws)
        fprintf(csv, ",%.9g,%.9g", w->low_s * 1e6, w->high_s * 1e6);
    else
        fprintf(csv, ",,");
    fprintf(csv, ",%.4f\n", w->best);
}

static void rows_of_candidates(FILE *csv, FILE *vars,
                               const struct figure_input *in)
{
    const struct advice_results *r = in->advice->of;
    const struct advice *a = r->advice;
    size_t n = at_most(a->n, MOST_CANDIDATES);

    fprintf(vars, "nways = %zu\narray ways[%zu]\n", n, n);
    for (size_t i = 0; i < n; i++) {
        const char *name = advice_candidate_name(r, a->order[i]);
        const struct advised_candidate *w = &a->candidates[a->order[i]];
        fprintf(vars, "ways[%zu] = texts[%u]\n", i + 1,
                figure_text(in->texts, name));
        row(csv, "way", i + 1, name);
        fprintf(csv, ",%.9g", w->time_s * 1e6);
        print_interval(csv, w);
    }
}

static void rows_of_bars(FILE *csv, FILE *vars, const struct figure_input *in)
{
    const struct advice_results *r = in->advice->of;
    size_t n = at_most(r->why->n, MOST_BARS);

    fprintf(vars, "nbars = %zu\narray bars[%zu]\n", n, n + 1);
    for (size_t i = 0; i < n; i++) {
        const struct elasticity *e = &r->why->list[i];
        const char *key = r->candidates->parameters.list[e->parameter].key;
        fprintf(vars, "bars[%zu] = texts[%u]\n", i + 1,
                figure_text(in->texts, key));
        row(csv, "parameter", i + 1, key);
        fprintf(csv, ",%.6g,,,\n", e->first);
    }
}

static int advice_make(FILE *csv, FILE *vars, const struct figure_input *in,
                       struct err *err)
{
    const struct advice_results *r = in->advice->of;

    (void)err;
    fprintf(vars, "workload = texts[%u]\ndraws = %zu\n",
            figure_text(in->texts, r->request->work.words), r->advice->ndraws);
    fprintf(csv, "kind,nth,name,value,low,high,probability\n");
    rows_of_candidates(csv, vars, in);
    rows_of_bars(csv, vars, in);
    return 0;
}

/* --- sizes ---------------------------------------------------------------- */

static size_t advice_line(const char **lines, size_t n, const char *candidate)
{
    size_t i = 0;

    while (i < n && strcmp(lines[i], candidate) != 0)
        i++;
    return i;
}

/* Chooses the candidates that get a line: those that are advised for some size,
 * the best for all sizes, then the second of some size. */
static size_t choose_lines(const char **lines, const struct advised_sizes *s)
{
    struct one_for_all one = advised_sizes_one(s);
    size_t n = 0;

    for (size_t nth = 0; nth < 2; nth++) {
        for (size_t i = 0; i < s->n; i++) {
            const struct advised_size *size = &s->list[i];
            if (size->why || size->advice.n <= nth)
                continue;
            const char *candidate =
                size->candidates.list[size->advice.order[nth]].name;
            if (n < MOST_LINES && advice_line(lines, n, candidate) == n)
                lines[n++] = candidate;
        }
        if (one.candidate && n < MOST_LINES &&
            advice_line(lines, n, one.candidate) == n)
            lines[n++] = one.candidate;
    }
    return n;
}

static void row_of_size(FILE *csv, const struct advised_size *size,
                        size_t series, const char *line)
{
    const struct advice *a = &size->advice;

    for (size_t i = 0; i < a->n; i++) {
        const struct advised_candidate *w = &a->candidates[a->order[i]];
        if (strcmp(size->candidates.list[a->order[i]].name, line) != 0)
            continue;
        fprintf(csv, "%zu,", series);
        csv_print_text(csv, line);
        fprintf(csv, ",%llu,%.9g", (unsigned long long)size->bytes,
                w->time_s * 1e6);
        print_interval(csv, w);
    }
}

static int sizes_make(FILE *csv, FILE *vars, const struct figure_input *in,
                      struct err *err)
{
    const struct advised_sizes *s = in->advice->sizes;
    const struct advice_results *r = in->advice->of;
    const char *lines[MOST_LINES];
    size_t n = choose_lines(lines, s);

    (void)err;
    fprintf(vars, "workload = texts[%u]\nplatform = texts[1]\ndraws = %zu\n",
            figure_text(in->texts, r->request->work.words), r->options->draws);
    fprintf(vars, "nways = %zu\narray ways[%zu]\n", n, n);
    for (size_t i = 0; i < n; i++)
        fprintf(vars, "ways[%zu] = texts[%u]\n", i + 1,
                figure_text(in->texts, lines[i]));
    fprintf(vars, "nsizes = 0\narray sizes[%zu]\n", s->n);
    for (size_t i = 0; i < s->n; i++)
        if (!s->list[i].why)
            fprintf(vars, "nsizes = nsizes + 1\nsizes[nsizes] = %llu.0\n",
                    (unsigned long long)s->list[i].bytes);
    fprintf(csv, "series,way,bytes,time_us,low_us,high_us,probability\n");
    for (size_t line = 0; line < n; line++)
        for (size_t i = 0; i < s->n; i++)
            if (!s->list[i].why)
                row_of_size(csv, &s->list[i], line + 1, lines[line]);
    return 0;
}

/* -------------------------------------------------------------------------- */

static const struct figure advice_figures[] = {
    {.name = "advise",
     .about = "ways with their intervals, and elasticities",
     .make = advice_make},
    {.name = "advise-sizes",
     .about = "times of ways by size, with their intervals",
     .make = sizes_make},
};

/* Checks that the figure replaces no file that the request reads. */
static int check_files(const struct advice_figure *f, const struct request *r,
                       struct err *err)
{
    int result = 0;
    char *name;

    for (int i = 0; result == 0 && (name = figure_file(f->figure, i)); i++) {
        char *path = xasprintf("%s/%s", f->folder, name);
        result = request_check_output(r, path, err);
        free(path);
        free(name);
    }
    return result;
}

int figure_advice_open(struct advice_figure *f, bool sizes, const char *folder,
                       const struct request *r, struct err *err)
{
    *f = (struct advice_figure){.folder = folder,
                                .figure = &advice_figures[sizes]};
    if (gnuplot_check(err) < 0 || check_files(f, r, err) < 0)
        return -1;
    return figure_open(&f->files, f->figure, folder, err);
}

static int draw(struct advice_figure *f, const struct advice_picture *picture,
                const struct machine *m, struct err *err)
{
    const struct figure_input in = {.m = m, .advice = picture};
    const struct advice_results *r = picture->of;
    char *words = request_words(r->request), *name;
    char error[48] = "";
    if (!r->by_table)
        snprintf(error, sizeof error, " --model-error %.9g",
                 100 * r->options->model_error);
    char *command = xasprintf("sluice advise%s --draws %zu --seed %llu%s",
                              words, r->options->draws,
                              (unsigned long long)r->options->seed, error);
    int result = figure_fill(&f->files, f->figure, &in, command, err);

    for (int i = 0; result == 0 && (name = figure_file(f->figure, i)); i++) {
        fprintf(stderr, "sluice: %s/%s\n", f->folder, name);
        free(name);
    }
    free(command);
    free(words);
    return result;
}

int figure_advice(struct advice_figure *f, const struct advice_results *r,
                  struct err *err)
{
    const struct advice_picture picture = {.of = r};

    return draw(f, &picture, &r->candidates->machine, err);
}

int figure_advised_sizes(struct advice_figure *f, const struct advised_sizes *s,
                         const struct advice_results *asked, struct err *err)
{
    const struct advice_picture picture = {asked, s};

    return draw(f, &picture,
                &s->list[advised_sizes_next(s, 0)].candidates.machine, err);
}
