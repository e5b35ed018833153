/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figs 5, 7, 8 and 9: self speed-ups by the number of GPUs. */
#include "results/papers/figure.h"

#include "results/papers/atos_score.h"

#include <math.h>
#include <stdlib.h>

static void print_names(FILE *vars, const char *what,
                        const struct study_names *names)
{
    fprintf(vars, "%s = '", what);
    for (size_t i = 0; i < names->n; i++)
        fprintf(vars, "%s%s", i ? " " : "", names->items[i]);
    fprintf(vars, "'\n");
}

/* Prints a value; leaves the cell empty if it is not known. */
static void atos_scaling_print_value(FILE *csv, double v)
{
    if (isnan(v))
        fprintf(csv, ",");
    else
        fprintf(csv, ",%.6g", v);
}

static void atos_scaling_print_row(FILE *csv, const struct cells *cells,
                                   const struct cell *c)
{
    fprintf(csv, "%s,%s,%s,%u,%.9g,%.6g", c->key.application, c->key.graph,
            c->key.framework, c->key.gpus, c->scale, c->ms);
    atos_scaling_print_value(csv, atos_speedup(cells, &c->key, false));
    atos_scaling_print_value(csv, atos_speedup(cells, &c->key, true));
    fprintf(csv, "\n");
}

/* Returns whether this is the first of its graph's cells with its scale. */
static bool new_scale(const struct figure_input *in,
                      const struct study_choice *graph, const struct cell *c)
{
    const struct cell *other = in->cells->list;

    while (other < c && !(study_wants(graph, &other->key) &&
                          cells_same_scale(other->scale, c->scale)))
        other++;
    return other == c;
}

/* Prints "1/16", or "1/16,1/4" if the cells of a graph differ. */
static void print_scales_of(FILE *vars, const struct figure_input *in,
                            const struct study_choice *graph)
{
    unsigned n = 0;

    for (size_t i = 0; i < in->cells->n; i++) {
        const struct cell *c = &in->cells->list[i];
        if (!study_wants(graph, &c->key) || !(c->scale > 0) ||
            !new_scale(in, graph, c))
            continue;
        char *text = cells_scale_text(c->scale);
        fprintf(vars, "%s%s", n++ ? "," : "", text);
        free(text);
    }
    if (!n)
        fprintf(vars, "?");
}

/* Prints the scales of each graph, in the order of the choice. */
static void print_scales(FILE *vars, const struct figure_input *in)
{
    fprintf(vars, "scales = '");
    for (size_t g = 0; g < in->choice->graphs.n; g++) {
        struct study_choice one = *in->choice;
        one.graphs = (struct study_names){&in->choice->graphs.items[g], 1};
        fprintf(vars, "%s", g ? " " : "");
        print_scales_of(vars, in, &one);
    }
    fprintf(vars, "'\n");
}

/* Facts about all lines that the template needs. */
struct seen {
    unsigned gpus;
    double least; /* the least speed-up */
    bool printed; /* some cell is printed */
};

/* Prints a line of the figure without other rows between, because these would
 * break it. */
static void print_line(FILE *csv, const struct cells *cells,
                       const struct cell_key *of, struct seen *s)
{
    const struct cell *c;

    for (unsigned n = 1; (c = cells_find(cells, of->application, of->machine,
                                         of->framework, of->graph, n));
         n++) {
        double printed = atos_speedup(cells, &c->key, true);
        atos_scaling_print_row(csv, cells, c);
        s->least = fmin(s->least, printed);
        s->least = fmin(s->least, atos_speedup(cells, &c->key, false));
        s->printed |= !isnan(printed);
        s->gpus = n > s->gpus ? n : s->gpus;
    }
}

int figure_atos_scaling(FILE *csv, FILE *vars, const struct figure_input *in,
                        struct err *err)
{
    struct seen s = {1, 1, false};

    (void)err;
    fprintf(csv, "application,graph,framework,gpus,scale,ms,speedup,"
                 "printed_speedup\n");
    for (size_t i = 0; i < in->cells->n; i++) {
        const struct cell_key *k = &in->cells->list[i].key;
        if (k->gpus == 1 && study_wants(in->choice, k))
            print_line(csv, in->cells, k, &s);
    }
    print_names(vars, "applications", &in->choice->applications);
    print_names(vars, "graphs", &in->choice->graphs);
    print_names(vars, "frameworks", &in->choice->frameworks);
    print_scales(vars, in);
    fprintf(vars, "most = %u\nleast = %g\nprinted = %d\n", s.gpus, s.least,
            s.printed);
    return 0;
}
