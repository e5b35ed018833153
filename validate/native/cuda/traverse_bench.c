/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs graph searches on real GPUs: the executions that sluice simulates, on
 * one GPU and on several, on the same graph and the same parts. */
#include "validate/native/bench.h"

#include "base/number.h"
#include "validate/native/cuda/traverse_case.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRAVERSE_RUNS = 20, TRAVERSE_WARM = 2, MOST_VALUES = 16 };

struct traverse_request {
    struct native_options native;
    const char *workload, *source, *seed_text;
    struct texts executions, gpus, partitions, transfers, deltas, skews,
        latencies;
    unsigned runs, warm, max_iterations, devices;
    double threshold;
    uint64_t seed;

    struct graph g;
    uint32_t from; /* the source */
    char *words;   /* words of the graph, for the rows */
    struct traverse_answer answer;
    const struct traverse_execution *chosen[MOST_VALUES];
    size_t nchosen;
    double gpu[MOST_VALUES], delta[MOST_VALUES], skew[MOST_VALUES],
        latency[MOST_VALUES];
    enum transfer transfer[MOST_VALUES];
};

/* --- the options ---------------------------------------------------------- */

/* Reads the numbers of an option that may be given again, or the default: from
 * `least`, integers if it is 1. */
static int numbers(double *out, struct texts *texts, const char *option,
                   double least, double most, const char *fallback,
                   struct err *err)
{
    if (!texts->n)
        texts->items[texts->n++] = fallback;
    if (texts->n > MOST_VALUES)
        return fail(err, "--%s: given more than %d times", option, MOST_VALUES);
    for (size_t i = 0; i < texts->n; i++) {
        char *end;
        out[i] = strtod(texts->items[i], &end);
        bool whole = least < 1 || out[i] == (double)(uint32_t)out[i];
        if (*end || end == texts->items[i] || !(out[i] >= least) ||
            out[i] > most || !whole)
            return fail(err, "--%s: expected %s from %g to %g, got '%s'",
                        option, least < 1 ? "a number" : "a whole number",
                        least, most, texts->items[i]);
    }
    return 0;
}

static int choose_transfers(struct traverse_request *q, struct err *err)
{
    if (!q->transfers.n)
        q->transfers.items[q->transfers.n++] = transfer_names[TRANSFER_STORE];
    for (size_t i = 0; i < q->transfers.n && i < MOST_VALUES; i++) {
        int k = TRANSFER_STORE;
        while (k < TRANSFERS &&
               strcmp(q->transfers.items[i], transfer_names[k]) != 0)
            k++;
        if (k == TRANSFERS)
            return fail(err,
                        "--transfer: expected store, copy or ring, got "
                        "'%s'",
                        q->transfers.items[i]);
        q->transfer[i] = (enum transfer)k;
    }
    return 0;
}

static const char *algorithm_of(const struct traverse_request *q)
{
    return !strncmp(q->workload, "bfs:", 4)        ? "bfs"
           : !strncmp(q->workload, "pagerank:", 9) ? "pagerank"
                                                   : NULL;
}

static int choose_execution(struct traverse_request *q, const char *name,
                            struct err *err)
{
    const struct traverse_execution *const *x = traverse_executions;
    char known[256] = "";
    size_t used = 0;

    for (; *x; x++) {
        if (strcmp((*x)->algorithm, algorithm_of(q)) != 0)
            continue;
        if (!name || !strcmp((*x)->name, name)) {
            if (q->nchosen < MOST_VALUES)
                q->chosen[q->nchosen++] = *x;
            if (name)
                return 0;
        }
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s",
                                 used ? ", " : "", (*x)->name);
    }
    return name ? fail(err, "--execution: expected one of %s, got '%s'", known,
                       name)
                : 0;
}

static int choose_executions(struct traverse_request *q, struct err *err)
{
    if (!q->executions.n)
        return choose_execution(q, NULL, err);
    for (size_t i = 0; i < q->executions.n; i++)
        if (choose_execution(q, q->executions.items[i], err) < 0)
            return -1;
    return 0;
}

