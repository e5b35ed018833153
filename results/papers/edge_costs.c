/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks up the fitted time of an edge in the study's own data file. */
#include "results/papers/edge_costs.h"

#include "base/csv.h"
#include "strategies/agents/edge_cost.h"

#include <string.h>

#define FILE_NAME "results/atos/edge_costs.csv"

static int edge_costs_find(double *ns, const struct csv *t, const char *graph,
                           const char *application, struct err *err)
{
    for (size_t row = 0; row < t->nrows; row++) {
        const char *g = csv_text(t, row, "graph");
        const char *a = csv_text(t, row, "application");
        if (!g || !a)
            return fail(err, "%s: expected columns graph and application",
                        t->path);
        if (strcmp(g, graph) != 0 || strcmp(a, application) != 0)
            continue;
        if (csv_number(t, row, "edge_ns", ns, err) < 0)
            return -1;
        return *ns > 0 ? 0
                       : fail(err,
                              "%s:%u: edge_ns: expected a number above 0, got "
                              "%g",
                              t->path, t->lines[row], *ns);
    }
    return fail(err, "%s: no row of %s, %s", t->path, graph, application);
}

int edge_costs_of(double *s, const char *graph, enum algorithm algorithm,
                  double memory_Bps, struct err *err)
{
    struct csv t;
    double ns;

    if (csv_load_data(&t, FILE_NAME, err) < 0)
        return -1;
    int result =
        edge_costs_find(&ns, &t, graph, algorithm_name(algorithm), err);
    if (result == 0)
        *s = edge_cost_on(ns * 1e-9, memory_Bps);
    csv_clear(&t);
    return result;
}
