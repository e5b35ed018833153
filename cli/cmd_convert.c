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

int cmd_convert(int argc, char **argv, struct err *err)
{
    const char *output = NULL;
    const struct opt opts[] = {
        {"o", OPT_OUTPUT, &output, "FILE", "the binary file to write"},
    };
    struct graph g = {0};
    int noperands;
    bool helped;

    if (opts_parse(
            argc, argv, opts, sizeof opts / sizeof opts[0],
            "convert GRAPH -o FILE.sluice-graph",
            "GRAPH is an edge list (SNAP: .txt, .el, .edges), a "
            "MatrixMarket file (.mtx), a\nDIMACS shortest-path graph "
            "(.gr) or a METIS graph (.graph), each also gzipped\n"
            "(.gz), or a generator (sluice show graph --help). Loops "
            "and\nduplicate arcs are dropped. The copy is mapped into memory, "
            "not read:\nevery command that takes a graph takes it.\n",
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
