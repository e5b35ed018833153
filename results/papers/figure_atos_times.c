/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables II, IV and V: predicted and printed times. */
#include "results/papers/figure.h"

#include "results/papers/atos_score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_GPUS = 8 };

/* One table, with the arguments of its lookups. */
struct times {
    const struct cells *cells;
    const struct study_choice *x;
    const char *application;
};

static const struct cell *cell(const struct times *t, const char *framework,
                               const char *graph, unsigned gpus)
{
    return cells_find(t->cells, t->application, t->x->machines.items[0],
                      framework, graph, gpus);
}

static bool ties(const struct times *t, const struct cell *c, bool printed)
{
    return atos_ties(t->cells, t->x, c, printed);
}

static bool wins(const struct times *t, const struct cell *c, bool printed)
{
    const struct cell *w = atos_winner(t->cells, t->x, &c->key, printed);

    return w && !strcmp(w->key.framework, c->key.framework);
}

/* --- rows ----------------------------------------------------------------- */

static void atos_times_print_row(FILE *csv, const struct times *t,
                                 const struct cell *c)
{
    fprintf(csv, "%s,%s,%s,%s,%u,%.9g,%.6g,%.6g,%.4g,%.4g,%d,%d\n",
            c->key.application, c->key.machine, c->key.framework, c->key.graph,
            c->key.gpus, c->scale, c->ms, c->printed_ms,
            atos_speedup(t->cells, &c->key, false),
            atos_speedup(t->cells, &c->key, true), wins(t, c, false),
            wins(t, c, true));
}

static void atos_times_print_rows(FILE *csv, const struct times *t)
{
    for (size_t f = 0; f < t->x->frameworks.n; f++)
        for (size_t g = 0; g < t->x->graphs.n; g++)
            for (unsigned n = 1; n <= MOST_GPUS; n++) {
                const struct cell *c = cell(t, t->x->frameworks.items[f],
                                            t->x->graphs.items[g], n);
                if (c)
                    atos_times_print_row(csv, t, c);
            }
}

/* --- text ----------------------------------------------------------------- */

/* Prints a time in the paper's form: 1009, not 1.01e+03. */
static void print_ms(FILE *md, double ms, bool bold)
{
    const char *mark = bold ? "**" : "";

    if (isnan(ms))
        fprintf(md, "-");
    else
        fprintf(md, ms < 999.5 ? "%s%.3g%s" : "%s%.0f%s", mark, ms, mark);
}

static void print_speedup(FILE *md, const char *before, double v)
{
    fprintf(md, isnan(v) ? "%s-" : "%s%.3g", before, v);
}

/* Prints one cell; `usual` is the scale that its row states. */
static void print_cell(FILE *md, const struct times *t, const struct cell *c,
                       double usual)
{
    if (!c) {
        fprintf(md, "- |");
        return;
    }
    if (isnan(c->ms))
        fprintf(md, "not run");
    else
        print_ms(md, c->ms, ties(t, c, false));
    figure_scale(md, c->scale, usual);
    fprintf(md, " / ");
    print_ms(md, c->printed_ms, ties(t, c, true));
    if (c->key.gpus > 1) {
        print_speedup(md, " (", atos_speedup(t->cells, &c->key, false));
        print_speedup(md, " / ", atos_speedup(t->cells, &c->key, true));
        fprintf(md, ")");
    }
    fprintf(md, " |");
}

static unsigned most_gpus(const struct times *t, const char *framework)
{
    unsigned most = 1;

    for (size_t g = 0; g < t->x->graphs.n; g++)
        for (unsigned n = most + 1; n <= MOST_GPUS; n++)
            if (cell(t, framework, t->x->graphs.items[g], n))
                most = n;
    return most;
}

/* Prints a block in the paper's form: one for each framework, with a row for
 * each graph. */
