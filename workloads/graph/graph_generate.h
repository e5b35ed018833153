/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_generate.h - graphs that are generated from a few parameters and a
 * seed. They are equal on every machine, because random numbers come from
 * base/random.h, and decisions use only +, -, *, / and power.h. */
#ifndef WORKLOADS_GRAPH_GRAPH_GENERATE_H
#define WORKLOADS_GRAPH_GRAPH_GENERATE_H

#include "base/err.h"
#include "workloads/graph/graph.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The seed of all generators, unless the words have seed=K. */
enum { GRAPH_SEED = 1 };

struct graph_generator {
    const char *name;  /* "rmat"; the words are "rmat:..." */
    const char *words; /* its parameters, for help and errors */
    /* Generates a graph; `rest` is the text after "rmat:". */
    int (*generate)(struct graph *g, const char *rest, struct err *err);
};
extern const struct graph_generator graph_generators[];
extern const size_t ngraph_generators;

/* Returns the generator whose name and a colon begin `words`, or NULL. */
const struct graph_generator *graph_generator_of(const char *words);

/* R-MAT (Chakrabarti et al. 2004): an arc falls into a quarter of the adjacency
 * matrix with the probabilities a, b, c and 1 - a - b - c, again in that
 * quarter, and so on. The numbers of the vertices are scrambled. */
struct graph_rmat {
    unsigned scale;  /* 2^scale vertices, at most 2^31 */
    uint64_t arcs;   /* number of arcs to draw */
    bool fill;       /* continue until as many are different */
    bool undirected; /* the reverse of each is an arc; `arcs` counts both */
    double a, b, c;  /* in Graph500: 0.57, 0.19, 0.19 */
    uint64_t seed;
};
int graph_rmat(struct graph *g, const struct graph_rmat *r,
               struct err *err) MUST_CHECK;

/* A graph in which every arc is equally likely. */
struct graph_uniform {
    uint64_t vertices, arcs, seed;
};
int graph_uniform(struct graph *g, const struct graph_uniform *u,
                  struct err *err) MUST_CHECK;

/* A law of degrees: the number of vertices of degree d or more falls as d^(1 -
 * exponent), and flattens towards the largest. If the exponent is 0, it is
 * chosen such that the degrees have the given deviation. */
struct graph_power_law {
    double max_degree;
    double exponent; /* above 1, or 0 */
    double deviation;
};

/*
 * Communities of equal size, numbered one community after the other. The
 * degrees follow a power law. The ends of an arc are drawn by degree (Chung and
 * Lu 2002), both in one community but for the share `mix` of the arcs. More
 * arcs leave if a vertex has more than fit into its community.
 *
 * The communities lie on a line. With a `reach`, most arcs that leave lead no
 * further than that, and more to near places than to far ones, so that a search
 * comes to one part of the graph after the other. With a `slope`, the degrees
 * fall along the line, so that parts with equal numbers of vertices have
 * different numbers of arcs: if the mirror image of a vertex in the first half
 * has the larger degree, the two change places, with a probability that falls
 * linearly from `slope` at the ends to 0 in the middle.
 */
struct graph_community {
    uint64_t vertices, arcs, communities;
    double mix;       /* share of the arcs that leave their community */
    double reach;     /* share of the line, measured in arcs; 0 for all of it */
    double anywhere;  /* share of the leaving arcs that ignore the reach */
    double slope;     /* 0 for none; above 1, the probability is 1 for longer */
    double symmetric; /* share of the arcs whose reverse is an arc, too */
    struct graph_power_law out, in;
    bool scatter; /* numbers the vertices at random instead */
    uint64_t seed;
};
int graph_community(struct graph *g, const struct graph_community *c,
                    struct err *err) MUST_CHECK;

/*
 * A road network: streets that cross in a grid, divided into chains of vertices
 * of degree 2, with dead ends, some of which branch. It is connected and
 * symmetric, with coordinates in units of an arc. The diameter is met exactly,
 * the number of arcs up to the length of a side of the grid, because arcs / 2 -
 * vertices + 1 is the number of its cells. Real networks have smaller cuts than
 * a grid, along rivers and railways: of the streets between two districts only
 * the share `bridges` exists.
 */
struct graph_road {
    uint64_t vertices, arcs, diameter;
    double dead_ends; /* vertices of degree 1 as a share of all, approximate */
    double bridges;   /* above 0; 1 for all */
    uint64_t max_degree; /* 5 or more */
    uint64_t seed;
};
int graph_road(struct graph *g, const struct graph_road *r,
               struct err *err) MUST_CHECK;

/* Fail if a graph has more than 2^32 - 2 vertices, or needs more than the
 * memory of this machine. graph_check_size() assumes 20 B per arc, for arcs
 * that are sorted, graph_check_rows() 5 B, for graphs that are built vertex by
 * vertex. */
int graph_check_size(uint64_t vertices, uint64_t arcs,
                     struct err *err) MUST_CHECK;
int graph_check_rows(uint64_t vertices, uint64_t arcs,
                     struct err *err) MUST_CHECK;

#endif
