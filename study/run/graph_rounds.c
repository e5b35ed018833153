/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prepares a request for hosts: platforms, runtimes, the divided graph and the
 * rounds of the algorithm. */
#include "study/run/graph_rounds.h"

#include "base/seconds.h"
#include "platforms/platform_cache.h"
#include "study/run/job_parts.h"
#include "study/run/own_words.h"
#include "workloads/graph/graph_generate.h"
#include "workloads/graph/graph_weights.h"
#include "workloads/load/load_cache.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const graph_rounds_platform = "dane";
enum { ROUNDS_NODES = 16, PAGERANK_ROUNDS = 100, MAX_WEIGHT = 100 };

#define MOST_AS (UINT64_C(1) << 44)

static const struct workload *asked_workload(const struct request *r)
{
    struct err ignored; /* because an unknown workload is reported later */

    return r->work.words ? workload_find(r->work.words, &ignored) : NULL;
}

bool graph_rounds_asked(const struct request *r)
{
    const struct workload *w = asked_workload(r);

    return w && w->algorithm && (r->runtime || !w->options);
}

/* --- runtimes ------------------------------------------------------------- */

static unsigned asked_nodes(const struct request *r)
{
    return r->work.nodes ? r->work.nodes : ROUNDS_NODES;
}

/* --- platforms ------------------------------------------------------------ */

static int check_sets(const struct request *r, struct err *err)
{
    for (size_t i = 0; i < r->sets.n; i++)
        if (!strncmp(r->sets.items[i], "execution.", 10))
            return fail(err, "--set %s: hosts in rounds have no executions",
                        r->sets.items[i]);
    return 0;
}

void graph_rounds_settle(struct machine *m, const struct graph_rounds *g)
{
    for (int i = 0; i < NRUNTIMES; i++) {
        struct runtime_costs *c = &m->costs[i];
        c->threads = g->threads ? g->threads : c->threads;
        if (g->exhaustion)
            c->exhaustion_fails = !strcmp(g->exhaustion, "error");
    }
}

static int load_machine(struct graph_rounds *g, const char *name,
                        const struct request *r, struct err *err)
{
    const char *sets[TEXTS + 1];
    size_t n = 0;
    char *matching = NULL;

    if (r->matching)
        sets[n++] = matching = xasprintf("matching=%s", r->matching);
    for (size_t i = 0; i < r->sets.n; i++)
        sets[n++] = r->sets.items[i];
    struct machine *m = &g->machines[g->nmachines];
    int result = platform_cache_load(m, load_cache_platforms(r->work.cache),
                                     name, sets, n, err);
    free(matching);
    if (result < 0)
        return -1;
    g->nmachines++;
    graph_rounds_settle(m, g);
    return 0;
}

static size_t count_words(const char *list)
{
    size_t n = 1;

    for (; *list; list++)
        n += *list == ',';
    return n;
}

/* Loads all machines before any cell, because cells borrow them. */
static int load_machines(struct graph_rounds *g, const struct request *r,
                         struct err *err)
{
    char *list = xstrdup(r->platform ? r->platform : graph_rounds_platform);
    char *rest = list;
    int result = 0;

    g->machines = xcalloc(count_words(list), sizeof *g->machines);
    for (char *name; result == 0 && (name = strsep(&rest, ","));)
        result = *name
                     ? load_machine(g, name, r, err)
                     : fail(err, "--platform %s: a name is empty", r->platform);
    free(list);
    return result;
}

static int check_nodes(const struct machine *m, unsigned nodes, struct err *err)
{
    if (nodes > m->network.nodes)
        return fail(err, "%s has %u nodes; %u hosts wanted", m->name,
                    m->network.nodes, nodes);
    return 0;
}

/* Fails if the runtime is there twice; the cells of one machine are
 * consecutive. */
static int check_once(const struct graph_rounds *g,
                      const struct rounds_cell *cell, const char *word,
                      struct err *err)
{
    for (size_t i = g->ncells; i-- > 0 && g->cells[i].machine == cell->machine;)
        if (g->cells[i].runtime == cell->runtime)
            return fail(err, "--runtime: %s is named twice", word);
    return 0;
}

