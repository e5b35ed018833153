/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generates surrogate graphs for published graphs, at any scale, from their
 * known properties. */
#include "workloads/graph/graph_surrogate.h"

#include "workloads/graph/graph_generate.h"
#include "workloads/graph/power.h"
#include "workloads/graph/surrogate_facts.h"
#include "workloads/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const surrogate_property_names[NSTANDIN_PROPERTIES] = {
    [SURROGATE_VERTICES] = "vertices",
    [SURROGATE_ARCS] = "arcs",
    [SURROGATE_SYMMETRIC] = "symmetric share",
    [SURROGATE_MAX_OUT] = "largest out-degree",
    [SURROGATE_MAX_IN] = "largest in-degree",
    [SURROGATE_DEVIATION_OUT] = "deviation of the out-degree",
    [SURROGATE_DEVIATION_IN] = "deviation of the in-degree",
    [SURROGATE_ONES] = "share of degree 1",
    [SURROGATE_DIAMETER] = "diameter",
    [SURROGATE_HUB_HOPS] = "levels of a search",
    [SURROGATE_REACHED] = "vertices a search reaches",
    [SURROGATE_LARGEST_LEVEL] = "arcs in the largest level",
    [SURROGATE_TWO_LEVELS] = "arcs in the two largest",
    [SURROGATE_RUNS] = "runs of heads, by arc",
    [SURROGATE_SIMILAR] = "heads near the next's",
    [SURROGATE_SECTORS] = "sectors, by arc",
    [SURROGATE_MISSES] = "misses of 1/8 cache, by arc",
    [SURROGATE_CUT_2] = "METIS edge cut, 2 GPUs",
    [SURROGATE_CUT_4] = "METIS edge cut, 4 GPUs",
    [SURROGATE_ARC_BALANCE_2] = "METIS arc balance, 2 GPUs",
    [SURROGATE_ARC_BALANCE_4] = "METIS arc balance, 4 GPUs",
    [SURROGATE_LEVEL_BALANCE_2] = "  level by level, 2 GPUs",
    [SURROGATE_LEVEL_BALANCE_4] = "  level by level, 4 GPUs",
};

struct words {
    const struct surrogate_graph *surrogate;
    double scale;
    uint64_t seed;
};

static int unknown_name(const char *name, struct err *err)
{
    const char **names = xcalloc(nstandins, sizeof *names);
    char *known = xstrdup(surrogate_graphs[0].name);

    for (size_t i = 0; i < nstandins; i++)
        names[i] = surrogate_graphs[i].name;
    for (size_t i = 1; i < nstandins; i++) {
        char *longer = xasprintf("%s, %s", known, names[i]);
        free(known);
        known = longer;
    }
    const char *near = nearest_word(name, names, nstandins);
    int result =
        near
            ? fail(err, "'%s': unknown graph (did you mean %s?)", name, near)
            : fail(err, "'%s': unknown graph: expected one of %s", name, known);
    free(names);
    free(known);
    return result;
}

static int read_words(struct words *w, const char *rest, struct err *err)
{
    const struct word words[] = {
        {"scale", WORD_SHARE, &w->scale, true},
        {"seed", WORD_SEED, &w->seed, true},
    };
    size_t length = strcspn(rest, ",");
    char name[64] = "";

    *w = (struct words){.scale = 1, .seed = GRAPH_SEED};
    if (length < sizeof name)
        memcpy(name, rest, length);
    for (size_t i = 0; i < nstandins; i++)
        if (!strcmp(surrogate_graphs[i].name, name))
            w->surrogate = &surrogate_graphs[i];
    if (!w->surrogate)
        return unknown_name(name, err);
    if (rest[length] && words_read(rest + length + 1, words, 2, err) < 0)
        return -1;
    if (w->scale * fact_of(w->surrogate, SURROGATE_VERTICES) < 256)
        return fail(err, "scale: %g leaves less than 256 vertices", w->scale);
    return 0;
}

static double surrogate_least(double a, double b)
{
    return a < b ? a : b;
}

/* Returns the factor by which a largest degree shrinks, by the rule in
 * graph_surrogate.h. */
static double degree_ratio(const struct words *w,
                           enum surrogate_property property)
{
    double n = w->scale * fact_of(w->surrogate, SURROGATE_VERTICES);
    double full = fact_of(w->surrogate, property);
    double ratio = power_of(w->scale, 0.604);

    return w->surrogate->kind == SURROGATE_ROAD
               ? 1
               : surrogate_least(ratio, n / 10 / full);
}

static double deviation_ratio(const struct words *w,
                              enum surrogate_property largest)
{
    double capped = degree_ratio(w, largest) / power_of(w->scale, 0.604);