static int check_options(struct traverse_request *q, struct err *err)
{
    if (!q->workload)
        return fail(err, "traverse: expected --workload bfs:GRAPH or "
                         "pagerank:GRAPH");
    if (!algorithm_of(q))
        return fail(err,
                    "--workload: expected bfs:GRAPH or pagerank:GRAPH, got "
                    "'%s'",
                    q->workload);
    if (!(q->threshold > 0 && q->threshold < 1))
        return fail(err,
                    "--threshold: expected a number between 0 and 1, got "
                    "%g",
                    q->threshold);
    if (choose_executions(q, err) < 0 || choose_transfers(q, err) < 0 ||
        numbers(q->gpu, &q->gpus, "gpus", 1, TRAVERSE_GPUS, "1", err) < 0 ||
        numbers(q->delta, &q->deltas, "delta", 1, 1e6, "1", err) < 0 ||
        numbers(q->skew, &q->skews, "skew", 0, 1e6, "0", err) < 0 ||
        numbers(q->latency, &q->latencies, "latency", 0, 1e6, "0", err) < 0)
        return -1;
    if (!q->partitions.n)
        q->partitions.items[q->partitions.n++] = "metis";
    for (size_t i = 0; i < q->partitions.n; i++)
        if (graph_partition_check(q->partitions.items[i], err) < 0)
            return -1;
    return 0;
}

/* --- the graph ------------------------------------------------------------ */

static int choose_source(struct traverse_request *q, struct err *err)
{
    uint64_t v = 0;

    if (!q->source) {
        q->from = graph_hub(&q->g);
        return 0;
    }
    const char *end = number_take_whole(q->source, &v);
    if (!end || *end || v >= q->g.n)
        return fail(err, "--source: expected a vertex below %u, got '%s'",
                    q->g.n, q->source);
    q->from = (uint32_t)v;
    return 0;
}

/* Returns the words without folders; a comma is replaced, because it would end
 * a cell. The caller frees them. */
static char *graph_cell(const char *words)
{
    const char *slash = strrchr(words, '/');
    char *cell = xstrdup(slash ? slash + 1 : words);

    for (char *p = cell; *p; p++)
        if (*p == ',')
            *p = ';';
    return cell;
}

static int load_graph(struct traverse_request *q, struct err *err)
{
    const char *words = strchr(q->workload, ':') + 1;

    if (graph_from_words(&q->g, words, err) < 0)
        return fail_in(err, "--workload");
    q->words = graph_cell(words);
    return choose_source(q, err);
}

/* --- the cases ------------------------------------------------------------ */

/* Measures the cases of a setting: those parameters of an execution that apply
 * to it. */
static int measure_execution(struct traverse_setting *s,
                             const struct traverse_request *q,
                             const struct traverse_execution *x,
                             enum transfer transfer, struct err *err)
{
    bool several = s->gpus > 1;

    for (size_t d = 0; d < (x->deltas ? q->deltas.n : 1); d++)
        for (size_t k = 0; k < (several ? q->skews.n : 1); k++)
            for (size_t l = 0; l < (several ? q->latencies.n : 1); l++) {
                struct traverse_case how = {
                    .x = x,
                    .gpus = s->gpus,
                    .transfer = transfer,
                    .delta = x->deltas ? (uint32_t)q->delta[d] : 0,
                    .threshold = q->threshold,
                    .max_iterations = q->max_iterations,
                    .skew_s = several ? 1e-6 * q->skew[k] : 0,
                    .latency_s = several ? 1e-6 * q->latency[l] : 0};
                if (setting_measure(s, &how, err) < 0)
                    return -1;
            }
    return 0;
}

/* Returns whether an execution can use a transfer; a ring is only for two GPUs,
 * because it forwards nothing. */
static bool does(const struct traverse_execution *x, enum transfer transfer,
                 unsigned gpus)
{
    return (x->transfers >> transfer & 1) &&
           (gpus == 2 || transfer != TRANSFER_RING);
}

/* Measures all executions of a setting; those that cannot use a transfer are
 * left out with a message. */
static int measure_setting(struct traverse_setting *s,
                           const struct traverse_request *q, struct err *err)
{
    for (size_t i = 0; i < q->nchosen; i++) {
        const struct traverse_execution *x = q->chosen[i];
        if (s->gpus == 1) {
            if (measure_execution(s, q, x, TRANSFER_NONE, err) < 0)
                return -1;
            continue;
        }
        for (size_t k = 0; k < q->transfers.n; k++)
            if (!does(x, q->transfer[k], s->gpus))
                fprintf(stderr,
                        "sluice-native: left out: %s by %s on %u GPUs\n",
                        x->name, transfer_names[q->transfer[k]], s->gpus);
            else if (measure_execution(s, q, x, q->transfer[k], err) < 0)
                return -1;
    }
    return 0;
}

