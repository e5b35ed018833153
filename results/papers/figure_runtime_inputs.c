/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dang et al. 2018, table I: the graphs as printed, as they are run, and as
 * R-MAT's parameters give them at full size. */
#include "results/papers/figure.h"

#include "base/csv.h"
#include "workloads/graph/graph.h"
#include "workloads/graph/graph_stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Graph500's parameters: one half of the vertices has this share of the arcs'
 * ends, and the heads of its own arcs are in the same half with the second
 * share. */
#define HALF_SHARE 0.76
#define OWN_SHARE 0.75

static const struct input {
    /* The printed name, and the graph that is made here. */
    const char *graph, *as;
    const char *words;
    unsigned scale;
    double arcs; /* at full size */
} inputs[] = {
    {"rmat28", "rmat28", "rmat:scale=18,edge_factor=16", 28, 0x1p32},
    {"kron30", "kron30, 16 arcs a vertex", "kronecker:scale=18,edge_factor=8",
     30, 0x1p34},
    {"kron30", "kron30, 10.06 arcs a vertex",
     "kronecker:scale=18,edge_factor=5", 30, 10791e6},
};
enum { NINPUTS = sizeof inputs / sizeof inputs[0] };

/*
 * Returns the expected number of different heads of the vertex with most arcs:
 * it draws `arcs` of them, and each of the C(scale, k) vertices that differ
 * from it in k bits has the probability 0.75^(scale - k) 0.25^k.
 */
static double distinct_heads(unsigned scale, double arcs)
{
    double sum = 0, choose = 1;

    for (unsigned k = 0; k <= scale; k++) {
        double p = pow(OWN_SHARE, scale - k) * pow(1 - OWN_SHARE, k);
        sum += choose * -expm1(arcs * log1p(-p));
        choose = choose * (scale - k) / (k + 1);
    }
    return sum;
}

static uint64_t most_heads(const struct graph *g)
{
    uint32_t *in = xcalloc(g->n, sizeof *in);
    uint64_t most = 0;

    for (uint64_t a = 0; a < graph_arcs(g); a++)
        if (++in[g->to[a]] > most)
            most = in[g->to[a]];
    free(in);
    return most;
}

struct input_row {
    double vertices, arcs, degree, most_out, most_in;
};

static int printed_row(struct input_row *r, const struct csv *t,
                       const char *graph, struct err *err)
{
    for (size_t row = 0; row < t->nrows; row++) {
        const char *name = csv_text(t, row, "graph");
        if (!name || strcmp(name, graph) != 0)
            continue;
        if (csv_number(t, row, "vertices", &r->vertices, err) < 0 ||
            csv_number(t, row, "edges", &r->arcs, err) < 0 ||
            csv_number(t, row, "degree", &r->degree, err) < 0 ||
            csv_number(t, row, "most_out", &r->most_out, err) < 0)
            return -1;
        return csv_number(t, row, "most_in", &r->most_in, err);
    }
    return fail(err, "%s: no %s", t->path, graph);
}

static int run_row(struct input_row *r, const struct input *in, struct err *err)
{
    struct graph g;

    if (graph_from_words(&g, in->words, err) < 0)
        return -1;
    r->vertices = g.n;
    r->arcs = (double)graph_arcs(&g);
    r->degree = r->arcs / r->vertices;
    r->most_out = (double)graph_out_degrees(&g).max;
    r->most_in = (double)most_heads(&g);
    graph_clear(&g);
    return 0;
}

static void full_row(struct input_row *r, const struct input *in)
{
    double hub = in->arcs * pow(HALF_SHARE, in->scale);

    *r = (struct input_row){.vertices = ldexp(1, (int)in->scale),
                            .arcs = in->arcs,
                            .degree = ldexp(in->arcs, -(int)in->scale),
                            .most_out = distinct_heads(in->scale, hub)};
    r->most_in = r->most_out;
}

static void print_input_row(FILE *csv, FILE *md, const char *graph,
                            const char *what, const struct input_row *r)
{
    fprintf(csv, "\"%s\",%s,%.0f,%.0f,%.2f,%.0f,%.0f\n", graph, what,
            r->vertices, r->arcs, r->degree, r->most_out, r->most_in);
    fprintf(md, "| %s | %s | %.4g M | %.5g M | %.1f | %.3g | %.3g |\n", graph,
            what, r->vertices / 1e6, r->arcs / 1e6, r->degree, r->most_out,
            r->most_in);
}

static int print_inputs(FILE *csv, FILE *md, const struct csv *printed,
                        struct err *err)
{
    struct input_row r;

    for (int i = 0; i < NINPUTS; i++) {
        const struct input *in = &inputs[i];
        if (i == 0 || strcmp(in->graph, inputs[i - 1].graph) != 0) {
            if (printed_row(&r, printed, in->graph, err) < 0)
                return -1;
            print_input_row(csv, md, in->graph, "printed", &r);
        }
        full_row(&r, in);
        print_input_row(csv, md, in->as, "expected", &r);
        if (run_row(&r, in, err) < 0)
            return -1;
        print_input_row(csv, md, in->as, "run", &r);
    }
    if (printed_row(&r, printed, "clueweb12", err) < 0)
        return -1;
    print_input_row(csv, md, "clueweb12", "printed", &r);
    return 0;
}

int figure_runtime_table_1(FILE *csv, FILE *md, const struct figure_input *in,
                           struct err *err)
{
    struct csv printed;

    (void)in;
    if (csv_load_data(&printed, "results/lci/paper/graphs.csv", err) < 0)
        return -1;
    fprintf(csv, "graph,what,vertices,arcs,degree,most_out,most_in\n");
    fprintf(md, "Printed; expected of R-MAT with Graph500's parameters at full "
                "size, doubles dropped from\nthe largest degrees alone; and as "
                "run, at scale 18, doubles dropped.\n\n"
                "| graph | | vertices | arcs | arcs a vertex | most out | "
                "most in |\n| --- | --- | --- | --- | --- | --- | --- |\n");
    int result = print_inputs(csv, md, &printed, err);
    csv_clear(&printed);
    if (result == 0)
        fprintf(md, "\nclueweb12 is not at hand. kron30's largest degree is "
                    "that of 16 arcs a vertex, which are\nprinted, not of the "
                    "printed arcs; rmat28's is of other parameters, more of "
                    "tails than of heads.\n");
    return result;
}
