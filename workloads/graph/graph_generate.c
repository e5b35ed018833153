/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of graph generators, and the parameters of each. */
#include "workloads/graph/graph_generate.h"

#include "workloads/graph/graph_surrogate.h"
#include "workloads/words.h"

#include <math.h>
#include <string.h>

#define READ_WORDS(rest, words, err)                                           \
    words_read((rest), (words), sizeof(words) / sizeof(words)[0], (err))

static int rmat(struct graph *g, const char *rest, bool undirected,
                struct err *err)
{
    uint64_t scale = 0, edge_factor = 16; /* that of Graph500 */
    struct graph_rmat r = {.undirected = undirected,
                           .a = 0.57,
                           .b = 0.19,
                           .c = 0.19,
                           .seed = GRAPH_SEED};
    const struct word words[] = {
        {"scale", WORD_COUNT, &scale, false},
        {"edge_factor", WORD_COUNT, &edge_factor, true},
        {"a", WORD_SHARE, &r.a, true},
        {"b", WORD_SHARE, &r.b, true},
        {"c", WORD_SHARE, &r.c, true},
        {"seed", WORD_SEED, &r.seed, true},
    };

    if (READ_WORDS(rest, words, err) < 0)
        return -1;
    double d = 1 - r.a - r.b - r.c;
    if (fmax(fmax(r.a, r.b), fmax(r.c, d)) > 0.9 || d < 0.001 - 1e-9)
        return fail(err,
                    "a, b, c: expected at most 0.9 each, 0.1 to 0.999 "
                    "together, got %g, %g, %g",
                    r.a, r.b, r.c);
    if (scale > 31)
        return fail(err, "scale: expected 1 to 31, got %llu",
                    (unsigned long long)scale);
    r.scale = (unsigned)scale;
    if (__builtin_mul_overflow(edge_factor, UINT64_C(1) << scale, &r.arcs) ||
        (undirected && __builtin_mul_overflow(r.arcs, 2, &r.arcs)))
        r.arcs = UINT64_MAX;
    return graph_rmat(g, &r, err);
}

static int generate_rmat(struct graph *g, const char *rest, struct err *err)
{
    return rmat(g, rest, false, err);
}

static int generate_kronecker(struct graph *g, const char *rest,
                              struct err *err)
{
    return rmat(g, rest, true, err);
}

static int generate_uniform(struct graph *g, const char *rest, struct err *err)
{
    struct graph_uniform u = {.seed = GRAPH_SEED};
    const struct word words[] = {
        {"vertices", WORD_COUNT, &u.vertices, false},
        {"arcs", WORD_COUNT, &u.arcs, false},
        {"seed", WORD_SEED, &u.seed, true},
    };

    if (READ_WORDS(rest, words, err) < 0)
        return -1;
    return graph_uniform(g, &u, err);
}

static int generate_community(struct graph *g, const char *rest,
                              struct err *err)
{
    struct graph_community c = {.symmetric = 1, .seed = GRAPH_SEED};
    const struct word words[] = {
        {"vertices", WORD_COUNT, &c.vertices, false},
        {"arcs", WORD_COUNT, &c.arcs, false},
        {"communities", WORD_COUNT, &c.communities, false},
        {"mix", WORD_SHARE, &c.mix, false},
        {"exponent", WORD_REAL, &c.out.exponent, false},
        {"max_degree", WORD_REAL, &c.out.max_degree, false},
        {"symmetric", WORD_SHARE, &c.symmetric, true},
        {"reach", WORD_SHARE, &c.reach, true},
        {"anywhere", WORD_SHARE, &c.anywhere, true},
        {"slope", WORD_REAL, &c.slope, true},
        {"seed", WORD_SEED, &c.seed, true},
    };

    if (READ_WORDS(rest, words, err) < 0)
        return -1;
    c.in = c.out;
    return graph_community(g, &c, err);
}

static int generate_road(struct graph *g, const char *rest, struct err *err)
{
    struct graph_road r = {
        .dead_ends = 0.2, .bridges = 1, .max_degree = 9, .seed = GRAPH_SEED};
    const struct word words[] = {
        {"vertices", WORD_COUNT, &r.vertices, false},
        {"arcs", WORD_COUNT, &r.arcs, false},
        {"diameter", WORD_COUNT, &r.diameter, false},
        {"dead_ends", WORD_SHARE, &r.dead_ends, true},
        {"bridges", WORD_SHARE, &r.bridges, true},
        {"max_degree", WORD_COUNT, &r.max_degree, true},
        {"seed", WORD_SEED, &r.seed, true},
    };

    if (READ_WORDS(rest, words, err) < 0)
        return -1;
    return graph_road(g, &r, err);
}

const struct graph_generator graph_generators[] = {
    {"rmat", "scale=S[,edge_factor=16][,a=0.57][,b=0.19][,c=0.19][,seed=1]",
     generate_rmat},
    {"kronecker",
     "scale=S[,edge_factor=16][,a=0.57][,b=0.19][,c=0.19][,seed=1], both ways",
     generate_kronecker},
    {"uniform", "vertices=N,arcs=M[,seed=1]", generate_uniform},
    {"community",
     "vertices=N,arcs=M,communities=K,mix=SHARE,exponent=E,max_degree=D"
     "[,symmetric=1][,reach=0][,anywhere=0][,slope=0][,seed=1]",
     generate_community},
    {"road",
     "vertices=N,arcs=M,diameter=D[,dead_ends=0.2][,bridges=1]"
     "[,max_degree=9][,seed=1]",
     generate_road},
    {"standin", "NAME[,scale=1][,seed=1]", graph_surrogate},
};
const size_t ngraph_generators =
    sizeof graph_generators / sizeof graph_generators[0];

const struct graph_generator *graph_generator_of(const char *words)
{
    for (size_t i = 0; i < ngraph_generators; i++) {
        size_t length = strlen(graph_generators[i].name);
        if (!strncmp(words, graph_generators[i].name, length) &&
            words[length] == ':')
            return &graph_generators[i];
    }
    return NULL;
}

int graph_from_words(struct graph *g, const char *words, struct err *err)
{
    const struct graph_generator *made = graph_generator_of(words);

    if (!made)
        return graph_read(g, words, err);
    *g = (struct graph){0};
    if (made->generate(g, words + strlen(made->name) + 1, err) < 0)
        return fail_in(err, "%s", words);
    g->name = xstrdup(words);
    return 0;
}