static int measure_parts(struct table *t, const struct native *n,
                         const struct traverse_request *q, unsigned gpus,
                         const char *partition, const uint32_t *part,
                         struct err *err)
{
    struct traverse_setting s = {
        .n = n,
        .t = t,
        .g = &q->g,
        .graph = q->words,
        .partition = gpus > 1 ? partition : "-",
        .seed = q->seed,
        .source = q->from,
        .gpus = gpus,
        .devices = q->devices && q->devices < gpus ? q->devices : gpus,
        .runs = q->runs,
        .warm = q->warm,
        .most_s = q->native.per_point_s > 0 ? q->native.per_point_s : 5,
        .answer = &q->answer};
    int result = setting_make(&s, part, err);

    if (result == 0)
        result = measure_setting(&s, q, err);
    setting_clear(&s);
    return result;
}

/* Handles every number of GPUs and every partition; without a table it only
 * checks them. */
static int each_parts(struct table *t, const struct native *n,
                      const struct traverse_request *q, struct err *err)
{
    uint32_t *part = xcalloc(q->g.n + 1ull, sizeof *part);
    int result = 0;

    for (size_t i = 0; result == 0 && i < q->gpus.n; i++) {
        unsigned gpus = (unsigned)q->gpu[i];
        size_t partitions = gpus > 1 ? q->partitions.n : 1;
        for (size_t k = 0; result == 0 && k < partitions; k++) {
            const char *how = gpus > 1 ? q->partitions.items[k] : NULL;
            char *cell = how ? graph_cell(how) : NULL;
            native_alive(n, "the parts");
            result = graph_partition_by(part, &q->g, gpus, how, q->seed, err);
            if (result == 0 && t)
                result = measure_parts(t, n, q, gpus, cell, part, err);
            free(cell);
        }
    }
    free(part);
    return result;
}

static int measure_all(struct native *n, struct traverse_request *q,
                       struct err *err)
{
    static const char *const notes[] = {
        "rows level: of the levels of a level-synchronous execution, time_s is "
        "the median of the runs, p90_s their 90th percentile; frontier and "
        "level_arcs are of all GPUs; total: one run; median: of the totals",
        "time_s: by the CPU's clock from when all host threads are ready until "
        "the last has seen the end; values and queues are set up before, which "
        "is not in the time; two runs before do not count",
        "visits, pushes, received, remote_atomics, bytes, level_arcs of a "
        "total: of all GPUs; busy_s: of each GPU, from a kernel's launch to "
        "its seen end",
        "devices: fewer than gpus: GPUs that share a device, tried: their time "
        "is not that of so many GPUs",
        "partition -: one GPU; transfer -: none; delta 0: no priority; graph: "
        "; is a comma",
        "every run's depths are equal to those of a serial search, and so are "
        "the frontiers of each level; ranks are what the threshold allows "
        "below those of a serial computation",
        "pagerank: damping 0.85; threshold: sweeps end when no rank changes by "
        "more than this part of it, a residue above this part of 0.15 is "
        "passed on; a level is an iteration, frontier its vertices",
        NULL};
    struct table t;

    if (strcmp(algorithm_of(q), "bfs") == 0)
        answer_bfs(&q->answer, &q->g, q->from);
    else
        answer_pagerank(&q->answer, &q->g);
    if (table_open(&t, n, &q->native, "graph searches on real GPUs", notes,
                   TRAVERSE_COLUMNS, err) < 0)
        return -1;
    int result = each_parts(&t, n, q, err);
    return table_end(&t, n, result, err);
}

static int begin(struct native *n, struct traverse_request *q, struct err *err)
{
    const char *why = "--no-gpu was given";

    if (n->ranks > 1)
        return fail(err,
                    "traverse: expected one rank, got %d: its threads "
                    "drive the GPUs",
                    n->ranks);
    if (check_options(q, err) < 0 || load_graph(q, err) < 0)
        return -1;
    if (n->gpu != &gpu_host_api)
        return 0;
    /* Bad input is refused even if there is no GPU. */
    if (each_parts(NULL, n, q, err) < 0)
        return -1;
    gpu_cuda_api(&why);
    return fail(err, "traverse: needs a GPU: %s", why);
}

