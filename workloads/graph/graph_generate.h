/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graph_generate.h - graphs generated from a few parameters and a seed, equal
 * on every machine: random numbers come from base/random.h, and decisions use
 * +, -, *, / and power.h only.
 */
#ifndef WORKLOADS_GRAPH_GRAPH_GENERATE_H
#define WORKLOADS_GRAPH_GRAPH_GENERATE_H

#include "base/err.h"
#include "workloads/graph/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The seed of all of them, unless the words say seed=K. */
enum { GRAPH_SEED = 1 };

struct graph_generator {
    const char *name;  /* "rmat": the words are "rmat:..." */
    const char *words; /* what may follow, for help and errors */
    /* `rest` is what follows "rmat:". */
    int (*generate)(struct graph *g, const char *rest, struct err *err);
};
extern const struct graph_generator graph_generators[];
extern const size_t ngraph_generators;

/* The generator whose name and a colon `words` begin with, or NULL. */
const struct graph_generator *graph_generator_of(const char *words);

/*
 * R-MAT (Chakrabarti et al. 2004): an arc falls into a quarter of the adjacency
 * matrix with the probabilities a, b, c and what is left, again in that
 * quarter, and so on. The numbers of the vertices are scrambled.
 */
struct graph_rmat {
    unsigned scale;  /* 2^scale vertices, at most 2^31 */
    uint64_t arcs;   /* drawn */
    bool fill;       /* draw on until so many are different */
    bool undirected; /* as many arcs again lead back; `arcs` counts both */
    double a, b, c;  /* Graph500: 0.57, 0.19, 0.19 */
    uint64_t seed;
};
int graph_rmat(struct graph *g, const struct graph_rmat *r,
               struct err *err) MUST_CHECK;

/* Every arc is equally likely. */
struct graph_uniform {
    uint64_t vertices, arcs, seed;
};
int graph_uniform(struct graph *g, const struct graph_uniform *u,
                  struct err *err) MUST_CHECK;

/*
 * The number of vertices of degree d or more falls as d^(1 - exponent), and
 * flattens towards the largest. With an exponent of 0 it is the one whose
 * degrees have the deviation.
 */
struct graph_power_law {
    double max_degree;
    double exponent; /* above 1 */
    double deviation;
};

/*
 * Vertices in communities of equal size, numbered one community after the
 * other. The degrees follow a power law; the ends of an arc are drawn by degree
 * (Chung and Lu 2002), both in one community but for the share `mix` of the
 * arcs. More leave when a vertex has more arcs than fit into its community.
 *
 * The communities lie on a line. With a `reach` most arcs that leave lead no
 * further than that, and more to near places than to far ones: a search then
 * comes to one part of the graph after the other. With a `slope` the degrees
 * fall along the line, so that of parts with as many vertices one has more
 * arcs: where the mirror image of a vertex in the first half has the larger
 * degree the two change places, with a probability that falls evenly from
 * `slope` at the ends to 0 in the middle.
 */
struct graph_community {
    uint64_t vertices, arcs, communities;
    double mix;       /* share of the arcs that leave their community */
    double reach;     /* share of the line, measured in arcs; 0: anywhere */
    double anywhere;  /* of the arcs that leave: not bound by the reach */
    double slope;     /* 0: none; above 1 the probability is 1 for longer */
    double symmetric; /* share of the arcs whose way back is an arc too */
    struct graph_power_law out, in;
    bool scatter; /* number the vertices at random instead */
    uint64_t seed;
};
int graph_community(struct graph *g, const struct graph_community *c,
                    struct err *err) MUST_CHECK;

/*
 * A road network: streets crossing in a grid, cut into chains of vertices of
 * degree 2, with dead ends, some of which branch. Connected, both ways, with
 * coordinates in arcs. The diameter is met exactly; the arcs but for the length
 * of a side of the grid, as arcs / 2 - vertices + 1 is the number of its cells.
 * Real networks are cut more easily than a grid, along rivers and railways: of
 * the streets between two districts only the share `bridges` is there.
 */
struct graph_road {
    uint64_t vertices, arcs, diameter;
    double dead_ends;    /* vertices of degree 1 among all, about */
    double bridges;      /* above 0; 1: all */
    uint64_t max_degree; /* at least 5 */
    uint64_t seed;
};
int graph_road(struct graph *g, const struct graph_road *r,
               struct err *err) MUST_CHECK;

/* At most 2^32 - 2 vertices, and what the memory of this machine holds: 20 B an
 * arc while they are sorted, 5 B when the graph is built vertex by vertex. */
int graph_check_size(uint64_t vertices, uint64_t arcs,
                     struct err *err) MUST_CHECK;
int graph_check_rows(uint64_t vertices, uint64_t arcs,
                     struct err *err) MUST_CHECK;

#endif
