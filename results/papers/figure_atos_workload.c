/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table III: visits divided by vertices, without and with the priority
 * queue. */
#include "results/papers/figure.h"

#include <math.h>

enum { MOST_GPUS = 4 };
static const double near_by = 0.1;

struct tally {
    size_t near, of, not_run;
};

static void atos_workload_print_row(FILE *csv, const struct cell *c)
{
    fprintf(csv, "%s,%s,%u,%.9g,%.6g,%.6g\n", c->key.framework, c->key.graph,
            c->key.gpus, c->scale, c->workload, c->printed_workload);
}

static const struct cell *atos_workload_find(const struct figure_input *in,
                                             size_t framework,
                                             const char *graph, unsigned gpus)
{
    return cells_find(in->cells, "bfs", "daisy",
                      in->choice->frameworks.items[framework], graph, gpus);
}

/* Returns the scale that the row of a graph states, which is that of its first
 * cell. */
static double usual_scale(const struct figure_input *in, const char *graph)
{
    const struct cell *first = atos_workload_find(in, 0, graph, 1);

    return first && first->scale > 0 ? first->scale : 1;
}

/* Prints the cells of one graph and number of GPUs: without, with. */
static void print_pair(FILE *csv, FILE *md, const struct figure_input *in,
                       const char *graph, unsigned gpus, struct tally *t)
{
    for (size_t f = 0; f < in->choice->frameworks.n; f++) {
        const struct cell *c = atos_workload_find(in, f, graph, gpus);
        if (!c)
            continue;
        fprintf(md, f ? " -> " : " ");
        if (isnan(c->workload)) {
            fprintf(md, "not run");
        } else {
            atos_workload_print_row(csv, c);
            fprintf(md, "%.3f", c->workload);
        }
        figure_scale(md, c->scale, usual_scale(in, graph));
        fprintf(md, " / %.4g", c->printed_workload);
        bool run = cells_full_size(c);
        t->not_run += !run;
        t->of += run;
        t->near += run && fabs(c->workload - c->printed_workload) <= near_by;
    }
    fprintf(md, " |");
}

int figure_atos_workload(FILE *csv, FILE *md, const struct figure_input *in,
                         struct err *err)
{
    struct tally one = {0}, more = {0};

    (void)err;
    fprintf(csv, "framework,graph,gpus,scale,workload,printed_workload\n");
    fprintf(md,
            "Visits by vertices reached, predicted / printed, without -> with "
            "the priority queue. What was run at a part of the graph's size "
            "says so, and is in no score.\n\n"
            "| graph | 1 GPU | 2 GPUs | 3 GPUs | 4 GPUs |\n"
            "| --- | --- | --- | --- | --- |\n");
    for (size_t g = 0; g < in->choice->graphs.n; g++) {
        const char *graph = in->choice->graphs.items[g];
        fprintf(md, "| %s", graph);
        figure_scale(md, usual_scale(in, graph), 1);
        fprintf(md, " |");
        for (unsigned n = 1; n <= MOST_GPUS; n++)
            print_pair(csv, md, in, graph, n, n > 1 ? &more : &one);
        fprintf(md, "\n");
    }
    fprintf(md,
            "\n- within 0.1, 2 GPUs and more: %zu of %zu\n"
            "- within 0.1, 1 GPU: %zu of %zu\n",
            more.near, more.of, one.near, one.of);
    if (more.not_run || one.not_run)
        fprintf(md, "- not run at full size, so in no score: %zu and %zu\n",
                more.not_run, one.not_run);
    return 0;
}
