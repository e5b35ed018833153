/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the grid and lengths of a road network for the wanted counts and
 * diameter. */
#include "workloads/graph/graph_road.h"

#include <math.h>

/* The largest share of the vertices that may be in the grid. */
#define MOST_IN_GRID 0.8

/* Returns the share of the streets that are closed: one in ROAD_DISTRICT,
 * except at the border of the grid, which is open, and at bridges. */
static double missing_share(const struct graph_road *r, double cells)
{
    double lines = sqrt(cells) / ROAD_DISTRICT - 1;

    return lines > 0 ? (1 - r->bridges) * lines / sqrt(cells) : 0;
}

/*
 * Chooses a grid of as many cells as the arcs need, and one more for every
 * street that does not exist. It is as square as possible if the chains use up
 * the diameter, and longer if there are too few vertices for that. `diameter`
 * is that of the grid. Square roots are exact on every machine.
 */
static void plan_grid(struct road_plan *p, const struct graph_road *r,
                      uint64_t diameter)
{
    uint64_t whole = r->arcs / 2 + 1 - r->vertices;
    double cells = whole > 0 ? (double)whole : 1;
    double missing = missing_share(r, cells);

    cells /= 1 - 2 * missing;
    double gap = (double)diameter / (2 * sqrt(cells));
    double most = (MOST_IN_GRID * (double)r->vertices / cells + 1) / 2;

    if (gap > most && most >= 1)
        gap = most;
    double half = (double)diameter / (2 * gap); /* sum of the two sides */
    double apart = half * half > cells ? sqrt(half * half - cells) : 0;
    double across = floor(cells / (half + apart) + 0.5);

    if (across < 1)
        across = 1;
    p->across = (uint64_t)across + 1;
    p->along = (uint64_t)floor(cells / across + 0.5) + 1;
    p->width =
        (uint64_t)((double)diameter * across / (across + (double)p->along - 1));
    if (p->width < p->across - 1)
        p->width = p->across - 1;
    p->length = diameter > p->width ? diameter - p->width : 0;
    uint64_t room = p->width - (p->across - 1);
    p->offset = room < (p->across - 1) / 2 ? room : (p->across - 1) / 2;
    p->grid =
        p->along * (p->width + 1) + p->across * (p->length - (p->along - 1));
    double chains = (double)(p->grid - road_crossings(p));
    p->grid -= (uint64_t)(missing * chains);
}

/* Chooses the dead ends: one for each wanted vertex of degree 1. If there is no
 * room for as many between the crossings, they are larger and branch. */
static void plan_dead_ends(struct road_plan *p, const struct graph_road *r)
{
    uint64_t dead = r->vertices - p->grid;
    uint64_t between = p->grid - road_crossings(p);
    uint64_t tips = (uint64_t)(r->dead_ends * (double)r->vertices);
    uint64_t room = 4 * between > tips ? between : p->grid;
    uint64_t ends;

    if (tips < 1)
        tips = 1;
    ends = tips < room / 4 * 3 ? tips : room / 4 * 3 + 1;
    p->crossing_weight = room == between ? 1 : ROAD_CHAIN_WEIGHT;
    p->mean_chain = dead < tips ? 1 : (dead + tips / 2) / tips;
    p->mean_size = dead < ends ? 1 : (dead + ends / 2) / ends;
    p->longest = p->mean_size < 2 * p->mean_chain ? 2 * p->mean_chain - 1
                                                  : 6 * p->mean_chain;
    while (p->longest > 0 &&
           (8 * p->longest > r->diameter || 2 * p->longest > dead ||
            2 * p->longest + p->across + p->along > r->diameter))
        p->longest /= 2;
}

static int road_plan_check(const struct graph_road *r, struct err *err)
{
    if (r->vertices < 4 || r->arcs < 2 * r->vertices ||
        r->arcs > 4 * r->vertices)
        return fail(err,
                    "arcs: expected 2 to 4 for each of at least 4 vertices, "
                    "got %llu for %llu",
                    (unsigned long long)r->arcs,
                    (unsigned long long)r->vertices);
    if (r->bridges <= 0)
        return fail(err, "bridges: expected a number above 0");
    if (r->max_degree < 5)
        return fail(err, "max_degree: expected at least 5, got %llu",
                    (unsigned long long)r->max_degree);
    return 0;
}

int road_plan(struct road_plan *p, const struct graph_road *r, struct err *err)
{
    if (road_plan_check(r, err) < 0)
        return -1;

    *p = (struct road_plan){0};
    plan_grid(p, r, r->diameter);
    if (p->length >= p->along - 1 && p->grid < r->vertices) {
        plan_dead_ends(p, r);
        plan_grid(p, r, r->diameter - 2 * p->longest);
    }
    if (p->length < p->along - 1)
        return fail(
            err,
            "diameter: a mesh of so many vertices and arcs has one of "
            "%llu or more, got %llu",
            (unsigned long long)(p->width + p->along - 1 + 2 * p->longest),
            (unsigned long long)r->diameter);
    return 0;
}

int road_leaves_room(const struct road_plan *p, const struct graph_road *r,
                     uint64_t grid, struct err *err)
{
    if (grid + 2 * p->longest > r->vertices ||
        (grid < r->vertices && !p->longest))
        return fail(err,
                    "vertices: a mesh of that diameter and so many arcs has "
                    "about %llu, got %llu",
                    (unsigned long long)grid, (unsigned long long)r->vertices);
    return 0;
}
