/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generates surrogate graphs for published graphs, at any scale, from their
 * known properties. */
#include "workloads/graph/graph_standin.h"

#include "workloads/graph/graph_generate.h"
#include "workloads/graph/power.h"
#include "workloads/graph/standin_facts.h"
#include "workloads/words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const standin_property_names[NSTANDIN_PROPERTIES] = {
    [STANDIN_VERTICES] = "vertices",
    [STANDIN_ARCS] = "arcs",
    [STANDIN_SYMMETRIC] = "symmetric share",
    [STANDIN_MAX_OUT] = "largest out-degree",
    [STANDIN_MAX_IN] = "largest in-degree",
    [STANDIN_DEVIATION_OUT] = "deviation of the out-degree",
    [STANDIN_DEVIATION_IN] = "deviation of the in-degree",
    [STANDIN_ONES] = "share of degree 1",
    [STANDIN_DIAMETER] = "diameter",
    [STANDIN_HUB_HOPS] = "levels of a search",
    [STANDIN_REACHED] = "vertices a search reaches",
    [STANDIN_LARGEST_LEVEL] = "arcs in the largest level",
    [STANDIN_TWO_LEVELS] = "arcs in the two largest",
    [STANDIN_RUNS] = "runs of heads, by arc",
    [STANDIN_SIMILAR] = "heads near the next's",
    [STANDIN_SECTORS] = "sectors, by arc",
    [STANDIN_MISSES] = "misses of 1/8 cache, by arc",
    [STANDIN_CUT_2] = "METIS edge cut, 2 GPUs",
    [STANDIN_CUT_4] = "METIS edge cut, 4 GPUs",
    [STANDIN_ARC_BALANCE_2] = "METIS arc balance, 2 GPUs",
    [STANDIN_ARC_BALANCE_4] = "METIS arc balance, 4 GPUs",
    [STANDIN_LEVEL_BALANCE_2] = "  level by level, 2 GPUs",
    [STANDIN_LEVEL_BALANCE_4] = "  level by level, 4 GPUs",
};

struct words {
    const struct standin *standin;
    double scale;
    uint64_t seed;
};

static int unknown_name(const char *name, struct err *err)
{
    const char **names = xcalloc(nstandins, sizeof *names);
    char *known = xstrdup(standins[0].name);

    for (size_t i = 0; i < nstandins; i++)
        names[i] = standins[i].name;
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
        if (!strcmp(standins[i].name, name))
            w->standin = &standins[i];
    if (!w->standin)
        return unknown_name(name, err);
    if (rest[length] && words_read(rest + length + 1, words, 2, err) < 0)
        return -1;
    if (w->scale * fact_of(w->standin, STANDIN_VERTICES) < 256)
        return fail(err, "scale: %g leaves less than 256 vertices", w->scale);
    return 0;
}

static double standin_least(double a, double b)
{
    return a < b ? a : b;
}

/* Returns the factor by which a largest degree shrinks, by the rule in
 * graph_standin.h. */
static double degree_ratio(const struct words *w,
                           enum standin_property property)
{
    double n = w->scale * fact_of(w->standin, STANDIN_VERTICES);
    double full = fact_of(w->standin, property);
    double ratio = power_of(w->scale, 0.604);

    return w->standin->kind == STANDIN_ROAD
               ? 1
               : standin_least(ratio, n / 10 / full);
}

static double deviation_ratio(const struct words *w,
                              enum standin_property largest)
{
    double capped = degree_ratio(w, largest) / power_of(w->scale, 0.604);

    return w->standin->kind == STANDIN_ROAD
               ? 1
               : capped * power_of(w->scale, 0.173);
}