static const struct opts_page page = {
    .usage = "traverse --workload bfs:GRAPH|pagerank:GRAPH [OPTIONS]",
    .about =
        "Runs graph algorithms on GPUs. Graphs, parts and sources are those "
        "of `sluice run --workload bfs:GRAPH`. Executions: bsp, bsp-gunrock, "
        "direction, persistent, discrete-priority; of PageRank sweep, "
        "residual-discrete, residual-persistent (GPU.md describes each). One "
        "rank: a host thread drives each GPU.\n",
    .examples = {{"Run BFS on two GPUs",
                  "sluice-native traverse --workload bfs:rmat:scale=20 --gpus "
                  "2"}},
};

static int traverse_parse(struct native *n, struct traverse_request *q,
                          int argc, char **argv, bool *helped, struct err *err)
{
    double seed = 1;
    int noperands;
    const struct opt opts[] = {
        OPT_HEADING("Searches"),
        {"workload", OPT_TEXT, &q->workload, "WORDS",
         "bfs:GRAPH or pagerank:GRAPH: a file, or the words of a generator"},
        {"execution", OPT_TEXTS, &q->executions, "NAME",
         "execution; may be repeated, as all lists here [default: all]"},
        {"source", OPT_TEXT, &q->source, "V",
         "bfs: source vertex [default: the vertex of highest degree]"},
        {"delta", OPT_TEXTS, &q->deltas, "D",
         "levels of one priority, if there are priorities [default: 1]"},
        {"threshold", OPT_NUMBER, &q->threshold, "T",
         "PageRank tolerance, as of `sluice run` [default: 0.01]"},
        {"max-iterations", OPT_COUNT, &q->max_iterations, "N",
         "pagerank by sweeps: most iterations [default: 50]"},
        OPT_HEADING("GPUs"),
        {"gpus", OPT_TEXTS, &q->gpus, "N", "1 to 8 GPUs [default: 1]"},
        {"devices", OPT_COUNT, &q->devices, "N",
         "put the GPUs of a search on the first N devices, in turn, to try "
         "more than there are; rows are marked [default: a device each]"},
        {"partition", OPT_TEXTS, &q->partitions, "NAME|FILE",
         "partition of the vertices: contiguous, random, metis, geometric, or "
         "a file of part numbers [default: metis]"},
        {"seed", OPT_NUMBER, &seed, "N",
         "seed of random and metis [default: 1]"},
        {"transfer", OPT_TEXTS, &q->transfers, "HOW",
         "transfers between GPUs: store, copy, ring (of two) "
         "[default: store]"},
        {"skew", OPT_TEXTS, &q->skews, "US",
         "delay of the last GPU's start [default: 0]"},
        {"latency", OPT_TEXTS, &q->latencies, "US",
         "latency that is added to each transfer [default: 0]"},
        OPT_HEADING("Measurement"),
        {"runs", OPT_COUNT, &q->runs, "N", "runs of each case [default: 20]"},
        {"warm", OPT_COUNT, &q->warm, "N",
         "runs before them that do not count [default: 2]"},
        NATIVE_OPTIONS(q->native)};

    if (native_opts(n, argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                    &noperands, helped, err) < 0)
        return -1;
    if (*helped)
        return 0;
    if (noperands)
        return fail(err, "traverse: expected options only, got '%s'", argv[1]);
    if (!(seed >= 0) || seed > 9e15 || seed != (double)(uint64_t)seed)
        return fail(err, "--seed: expected a whole number, got %g", seed);
    q->seed = (uint64_t)seed;
    return 0;
}

int bench_traverse(struct native *n, int argc, char **argv, struct err *err)
{
    struct traverse_request q = {.runs = TRAVERSE_RUNS,
                                 .warm = TRAVERSE_WARM,
                                 .seed = 1,
                                 .threshold = 0.01,
                                 .max_iterations = 50};
    bool helped;

    if (traverse_parse(n, &q, argc, argv, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    /* With more streams than its 8, kernels would wait for others. */
    if (q.devices)
        setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    if (native_start(n, &q.native, err) < 0)
        return -1;
    int result = native_agree(n, begin(n, &q, err), err);
    if (result == 0)
        result = measure_all(n, &q, err);
    answer_clear(&q.answer);
    graph_clear(&q.g);
    free(q.words);
    return result;
}
