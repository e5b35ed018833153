/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generates road networks: a grid of crossings joined by chains of vertices,
 * with dead ends. */
#include "workloads/graph/graph_road.h"

#include "base/random.h"

#include <stdlib.h>

struct builder {
    struct graph *g; /* only the coordinates so far */
    uint32_t *tail, *head;
    uint64_t arcs;
    uint32_t n;
    struct road_plan plan;
    uint8_t *closed;    /* result of road_barriers() */
    uint64_t dead;      /* vertices of dead ends that are still to be made */
    uint64_t weight;    /* weight of the grid's vertices still to be made */
    uint64_t square;    /* the crossing with the most dead ends */
    uint64_t at_square; /* dead ends there */
    uint64_t *right, *down; /* lengths of the streets, per column and per row */
    uint32_t *above; /* per column: start of the street from the last row */
    uint32_t before; /* start of the street from the last crossing */
    uint64_t *depth; /* depths in the dead end that is being made */
    uint64_t ndepth; /* room of depth */
    uint64_t random;
};

static void join(struct builder *b, uint32_t u, uint32_t v)
{
    b->tail[b->arcs] = b->head[b->arcs + 1] = u;
    b->head[b->arcs] = b->tail[b->arcs + 1] = v;
    b->arcs += 2;
}

static uint32_t add_vertex(struct builder *b, double x, double y)
{
    b->g->x[b->n] = (float)x;
    b->g->y[b->n] = (float)y;
    return b->n++;
}

/* Adds a chain of a dead end. Its end is never further than half an arc from
 * its crossing, where no other vertex is. */
static void add_chain(struct builder *b, uint32_t from, uint64_t length)
{
    double step = 0.5 / (double)(b->plan.longest + 1);
    unsigned way = next_random(&b->random) & 3;
    double x = b->g->x[from], y = b->g->y[from];

    for (uint64_t k = 1; k <= length; k++) {
        double off = step * (double)k;
        uint32_t v = add_vertex(b, way & 1 ? x + off : x - off,
                                way & 2 ? y + off : y - off);
        join(b, from, v);
        from = v;
    }
}

/* Adds a dead end of `size` vertices: a chain from `at`, and others that branch
 * off at random. No vertex is further than `longest` from `at`. */
static void add_dead_end(struct builder *b, uint32_t at, uint64_t size)
{
    uint32_t first = b->n;

    if (b->ndepth < size) {
        b->ndepth = 2 * size;
        b->depth = xrealloc(b->depth, b->ndepth, sizeof *b->depth);
    }
    b->dead -= size;
    for (uint64_t n = 0; n < size;) {
        uint64_t from = n ? random_below(&b->random, n) : 0;
        if (n > 0 && b->depth[from] == b->plan.longest)
            from = 0;
        bool branch = n > 0 && b->plan.longest > 1;
        uint64_t depth = branch ? b->depth[from] : 0;
        uint64_t length =
            1 + random_below(&b->random, 2 * b->plan.mean_chain - 1);
        if (length > size - n)
            length = size - n;
        if (length > b->plan.longest - depth)
            length = b->plan.longest - depth;
        add_chain(b, branch ? first + (uint32_t)from : at, length);
        for (uint64_t k = 1; k <= length; k++)
            b->depth[n++] = depth + k;
    }
}

static void add_random_dead_end(struct builder *b, uint32_t at)
{
    uint64_t size = 1 + random_below(&b->random, 2 * b->plan.mean_size - 1);

    add_dead_end(b, at, size < b->dead ? size : b->dead);
}

/* Adds dead ends in proportion to the weight of a vertex of the grid: the
 * remaining dead ends are distributed over the remaining grid, so that both are
 * used up together. */
static void add_dead_ends(struct builder *b, uint32_t at, uint64_t weight)
{
    uint64_t wanted = weight * b->dead; /* in units of 1 / each */
    uint64_t each = b->weight * b->plan.mean_size;

    b->weight -= weight;
    if (b->weight == 0 && b->dead > 0)
        add_dead_end(b, at, b->dead);
    for (; b->dead > 0 && wanted >= each; wanted -= each)
        add_random_dead_end(b, at);
    if (b->dead > 0 && random_below(&b->random, each) < wanted)
        add_random_dead_end(b, at);
}

/* Adds a street of `gap` arcs from `from` at (x, y) to `to`. */
static void add_street(struct builder *b, uint32_t from, uint32_t to, double x,
                       double y, uint64_t gap, bool down)
{
    for (uint64_t k = 1; k < gap; k++) {
        double off = (double)k;
        uint32_t v = add_vertex(b, down ? x : x + off, down ? y + off : y);
        join(b, from, v);
        add_dead_ends(b, v, ROAD_CHAIN_WEIGHT);
        from = v;
    }
    join(b, from, to);
}

/* Distributes `total` at random over n gaps of at least 1. The caller frees
 * them. */
static uint64_t *make_gaps(uint64_t n, uint64_t total, uint64_t *random)
{
    uint64_t *gap = xcalloc(n + 1, sizeof *gap);

    for (uint64_t i = 0; i < n; i++)
        gap[i] = 1;
    for (uint64_t k = n; k < total; k++)
        gap[random_below(random, n)]++;
    return gap;
}