/* Returns the value of a property at the scale. */
static double scaled(const struct words *w, enum standin_property property)
{
    double full = fact_of(w->standin, property);
    double n = fact_of(w->standin, STANDIN_VERTICES);
    bool mesh = w->standin->kind == STANDIN_ROAD;

    switch (property) {
    case STANDIN_VERTICES:
    case STANDIN_ARCS:
        return floor(full * w->scale + 0.5);
    case STANDIN_MAX_OUT:
    case STANDIN_MAX_IN:
        return full * degree_ratio(w, property);
    case STANDIN_DEVIATION_OUT:
        return full * deviation_ratio(w, STANDIN_MAX_OUT);
    case STANDIN_DEVIATION_IN:
        return full * deviation_ratio(w, STANDIN_MAX_IN);
    case STANDIN_DIAMETER:
    case STANDIN_HUB_HOPS:
        return mesh ? full * sqrt(w->scale)
                    : full * power_log2(n * w->scale) / power_log2(n);
    case STANDIN_CUT_2:
    case STANDIN_CUT_4:
        return mesh ? full / sqrt(w->scale) : full;
    default:
        return full;
    }
}

static int make_road(struct graph *g, const struct words *w, struct err *err)
{
    struct graph_road r = {
        .vertices = (uint64_t)scaled(w, STANDIN_VERTICES),
        .arcs = (uint64_t)scaled(w, STANDIN_ARCS),
        .diameter = (uint64_t)(scaled(w, STANDIN_DIAMETER) + 0.5),
        .dead_ends = fact_of(w->standin, STANDIN_ONES),
        .bridges = w->standin->bridges,
        .max_degree = (uint64_t)fact_of(w->standin, STANDIN_MAX_OUT),
        .seed = w->seed,
    };

    return graph_road(g, &r, err);
}

static int make_rmat(struct graph *g, const struct words *w, struct err *err)
{
    double bits = power_log2(scaled(w, STANDIN_VERTICES));
    struct graph_rmat r = {
        .scale = (unsigned)(bits + 0.5),
        .arcs = (uint64_t)scaled(w, STANDIN_ARCS),
        .fill = true,
        .undirected = fact_of(w->standin, STANDIN_SYMMETRIC) == 1,
        .a = w->standin->a,
        .b = w->standin->b,
        .c = w->standin->c,
        .seed = w->seed,
    };

    return graph_rmat(g, &r, err);
}

static int make_follow(struct graph *g, const struct words *w, struct err *err)
{
    struct graph_follow f = w->standin->follow;

    f.vertices = (uint64_t)scaled(w, STANDIN_VERTICES);
    f.arcs = (uint64_t)scaled(w, STANDIN_ARCS);
    f.symmetric = fact_of(w->standin, STANDIN_SYMMETRIC);
    f.out.max_degree = scaled(w, STANDIN_MAX_OUT);
    f.out.deviation = scaled(w, STANDIN_DEVIATION_OUT);
    f.in.max_degree = scaled(w, STANDIN_MAX_IN);
    f.in.deviation = scaled(w, STANDIN_DEVIATION_IN);
    f.seed = w->seed;
    return graph_follow(g, &f, err);
}

static int make_social(struct graph *g, const struct words *w, struct err *err)
{
    struct graph_social s = w->standin->social;

    s.vertices = (uint64_t)scaled(w, STANDIN_VERTICES);
    s.arcs = (uint64_t)scaled(w, STANDIN_ARCS);
    s.symmetric = fact_of(w->standin, STANDIN_SYMMETRIC);
    s.out.max_degree = scaled(w, STANDIN_MAX_OUT);
    s.out.deviation = scaled(w, STANDIN_DEVIATION_OUT);
    s.in.max_degree = scaled(w, STANDIN_MAX_IN);
    s.in.deviation = scaled(w, STANDIN_DEVIATION_IN);
    s.seed = w->seed;
    return graph_social(g, &s, err);
}

static int make_casts(struct graph *g, const struct words *w, struct err *err)
{
    struct graph_casts c = w->standin->casts;

    c.vertices = (uint64_t)scaled(w, STANDIN_VERTICES);
    c.arcs = (uint64_t)scaled(w, STANDIN_ARCS);
    c.casts = (uint64_t)((double)c.vertices / w->standin->per_cast);
    c.max_degree *= scaled(w, STANDIN_MAX_OUT);
    c.seed = w->seed;
    return graph_casts(g, &c, err);
}