    return w->surrogate->kind == SURROGATE_ROAD
               ? 1
               : capped * power_of(w->scale, 0.173);
}

/* Returns the value of a property at the scale. */
static double scaled(const struct words *w, enum surrogate_property property)
{
    double full = fact_of(w->surrogate, property);
    double n = fact_of(w->surrogate, SURROGATE_VERTICES);
    bool mesh = w->surrogate->kind == SURROGATE_ROAD;

    switch (property) {
    case SURROGATE_VERTICES:
    case SURROGATE_ARCS:
        return floor(full * w->scale + 0.5);
    case SURROGATE_MAX_OUT:
    case SURROGATE_MAX_IN:
        return full * degree_ratio(w, property);
    case SURROGATE_DEVIATION_OUT:
        return full * deviation_ratio(w, SURROGATE_MAX_OUT);
    case SURROGATE_DEVIATION_IN:
        return full * deviation_ratio(w, SURROGATE_MAX_IN);
    case SURROGATE_DIAMETER:
    case SURROGATE_HUB_HOPS:
        return mesh ? full * sqrt(w->scale)
                    : full * power_log2(n * w->scale) / power_log2(n);
    case SURROGATE_CUT_2:
    case SURROGATE_CUT_4:
        return mesh ? full / sqrt(w->scale) : full;
    default:
        return full;
    }
}

static int make_road(struct graph *g, const struct words *w, struct err *err)
{
    struct graph_road r = {
        .vertices = (uint64_t)scaled(w, SURROGATE_VERTICES),
        .arcs = (uint64_t)scaled(w, SURROGATE_ARCS),
        .diameter = (uint64_t)(scaled(w, SURROGATE_DIAMETER) + 0.5),
        .dead_ends = fact_of(w->surrogate, SURROGATE_ONES),
        .bridges = w->surrogate->bridges,
        .max_degree = (uint64_t)fact_of(w->surrogate, SURROGATE_MAX_OUT),
        .seed = w->seed,
    };

    return graph_road(g, &r, err);
}

static int make_rmat(struct graph *g, const struct words *w, struct err *err)
{
    double bits = power_log2(scaled(w, SURROGATE_VERTICES));
    struct graph_rmat r = {
        .scale = (unsigned)(bits + 0.5),
        .arcs = (uint64_t)scaled(w, SURROGATE_ARCS),
        .fill = true,
        .undirected = fact_of(w->surrogate, SURROGATE_SYMMETRIC) == 1,
        .a = w->surrogate->a,
        .b = w->surrogate->b,
        .c = w->surrogate->c,
        .seed = w->seed,
    };

    return graph_rmat(g, &r, err);
}

static int make_follow(struct graph *g, const struct words *w, struct err *err)
{
    struct graph_follow f = w->surrogate->follow;

    f.vertices = (uint64_t)scaled(w, SURROGATE_VERTICES);
    f.arcs = (uint64_t)scaled(w, SURROGATE_ARCS);
    f.symmetric = fact_of(w->surrogate, SURROGATE_SYMMETRIC);
    f.out.max_degree = scaled(w, SURROGATE_MAX_OUT);
    f.out.deviation = scaled(w, SURROGATE_DEVIATION_OUT);
    f.in.max_degree = scaled(w, SURROGATE_MAX_IN);
    f.in.deviation = scaled(w, SURROGATE_DEVIATION_IN);
    f.seed = w->seed;
    return graph_follow(g, &f, err);
}

static int make_social(struct graph *g, const struct words *w, struct err *err)
{
    struct graph_social s = w->surrogate->social;

    s.vertices = (uint64_t)scaled(w, SURROGATE_VERTICES);
    s.arcs = (uint64_t)scaled(w, SURROGATE_ARCS);
    s.symmetric = fact_of(w->surrogate, SURROGATE_SYMMETRIC);
    s.out.max_degree = scaled(w, SURROGATE_MAX_OUT);
    s.out.deviation = scaled(w, SURROGATE_DEVIATION_OUT);
    s.in.max_degree = scaled(w, SURROGATE_MAX_IN);
    s.in.deviation = scaled(w, SURROGATE_DEVIATION_IN);
    s.seed = w->seed;
    return graph_social(g, &s, err);
}

static int make_casts(struct graph *g, const struct words *w, struct err *err)
{
    struct graph_casts c = w->surrogate->casts;

    c.vertices = (uint64_t)scaled(w, SURROGATE_VERTICES);
    c.arcs = (uint64_t)scaled(w, SURROGATE_ARCS);
    c.casts = (uint64_t)((double)c.vertices / w->surrogate->per_cast);
    c.max_degree *= scaled(w, SURROGATE_MAX_OUT);
    c.seed = w->seed;
    return graph_casts(g, &c, err);
}

