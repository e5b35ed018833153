/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the table of a picture of an advice. */
#include "cli/figure_advice.h"

#include "base/csv.h"
#include "cli/figure_draw.h"
#include "cli/gnuplot.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_WAYS = 12, MOST_BARS = 8 };

struct advice_picture {
    const struct advice_results *of;
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

static void rows_of_ways(FILE *csv, FILE *vars, const struct figure_input *in)
{
    const struct advice_results *r = in->advice->of;
    const struct advice *a = r->advice;
    size_t n = at_most(a->n, MOST_WAYS);

    fprintf(vars, "nways = %zu\narray ways[%zu]\n", n, n);
    for (size_t i = 0; i < n; i++) {
        const char *name = advice_way_name(r, a->order[i]);
        const struct advised_way *w = &a->ways[a->order[i]];
        fprintf(vars, "ways[%zu] = texts[%u]\n", i + 1,
                figure_text(in->texts, name));
        row(csv, "way", i + 1, name);
        fprintf(csv, ",%.9g,%.9g,%.9g,%.4f\n", w->time_s * 1e6, w->low_s * 1e6,
                w->high_s * 1e6, w->best);
    }
}

static void rows_of_bars(FILE *csv, FILE *vars, const struct figure_input *in)
{
    const struct advice_results *r = in->advice->of;
    size_t n = at_most(r->why->n, MOST_BARS);

    fprintf(vars, "nbars = %zu\narray bars[%zu]\n", n, n + 1);
    for (size_t i = 0; i < n; i++) {
        const struct elasticity *e = &r->why->list[i];
        const char *key = r->ways->parameters.list[e->parameter].key;
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
    rows_of_ways(csv, vars, in);
    rows_of_bars(csv, vars, in);
    return 0;
}

static const struct figure advice_figure = {
    .name = "advise",
    .about = "ways with their intervals, and elasticities",
    .make = advice_make};

int figure_advice(const struct advice_results *r, const char *folder,
                  struct err *err)
{
    const struct advice_picture picture = {r};
    const struct figure_input in = {.m = &r->ways->machine, .advice = &picture};
    char *command, *name;

    if (gnuplot_check(err) < 0)
        return -1;
    command = xasprintf("sluice advise --workload %s --draws %zu --seed %llu",
                        r->request->work.words, r->advice->ndraws,
                        (unsigned long long)r->options->seed);
    int result = figure_write(&advice_figure, &in, folder, command, err);
    for (int i = 0; result == 0 && (name = figure_file(&advice_figure, i));
         i++) {
        fprintf(stderr, "sluice: %s/%s\n", folder, name);
        free(name);
    }
    free(command);
    return result;
}
