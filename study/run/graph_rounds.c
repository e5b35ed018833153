/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads a graph for hosts, divides it among them, and runs the algorithm. */
#include "study/run/graph_rounds.h"

#include "apps/rounds/round_plan.h"
#include "base/seconds.h"
#include "workloads/graph/graph_generate.h"
#include "workloads/graph/graph_weights.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_NODES = 16, PAGERANK_ROUNDS = 100, MAX_WEIGHT = 100 };

#define MOST_AS (UINT64_C(1) << 44)

/* --- options -------------------------------------------------------------- */

/* Returns the words of the graph itself. */
static const char *graph_words(const struct job *j)
{
    return j->plain_words + strlen(j->workload->prefix);
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
static int choose_weight(struct graph_rounds *g, const struct job *j,
                         unsigned most, struct err *err)
{
    const char *path = graph_words(j);

    g->in.max_weight = most ? most : MAX_WEIGHT;
    if (g->like) {
        g->in.weight = g->like->weight;
        return 0;
    }
    if (most || !opt_in_list(j->workload->round_options, "max-weight") ||
        graph_generator_of(path))
        return 0;
    if (graph_read_weights(&g->weight, &g->graph, path, err) < 0)
        return -1;
    g->in.weight = g->weight;
    return 0;
}

static int choose_input(struct graph_rounds *g, const struct job *j,
                        const struct request *r, struct err *err)
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
    return choose_weight(g, j, r->max_weight, err);
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

static int load_graph(struct graph_rounds *g, const struct job *j,
                      struct err *err)
{
    if (g->like) {
        g->graph = g->like->graph;
        return 0;
    }
    if (graph_from_words(&g->graph, graph_words(j), err) < 0)
        return -1;
    if (g->algorithm->undirected && !graph_is_symmetric(&g->graph))
        graph_undirect(&g->graph);
    return 0;
}

static int divide_and_run(struct graph_rounds *g, const struct job *j,
                          const struct request *r, const struct cut_words *cut,
                          struct err *err)
{
    double start_s;

    if (load_graph(g, j, err) < 0 || choose_input(g, j, r, err) < 0 ||
        choose_scale(g, r, err) < 0)
        return -1;
    start_s = seconds();
    if (hosts_divide(&g->hosts, &g->graph, j->load.nodes, cut, err) < 0)
        return -1;
    g->algorithm->run[cut->cut](&g->result, &g->in);
    if (g->result.too_long)
        return fail(err,
                    "%s: a path is longer than a number of 4 B holds "
                    "(--max-weight)",
                    j->words);
    g->wall_s = seconds() - start_s;
    return 0;
}

static int check_machine(const struct job *j, unsigned threads, struct err *err)
{
    const struct machine *m = j->machine;
    struct round_costs ignored;

    if (j->load.nodes > m->network.nodes)
        return fail(err, "%s has %u nodes; %u hosts wanted", m->name,
                    m->network.nodes, j->load.nodes);
    return round_costs_of(&ignored, m, threads, err);
}

static bool same_cut(const struct hosts *h, const struct cut_words *cut)
{
    return h->cut == cut->cut && (!cut->rows || h->rows == cut->rows);
}

int graph_rounds_load(struct job *j, const struct request *r, struct err *err)
{
    struct cut_words cut;

    j->load.nodes = r->work.nodes ? r->work.nodes : ROUNDS_NODES;
    if (!r->runtime)
        return fail(err,
                    "%s runs on hosts, in rounds: say --runtime (such as mpi)",
                    j->workload->prefix);
    if (cut_read(&cut, r->work.partition, err) < 0 ||
        check_machine(j, r->threads, err) < 0)
        return -1;
    if (r->like && same_cut(&r->like->hosts, &cut)) {
        j->rounds = r->like;
    } else {
        struct graph_rounds *g = xcalloc(1, sizeof *g);
        g->like = r->like;
        g->algorithm = analytics_find(j->workload->algorithm);
        g->threads = r->threads;
        g->exhaustion_asked = r->exhaustion;
        g->exhaustion_fails = r->exhaustion && !strcmp(r->exhaustion, "error");
        j->rounds = j->own_rounds = g;
        if (divide_and_run(g, j, r, &cut, err) < 0)
            return -1;
    }
    j->load.partition = hosts_cut_words(&j->rounds->hosts);
    return 0;
}

void graph_rounds_free(struct graph_rounds *g)
{
    if (!g)
        return;
    analytics_clear(&g->result);
    hosts_clear(&g->hosts);
    if (!g->like)
        graph_clear(&g->graph);
    free(g->weight);
    free(g);
}