static int make_web(struct graph *g, const struct words *w, struct err *err)
{
    struct graph_web web = w->surrogate->web;

    web.vertices = (uint64_t)scaled(w, SURROGATE_VERTICES);
    web.arcs = (uint64_t)scaled(w, SURROGATE_ARCS);
    web.largest = scaled(w, SURROGATE_MAX_OUT);
    web.largest_host *= scaled(w, SURROGATE_MAX_IN);
    web.seed = w->seed;
    return graph_web(g, &web, err);
}

int graph_surrogate(struct graph *g, const char *rest, struct err *err)
{
    struct words w;

    if (read_words(&w, rest, err) < 0)
        return -1;
    switch (w.surrogate->kind) {
    case SURROGATE_ROAD:
        return make_road(g, &w, err);
    case SURROGATE_RMAT:
        return make_rmat(g, &w, err);
    case SURROGATE_SOCIAL:
        return make_social(g, &w, err);
    case SURROGATE_CASTS:
        return make_casts(g, &w, err);
    case SURROGATE_WEB:
        return make_web(g, &w, err);
    default:
        return make_follow(g, &w, err);
    }
}

size_t surrogate_targets(const char *words,
                         struct surrogate_target out[NSTANDIN_PROPERTIES])
{
    struct words w;
    struct err err;
    size_t n = 0;

    if (strncmp(words, "standin:", 8) != 0 ||
        read_words(&w, words + 8, &err) < 0)
        return 0;
    for (size_t i = 0; i < nsurrogate_facts; i++) {
        const struct surrogate_fact *f = &surrogate_facts[i];
        if (strcmp(f->graph, w.surrogate->name) != 0)
            continue;
        out[n++] = (struct surrogate_target){.property = f->property,
                                             .full = f->value,
                                             .wanted = scaled(&w, f->property),
                                             .source = f->source};
    }
    return n;
}

/* Returns the share of the arcs in the largest level, or in the two largest. */
static double largest_levels(const struct graph_search *s, int n)
{
    double most = 0, next = 0;

    for (uint32_t l = 0; l < s->levels; l++)
        if (s->level[l] > most) {
            next = most;
            most = s->level[l];
        } else if (s->level[l] > next) {
            next = s->level[l];
        }
    return n == 1 ? most : most + next;
}

static double got_of_search(enum surrogate_property property,
                            const struct graph_search *s)
{
    switch (property) {
    case SURROGATE_LARGEST_LEVEL:
        return largest_levels(s, 1);
    case SURROGATE_TWO_LEVELS:
        return largest_levels(s, 2);
    case SURROGATE_RUNS:
        return s->runs;
    case SURROGATE_SIMILAR:
        return s->similar;
    case SURROGATE_SECTORS:
        return s->sectors;
    case SURROGATE_MISSES:
        return s->misses_by_level[1];
    default:
        return NAN;
    }
}

double surrogate_got(enum surrogate_property property,
                     const struct graph_stats *s,
                     const struct graph_search *search,
                     const struct graph_cut *cut)
{
    const struct graph_cut *two = cut && cut->ngpus == 2 ? cut : NULL;
    const struct graph_cut *four = cut && cut->ngpus == 4 ? cut : NULL;

    switch (property) {
    case SURROGATE_VERTICES:
        return s->vertices;
    case SURROGATE_ARCS:
        return (double)s->arcs;
    case SURROGATE_SYMMETRIC:
        return s->symmetric;
    case SURROGATE_MAX_OUT:
        return (double)s->out.max;
    case SURROGATE_MAX_IN:
        return (double)s->in.max;
    case SURROGATE_DEVIATION_OUT:
        return s->out.deviation;
    case SURROGATE_DEVIATION_IN:
        return s->in.deviation;
    case SURROGATE_ONES:
        return s->out.ones;
    case SURROGATE_DIAMETER:
        return s->diameter;
    case SURROGATE_HUB_HOPS: /* along the arcs, if that is known */
        return search ? search->levels - 1. : s->hub_hops;
    case SURROGATE_CUT_2:
        return two ? two->share : NAN;
    case SURROGATE_CUT_4:
        return four ? four->share : NAN;
    case SURROGATE_ARC_BALANCE_2:
        return two ? two->arc_balance : NAN;
    case SURROGATE_ARC_BALANCE_4:
        return four ? four->arc_balance : NAN;
    case SURROGATE_LEVEL_BALANCE_2:
        return two ? two->level_balance : NAN;
    case SURROGATE_LEVEL_BALANCE_4:
        return four ? four->level_balance : NAN;
    case SURROGATE_REACHED:
        return search && s->vertices ? (double)search->reached / s->vertices
                                     : NAN;
    default:
        return search ? got_of_search(property, search) : NAN;
    }
}