/* Adds the crossing (i, j) at (x, y), joined to the one before it and to the
 * one above. Returns the vertex at which its street to the right begins. */
static uint32_t add_crossing(struct builder *b, uint64_t i, uint64_t j,
                             double x, double y)
{
    const struct road_plan *p = &b->plan;
    uint32_t v = add_vertex(b, x, y), end = v;
    uint64_t at = i * p->across + j;
    bool corner = i + j == 0 || i + j + 2 == p->along + p->across;

    if (j > 0 && !(b->closed[at - 1] & ROAD_RIGHT))
        add_street(b, b->before, v, x - (double)b->right[j - 1], y,
                   b->right[j - 1], false);
    if (i > 0 && !(b->closed[at - p->across] & ROAD_DOWN))
        add_street(b, b->above[j], v, x, y - (double)b->down[i - 1],
                   b->down[i - 1], true);
    add_dead_ends(b, v, p->crossing_weight);
    if (corner)
        add_chain(b, v, p->longest);
    if (at == b->square)
        for (uint64_t n = 0; n < b->at_square && b->dead > 0; n++)
            add_random_dead_end(b, v);
    if (j % 2 && j / 2 < p->offset) {
        end = add_vertex(b, x + 1, y);
        join(b, v, end);
        add_dead_ends(b, end, p->crossing_weight);
    }
    b->above[j] = b->before = end;
    return end;
}

/* Returns the number of vertices of the streets that exist, without
 * crossings. */
static uint64_t count_chains(const struct builder *b)
{
    const struct road_plan *p = &b->plan;
    uint64_t n = 0, at = 0;

    for (uint64_t i = 0; i < p->along; i++)
        for (uint64_t j = 0; j < p->across; j++, at++) {
            if (j + 1 < p->across && !(b->closed[at] & ROAD_RIGHT))
                n += b->right[j] - 1;
            if (i + 1 < p->along && !(b->closed[at] & ROAD_DOWN))
                n += b->down[i] - 1;
        }
    return n;
}

/* Returns the number of streets at a crossing inside the grid. */
static uint64_t streets_at(const struct builder *b, uint64_t at)
{
    uint64_t row = b->plan.across, n = 4;

    if (at < row || at % row == 0)
        return n;
    n -= (b->closed[at] & ROAD_RIGHT) != 0;
    n -= (b->closed[at] & ROAD_DOWN) != 0;
    n -= (b->closed[at - 1] & ROAD_RIGHT) != 0;
    n -= (b->closed[at - row] & ROAD_DOWN) != 0;
    return n;
}

/* Lays out the grid, and computes the number of vertices for dead ends. */
static int survey(struct builder *b, const struct graph_road *r,
                  struct err *err)
{
    const struct road_plan *p = &b->plan;
    uint64_t crossings = road_crossings(p);

    b->right = make_gaps(p->across - 1, p->width - p->offset, &b->random);
    b->down = make_gaps(p->along - 1, p->length, &b->random);
    b->closed = road_barriers(p, r->bridges, &b->random);
    uint64_t chains = count_chains(b);
    if (road_leaves_room(p, r, crossings + chains, err) < 0)
        return -1;
    b->dead = r->vertices - crossings - chains - 2 * p->longest;
    b->weight = chains * ROAD_CHAIN_WEIGHT + crossings * p->crossing_weight;
    b->square = p->along * 3 / 10 * p->across + p->across * 3 / 20 * 2;
    b->at_square = r->max_degree - streets_at(b, b->square);
    return 0;
}

/* Builds the network, one row of crossings after the other. */
static void build(struct builder *b)
{
    const struct road_plan *p = &b->plan;
    double y = 0;

    b->above = xcalloc(p->across, sizeof *b->above);
    for (uint64_t i = 0; i < p->along; i++) {
        double x = 0;
        for (uint64_t j = 0; j < p->across; j++) {
            uint32_t end = add_crossing(b, i, j, x, y);
            x = b->g->x[end] + (double)b->right[j];
        }
        y += (double)b->down[i];
    }
}

static void clear(struct builder *b)
{
    free(b->tail);
    free(b->head);
    free(b->right);
    free(b->down);
    free(b->closed);
    free(b->above);
    free(b->depth);
}

int graph_road(struct graph *g, const struct graph_road *r, struct err *err)
{
    struct builder b = {.g = g, .random = r->seed};

    if (graph_check_size(r->vertices, r->arcs, err) < 0 ||
        road_plan(&b.plan, r, err) < 0)
        return -1;
    if (survey(&b, r, err) < 0) {
        clear(&b);
        return -1;
    }

    /* A tree has vertices - 1 edges, and each cell adds one. */
    uint64_t arcs =
        2 * (r->vertices - 1 + (b.plan.across - 1) * (b.plan.along - 1));
    *g = (struct graph){.x = xcalloc(r->vertices, sizeof *g->x),
                        .y = xcalloc(r->vertices, sizeof *g->y)};
    b.tail = xcalloc(arcs, sizeof *b.tail);
    b.head = xcalloc(arcs, sizeof *b.head);
    build(&b);

    struct graph made = {0};
    graph_from_arcs(&made, b.n, b.tail, b.head, b.arcs);
    made.x = g->x;
    made.y = g->y;
    *g = made;
    clear(&b);
    return 0;
}