static int add_cells(struct graph_rounds *g, const struct machine *m,
                     const char *runtimes, unsigned nodes, struct err *err)
{
    char *list = xstrdup(runtimes), *rest = list;
    int result = 0;

    for (char *word; result == 0 && (word = strsep(&rest, ","));) {
        struct rounds_cell cell = {.machine = m};
        struct err why;
        result = job_runtime(&cell.runtime, word, err);
        if (result == 0 && cell.runtime == RUNTIME_PEER)
            result = fail(err, "--runtime: peer is of GPUs, not of hosts");
        if (result == 0)
            result = check_once(g, &cell, word, err);
        if (result < 0)
            break;
        if (check_nodes(m, nodes, &why) < 0 ||
            round_costs_of(&cell.costs, m, g->threads, &why) < 0) {
            cell.why = xmalloc(sizeof why);
            *cell.why = why;
        }
        g->cells = xrealloc(g->cells, g->ncells + 1, sizeof *g->cells);
        g->cells[g->ncells++] = cell;
    }
    free(list);
    return result;
}

static int load_cells(struct graph_rounds *g, const struct request *r,
                      struct err *err)
{
    if (check_sets(r, err) < 0 || job_check_exhaustion(r, err) < 0 ||
        load_machines(g, r, err) < 0)
        return -1;
    for (size_t i = 0; i < g->nmachines; i++)
        if (add_cells(g, &g->machines[i], r->runtime, asked_nodes(r), err) < 0)
            return -1;
    /* because an empty --platform or --runtime is an error above */
    assert(g->ncells);
    for (size_t i = 0; i < g->ncells; i++)
        if (!g->cells[i].why)
            return 0;
    *err = *g->cells[0].why;
    return -1;
}

/* --- options -------------------------------------------------------------- */

static int check_option(void *arg, const char *option, struct err *err)
{
    const struct workload *w = arg;

    if (opt_in_list("platform workload set", option) ||
        opt_in_list(w->round_options, option))
        return 0;
    if (request_refuse_owned(option, w, err) < 0)
        return -1;
    return fail(err, "--%s: not for %s with --runtime, which takes: %s", option,
                w->prefix, w->round_options);
}

static int check_number(double value, double least, double below,
                        const char *option, struct err *err)
{
    if (!(value >= least && value < below))
        return fail(err, "--%s: expected a number from %g to below %g, got %g",
                    option, least, below, value);
    return 0;
}

static int choose_source(struct graph_rounds *g, double source, struct err *err)
{
    g->in.source = graph_hub(&g->graph);
    if (isnan(source))
        return 0;
    if (!(source >= 0 && source < g->graph.n) || source != floor(source))
        return fail(err, "--source: %s has %u vertices, from 0; got %.15g",
                    g->graph.name, g->graph.n, source);
    g->in.source = (uint32_t)source;
    return 0;
}

/* Chooses the weights of the file, if it has any and the request asks for
 * none. */
static int choose_weight(struct graph_rounds *g, unsigned most, struct err *err)
{
    const char *path = g->plain_words + strlen(g->workload->prefix);

    g->in.max_weight = most ? most : MAX_WEIGHT;
    if (g->like) {
        g->in.weight = g->like->weight;
        return 0;
    }
    if (most || !opt_in_list(g->workload->round_options, "max-weight") ||
        graph_generator_of(path))
        return 0;
    if (graph_read_weights(&g->weight, &g->graph, path, err) < 0)
        return -1;
    g->in.weight = g->weight;
    return 0;
}

static int choose_input(struct graph_rounds *g, const struct request *r,
                        struct err *err)
{
    const struct workload_request *w = &r->work;

    g->in.hosts = &g->hosts;
    g->in.damping = isnan(w->damping) ? PAGERANK_DAMPING : w->damping;
    g->in.threshold = isnan(w->threshold) ? PAGERANK_THRESHOLD : w->threshold;
    g->in.jobs = r->exec ? r->exec->jobs : 1;
    g->in.max_rounds = w->max_iterations ? w->max_iterations : PAGERANK_ROUNDS;
    if (check_number(g->in.damping, 0, 1, "damping", err) < 0 ||
        check_number(g->in.threshold, 0, 1, "threshold", err) < 0 ||
        choose_source(g, w->source, err) < 0)
        return -1;
    return choose_weight(g, r->max_weight, err);
}