static void print_block(FILE *md, const struct times *t, const char *framework)
{
    unsigned most = most_gpus(t, framework);

    fprintf(md, "\n| %s on %s |", t->application, framework);
    for (unsigned n = 1; n <= most; n++)
        fprintf(md, " %u GPU%s |", n, n > 1 ? "s" : "");
    fprintf(md, "\n| --- |");
    for (unsigned n = 1; n <= most; n++)
        fprintf(md, " --- |");
    fprintf(md, "\n");
    for (size_t g = 0; g < t->x->graphs.n; g++) {
        const struct cell *first = cell(t, framework, t->x->graphs.items[g], 1);
        if (!first)
            continue;
        fprintf(md, "| %s", first->key.graph);
        figure_scale(md, first->scale, 1);
        fprintf(md, " |");
        for (unsigned n = 1; n <= most; n++) {
            fprintf(md, " ");
            print_cell(md, t, cell(t, framework, first->key.graph, n),
                       first->scale);
        }
        fprintf(md, "\n");
    }
}

static void print_percent(FILE *md, const char *what, double error, size_t of)
{
    if (of)
        fprintf(md, "- median error of %s: %.0f %% (%zu cells)\n", what,
                100 * error, of);
}

static void print_score(FILE *md, const struct times *t)
{
    struct atos_score s = atos_score(t->cells, t->x, t->application);

    fprintf(md,
            "\n%s at full size, 2 GPUs and more, without cells that a number "
            "was fitted to (results/atos/fitted.csv):\n\n"
            "- the fastest where print is clear (10 %%): %zu of %zu; baseline, "
            "the printed winner with one GPU: %zu\n"
            "- pairs that print separates by 5 %%, in order: %zu of %zu; "
            "baseline, the printed order with one GPU: %zu\n",
            t->application, s.same_winner, s.races, s.baseline_winner,
            s.ordered, s.pairs, s.baseline_ordered);
    if (s.races_tied || s.races_fitted || s.pairs_fitted || s.speedups_fitted)
        fprintf(md,
                "- in no score: %zu races that print leaves open, %zu races, "
                "%zu pairs and %zu self speed-ups with a fitted cell\n",
                s.races_tied, s.races_fitted, s.pairs_fitted,
                s.speedups_fitted);
    for (size_t f = 0; f < t->x->frameworks.n; f++)
        fprintf(md, "- self speed-up within a factor of 1.3, %s: %zu of %zu\n",
                t->x->frameworks.items[f], s.near[f], s.speedups[f]);
    fprintf(md, "- the same, all: %zu of %zu\n", s.near_speedups,
            s.all_speedups);
    print_percent(md, "the self speed-ups", s.speedup_error, s.all_speedups);
    print_percent(md, "the times", s.time_error, s.times);
    if (s.races_not_run || s.speedups_not_run)
        fprintf(md,
                "- not run at full size, so in no score: %zu graphs by GPUs, "
                "%zu self speed-ups\n",
                s.races_not_run, s.speedups_not_run);
}

int figure_atos_times(FILE *csv, FILE *md, const struct figure_input *in,
                      struct err *err)
{
    struct times t = {in->cells, in->choice, NULL};

    (void)err;
    fprintf(csv, "application,machine,framework,graph,gpus,scale,ms,printed_ms,"
                 "speedup,printed_speedup,wins,printed_wins\n");
    fprintf(md, "Milliseconds, predicted / printed (self speed-up, the same); "
                "bold: the fastest, and what is within 10 %% of it. A graph "
                "at a part of its\nsize says so: its times are not those of "
                "the paper's graph, and are in no score.\n");
    for (size_t a = 0; a < in->choice->applications.n; a++) {
        t.application = in->choice->applications.items[a];
        atos_times_print_rows(csv, &t);
        for (size_t f = 0; f < in->choice->frameworks.n; f++)
            print_block(md, &t, in->choice->frameworks.items[f]);
        print_score(md, &t);
    }
    return 0;
}
