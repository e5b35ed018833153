/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the time of an edge by the degrees of the graph. */
#include "strategies/agents/edge_cost.h"

#include "workloads/graph/graph_stats.h"

#define FIT                                                                    \
    " on a V100: fit to the 1-GPU columns of Tables II, IV and V of Chen et "  \
    "al. 2022"
#define ANOTHER ", in proportion to the memory bandwidth"
#define ROAD "road-like degrees, as road_usa" FIT
#define OTHER "degrees not road-like, as soc-LiveJournal1" FIT

/*
 * One number a class: that of one of the six graphs of the tables, which all
 * others of the class are assumed to share. BFS of road_usa: its levels' own
 * latency hides the edges, so it is taken to be that of soc-LiveJournal1. How
 * far this is off within a class is known of the six: from 0.041 to 0.543 ns in
 * BFS and from 0.012 to 0.33 ns in PageRank (results/atos/edge_costs.csv).
 */
static const struct known {
    double ns[NALGORITHMS];
    const char *source, *scaled;
} known[NEDGE_CLASSES] = {
    [EDGES_ROAD] = {{0.170, 0.078}, ROAD, ROAD ANOTHER},
    [EDGES_OTHER] = {{0.170, 0.089}, OTHER, OTHER ANOTHER},
};

/*
 * A graph in the plane has fewer than 6 arcs a vertex. Deviation by mean: 0.14
 * to 0.39 of road networks (andorra_osm, san-joaquin_road, road_usa) and up to
 * 0.49 of synthetic graphs of some thousand vertices, 0.65 of random arcs with
 * as low a mean, above 1 of social networks and links of the web.
 */
static const double planar_mean = 6, even_deviation = 0.55;

static const double v100_Bps = 900e9; /* its specification */

enum edge_class edge_class(const struct graph *g)
{
    struct graph_degrees d = graph_out_degrees(g);

    return d.mean < planar_mean && d.deviation <= even_deviation * d.mean
               ? EDGES_ROAD
               : EDGES_OTHER;
}

static bool is_v100(double memory_Bps)
{
    return memory_Bps <= 0 || memory_Bps == v100_Bps;
}

double edge_cost_on(double v100_s, double memory_Bps)
{
    return v100_s * (is_v100(memory_Bps) ? 1 : v100_Bps / memory_Bps);
}

struct edge_cost edge_cost(const struct graph *g, enum algorithm algorithm,
                           double memory_Bps)
{
    const struct known *k = &known[edge_class(g)];

    return (struct edge_cost){edge_cost_on(k->ns[algorithm] * 1e-9, memory_Bps),
                              is_v100(memory_Bps) ? k->source : k->scaled};
}
