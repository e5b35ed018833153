/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice convert: turns a graph file into sluice's own format, which opens at
 * once. */
#include "base/outfile.h"
#include "cli/cli.h"
#include "workloads/graph/graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool ends(const char *name, const char *with)
{
    size_t len = strlen(name), n = strlen(with);

    return len > n && !strcmp(name + len - n, with);
}

static const struct opts_page page = {
    .usage =
        "convert GRAPH -o FILE.sluice-graph\n"
        "       sluice convert GRAPH --gpus N --partition HOW -o FILE.parts",
    .about =
        "Converts a graph into a binary file that is mapped into memory "
        "instead of read; every command that takes a graph takes it. GRAPH is "
        "an edge list (SNAP: .txt, .el, .edges), a MatrixMarket file (.mtx), "
        "a DIMACS shortest-path graph (.gr) or a METIS graph (.graph), each "
        "also gzipped (.gz), or a generator (sluice show graph --help). Loops "
        "and duplicate arcs are dropped.\n"
        "With --gpus the file is a partition of the graph, one number a "
        "line, as --partition takes it.\n",
    .examples = {{"Generate a graph once for several simulations",
                  "sluice convert rmat:scale=12 -o rmat.sluice-graph"}},
};

struct convert_request {
    const char *output, *how;
    unsigned gpus;
};

static int check_request(const struct convert_request *r, int noperands,
                         struct err *err)
{
    if (noperands != 1)
        return fail(err, "convert: expected one graph, got %d", noperands);
    if (!r->output)
        return fail(err, "convert: expected -o FILE.sluice-graph");
    if (r->how && !r->gpus)
        return fail(err, "--partition: expected --gpus N, too");
    if (r->gpus && !ends(r->output, ".parts"))
        return fail(err, "-o: expected a name that ends in .parts, got '%s'",
                    r->output);
    if (!r->gpus && !ends(r->output, ".sluice-graph"))
        return fail(err,
                    "-o: expected a name that ends in .sluice-graph, "
                    "got '%s'",
                    r->output);
    return r->how ? graph_partition_check(r->how, err) : 0;
}

static int write_parts(const char *path, const uint32_t *part, uint32_t n,
                       struct err *err)
{
    struct outfile out;

    if (outfile_open(&out, path, err) < 0)
        return -1;
    for (uint32_t v = 0; v < n; v++)
        fprintf(out.stream, "%" PRIu32 "\n", part[v]);
    return outfile_close(&out, err);
}

static int convert_partition(const struct convert_request *r,
                             const struct graph *g, struct err *err)
{
    uint32_t *part = xcalloc(g->n, sizeof *part);
    const char *how = r->how ? r->how : "contiguous";
    int result = graph_partition_by(part, g, r->gpus, how, 1, err);

    if (result == 0)
        result = write_parts(r->output, part, g->n, err);
    if (result == 0)
        printf("%s: %" PRIu32 " vertices, %u parts\n", r->output, g->n,
               r->gpus);
    free(part);
    return result;
}

int cmd_convert(int argc, char **argv, struct err *err)
{
    struct convert_request r = {0};
    const struct opt opts[] = {
        {"gpus", OPT_COUNT, &r.gpus, "N", "write a partition among N GPUs"},
        {"partition", OPT_TEXT, &r.how, "HOW",
         "partition of the vertices: contiguous, random, metis or geometric "
         "[default: contiguous]"},
        {"o", OPT_OUTPUT, &r.output, "FILE", "the file to write"},
    };
    struct graph g = {0};
    int noperands;
    bool helped;

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                   &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (check_request(&r, noperands, err) < 0 ||
        graph_from_words(&g, argv[1], err) < 0)
        return -1;
    int result =
        r.gpus ? convert_partition(&r, &g, err) : graph_save(&g, r.output, err);
    if (result == 0 && !r.gpus)
        printf("%s: %" PRIu32 " vertices, %" PRIu64 " arcs\n", r.output, g.n,
               graph_arcs(&g));
    graph_clear(&g);
    return result;
}