static int make_web(struct graph *g, const struct words *w, struct err *err)
{
    struct graph_web web = w->standin->web;

    web.vertices = (uint64_t)scaled(w, STANDIN_VERTICES);
    web.arcs = (uint64_t)scaled(w, STANDIN_ARCS);
    web.largest = scaled(w, STANDIN_MAX_OUT);
    web.largest_host *= scaled(w, STANDIN_MAX_IN);
    web.seed = w->seed;
    return graph_web(g, &web, err);
}

int graph_standin(struct graph *g, const char *rest, struct err *err)
{
    struct words w;

    if (read_words(&w, rest, err) < 0)
        return -1;
    switch (w.standin->kind) {
    case STANDIN_ROAD:
        return make_road(g, &w, err);
    case STANDIN_RMAT:
        return make_rmat(g, &w, err);
    case STANDIN_SOCIAL:
        return make_social(g, &w, err);
    case STANDIN_CASTS:
        return make_casts(g, &w, err);
    case STANDIN_WEB:
        return make_web(g, &w, err);
    default:
        return make_follow(g, &w, err);
    }
}

size_t standin_targets(const char *words,
                       struct standin_target out[NSTANDIN_PROPERTIES])
{
    struct words w;
    struct err err;
    size_t n = 0;

    if (strncmp(words, "standin:", 8) != 0 ||
        read_words(&w, words + 8, &err) < 0)
        return 0;
    for (size_t i = 0; i < nstandin_facts; i++) {
        const struct standin_fact *f = &standin_facts[i];
        if (strcmp(f->graph, w.standin->name) != 0)
            continue;
        out[n++] = (struct standin_target){.property = f->property,
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

static double got_of_search(enum standin_property property,
                            const struct graph_search *s)
{
    switch (property) {
    case STANDIN_LARGEST_LEVEL:
        return largest_levels(s, 1);
    case STANDIN_TWO_LEVELS:
        return largest_levels(s, 2);
    case STANDIN_RUNS:
        return s->runs;
    case STANDIN_SIMILAR:
        return s->similar;
    case STANDIN_SECTORS:
        return s->sectors;
    case STANDIN_MISSES:
        return s->misses_by_level[1];
    default:
        return NAN;
    }
}

double standin_got(enum standin_property property, const struct graph_stats *s,
                   const struct graph_search *search,
                   const struct graph_cut *cut)
{
    const struct graph_cut *two = cut && cut->ngpus == 2 ? cut : NULL;
    const struct graph_cut *four = cut && cut->ngpus == 4 ? cut : NULL;

    switch (property) {
    case STANDIN_VERTICES:
        return s->vertices;
    case STANDIN_ARCS:
        return (double)s->arcs;
    case STANDIN_SYMMETRIC:
        return s->symmetric;
    case STANDIN_MAX_OUT:
        return (double)s->out.max;
    case STANDIN_MAX_IN:
        return (double)s->in.max;
    case STANDIN_DEVIATION_OUT:
        return s->out.deviation;
    case STANDIN_DEVIATION_IN:
        return s->in.deviation;
    case STANDIN_ONES:
        return s->out.ones;
    case STANDIN_DIAMETER:
        return s->diameter;
    case STANDIN_HUB_HOPS: /* along the arcs, if that is known */
        return search ? search->levels - 1. : s->hub_hops;
    case STANDIN_CUT_2:
        return two ? two->share : NAN;
    case STANDIN_CUT_4:
        return four ? four->share : NAN;
    case STANDIN_ARC_BALANCE_2:
        return two ? two->arc_balance : NAN;
    case STANDIN_ARC_BALANCE_4:
        return four ? four->arc_balance : NAN;
    case STANDIN_LEVEL_BALANCE_2:
        return two ? two->level_balance : NAN;
    case STANDIN_LEVEL_BALANCE_4:
        return four ? four->level_balance : NAN;
    case STANDIN_REACHED:
        return search && s->vertices ? (double)search->reached / s->vertices
                                     : NAN;
    default:
        return search ? got_of_search(property, search) : NAN;
    }
}