/* Computes how much larger the graph is that this one represents. */
static int choose_scale(struct graph_rounds *g, const struct request *r,
                        struct err *err)
{
    if (r->arcs_as && !r->vertices_as)
        return fail(err, "--arcs-as: only with --vertices-as");
    if (!r->vertices_as)
        return 0;
    if (r->vertices_as < g->graph.n || r->vertices_as > MOST_AS ||
        r->arcs_as > MOST_AS)
        return fail(err,
                    "--vertices-as, --arcs-as: expected at least the %u "
                    "vertices of %s, and at most 2^44",
                    g->graph.n, g->graph.name);
    g->vertices_x = (double)r->vertices_as / g->graph.n;
    g->arcs_x = r->arcs_as && graph_arcs(&g->graph)
                    ? (double)r->arcs_as / (double)graph_arcs(&g->graph)
                    : g->vertices_x;
    return 0;
}

/* --- the whole ------------------------------------------------------------ */

static int load_graph(struct graph_rounds *g, struct err *err)
{
    if (g->like) {
        g->graph = g->like->graph;
        return 0;
    }
    if (graph_from_words(&g->graph,
                         g->plain_words + strlen(g->workload->prefix), err) < 0)
        return -1;
    if (g->algorithm->undirected && !graph_is_symmetric(&g->graph))
        graph_undirect(&g->graph);
    return 0;
}

static int divide_and_run(struct graph_rounds *g, const struct request *r,
                          const struct cut_words *cut, struct err *err)
{
    double start_s;

    if (load_graph(g, err) < 0 || choose_input(g, r, err) < 0 ||
        choose_scale(g, r, err) < 0)
        return -1;
    start_s = seconds();
    if (hosts_divide(&g->hosts, &g->graph, asked_nodes(r), cut, err) < 0)
        return -1;
    g->algorithm->run[cut->cut](&g->result, &g->in);
    if (g->result.too_long)
        return fail(err,
                    "%s: a path is longer than a number of 4 B holds "
                    "(--max-weight)",
                    g->words);
    g->run_wall_s = seconds() - start_s;
    return 0;
}

int graph_rounds_check_names(const struct request *r, struct err *err)
{
    struct cut_words ignored;
    struct request own;

    if (request_split(&own, r, err) < 0)
        return 1;
    request_unsplit(&own);

    if (request_said(r, check_option, (void *)asked_workload(r), err) < 0)
        return 1;
    return cut_read(&ignored, r->work.partition, err) < 0
               ? -1
               : job_check_runtimes(r->runtime, err);
}

static int load_all(struct graph_rounds *g, const struct request *r,
                    struct err *err)
{
    struct cut_words cut;

    if (!r->runtime)
        return fail(err,
                    "%s runs on hosts, in rounds: say --runtime (such as mpi)",
                    g->workload->prefix);
    if (request_said(r, check_option, (void *)g->workload, err) < 0 ||
        cut_read(&cut, r->work.partition, err) < 0)
        return -1;
    g->threads = r->threads;
    g->exhaustion = r->exhaustion;
    if (load_cells(g, r, err) < 0)
        return -1;
    return divide_and_run(g, r, &cut, err);
}

int graph_rounds_load(struct graph_rounds *g, const struct request *r,
                      struct err *err)
{
    return graph_rounds_load_like(g, NULL, r, err);
}

int graph_rounds_load_like(struct graph_rounds *g,
                           const struct graph_rounds *like,
                           const struct request *r, struct err *err)
{
    *g = (struct graph_rounds){.workload = asked_workload(r), .like = like};
    g->algorithm = analytics_find(g->workload->algorithm);
    struct request own;
    if (request_split(&own, r, err) < 0)
        return -1;
    g->words = xstrdup(r->work.words);
    g->plain_words = (char *)own.work.words;
    if (load_all(g, &own, err) == 0)
        return 0;
    graph_rounds_clear(g);
    return -1;
}

void rounds_time_clear(struct rounds_time *t)
{
    free(t->use);
    free(t->round_s);
    free(t->round_compute_s);
    if (t->outcome)
        outcome_clear(t->outcome);
    free(t->outcome);
    *t = (struct rounds_time){0};
}

void graph_rounds_clear(struct graph_rounds *g)
{
    for (size_t i = 0; i < g->ncells; i++) {
        free(g->cells[i].why);
        rounds_time_clear(&g->cells[i].as_run);
        rounds_time_clear(&g->cells[i].scaled);
    }
    free(g->cells);
    for (size_t i = 0; i < g->nmachines; i++)
        machine_clear(&g->machines[i]);
    free(g->machines);
    analytics_clear(&g->result);
    hosts_clear(&g->hosts);
    if (!g->like)
        graph_clear(&g->graph);
    free(g->weight);
    free(g->words);
    free(g->plain_words);
    memset(g, 0, sizeof *g);
}
