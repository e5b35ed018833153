/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice convert: turns a graph file into sluice's own format, which opens at
 * once. */
#include "cli/cli.h"
#include "workloads/graph/graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool ends(const char *name, const char *with)
{
    size_t len = strlen(name), n = strlen(with);

    return len > n && !strcmp(name + len - n, with);
}

static const struct opts_page page = {
    .usage = "convert GRAPH -o FILE.sluice-graph",
    .about =
        "Converts a graph into a binary file that is mapped into memory "
        "instead of read; every command that takes a graph takes it. GRAPH is "
        "an edge list (SNAP: .txt, .el, .edges), a MatrixMarket file (.mtx), "
        "a DIMACS shortest-path graph (.gr) or a METIS graph (.graph), each "
        "also gzipped (.gz), or a generator (sluice show graph --help). Loops "
        "and duplicate arcs are dropped.\n",
    .examples = {{"Generate a graph once for several simulations",
                  "sluice convert rmat:scale=12 -o rmat.sluice-graph"}},
};

int cmd_convert(int argc, char **argv, struct err *err)
{
    const char *output = NULL;
    const struct opt opts[] = {
        {"o", OPT_OUTPUT, &output, "FILE", "the binary file to write"},
    };
    struct graph g = {0};
    int noperands;
    bool helped;

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                   &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands != 1)
        return fail(err, "convert: expected one graph, got %d", noperands);
    if (!output)
        return fail(err, "convert: expected -o FILE.sluice-graph");
    if (!ends(output, ".sluice-graph"))
        return fail(err,
                    "-o: expected a name that ends in .sluice-graph, "
                    "got '%s'",
                    output);
    if (graph_from_words(&g, argv[1], err) < 0)
        return -1;

    int result = graph_save(&g, output, err);
    if (result == 0)
        printf("%s: %" PRIu32 " vertices, %" PRIu64 " arcs\n", output, g.n,
               graph_arcs(&g));
    graph_clear(&g);
    return result;
}
