/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws social networks: arcs for any degrees, in nested blocks of vertices. */
#include "workloads/graph/graph_social.h"

#include "workloads/graph/graph_ends.h"
#include "workloads/graph/graph_log_normal.h"
#include "workloads/graph/graph_pairs.h"
#include "workloads/graph/graph_rows.h"

#include <math.h>
#include <stdlib.h>

/* Further layers after those of the parameters. */
enum { EDGE = SOCIAL_LAYERS, ANYWHERE, TWINS, LAYERS };

struct social {
    const struct graph_social *spec;
    /* TWINS: indexed by pairs of vertices. */
    struct graph_ends two_way[LAYERS], in;
    uint32_t *out; /* per vertex: number of its one-way arcs out */
    uint64_t n, key;
};

static uint64_t block_of(const struct social *s, int layer)
{
    const struct graph_social *spec = s->spec;
    uint64_t wanted = layer < EDGE     ? spec->layer[layer].vertices
                      : layer == TWINS ? spec->twins.vertices
                                       : s->n;

    return wanted < s->n ? wanted : s->n;
}

/* Rounds x up or down at random, by the vertex and the layer. */
static uint64_t rounded(const struct social *s, uint32_t v, int layer, double x)
{
    uint64_t dice = random_of(s->key ^ ((uint64_t)v << 8 | (unsigned)layer));

    return (uint64_t)(x + (double)(dice >> 32) * 0x1p-32);
}

static void deal_two_way(struct social *s, uint32_t v, uint64_t degree)
{
    s->two_way[ANYWHERE].first[v + 1] = (uint32_t)degree;
}

/* Returns the number of ends that a pair has in common; each leads to two
 * vertices. */
static uint64_t twin_ends(struct social *s, uint32_t v)
{
    const uint32_t *degree = s->two_way[ANYWHERE].first + 1;
    uint32_t pair = v / 2, one = 2 * pair, other = one + 1;

    if (other >= s->n)
        return 0;
    uint32_t fewer = degree[one] < degree[other] ? degree[one] : degree[other];
    return rounded(s, pair, TWINS, s->spec->twins.share / 2 * fewer);
}

/* Distributes the two-way arcs of a vertex over the layers. */
static void split(struct social *s, uint32_t v, uint64_t twins)
{
    uint64_t degree = s->two_way[ANYWHERE].first[v + 1];
    uint64_t left = degree - (2 * twins < degree ? 2 * twins : degree);

    for (int l = 0; l < ANYWHERE; l++) {
        double share = l < EDGE ? s->spec->layer[l].share
                                : (degree <= 2 ? s->spec->edge : 0);
        uint64_t ends = rounded(s, v, l, share * (double)degree);
        uint64_t most = block_of(s, l) / 4;
        ends = ends < most ? ends : most;
        ends = ends < left ? ends : left;
        s->two_way[l].first[v + 1] = (uint32_t)ends;
        left -= ends;
    }
    s->two_way[ANYWHERE].first[v + 1] = (uint32_t)left;
}

static void split_all(struct social *s)
{
    for (uint64_t pair = 0; pair < (s->n + 1) / 2; pair++) {
        uint32_t v = (uint32_t)(2 * pair);
        uint64_t ends = twin_ends(s, v);
        s->two_way[TWINS].first[pair + 1] = (uint32_t)ends;
        split(s, v, ends);
        if (v + 1 < s->n)
            split(s, v + 1, ends);
    }
}

/* Returns the key by which a vertex is ranked; the smallest key has the largest
 * degree. */
static uint32_t rank_key(const struct social *s, uint32_t v, uint64_t key)
{
    double x = random_normal(key ^ v);

    for (int l = 0; l < EDGE; l++) {
        uint64_t block = v / block_of(s, l);
        double alike = s->spec->layer[l].alike;
        if (alike > 0)
            x += alike *
                 random_normal(s->key ^ (block << 8 | 0x40 | (unsigned)l));
    }
    x += s->spec->slope * ((double)v / (double)s->n - 0.5);
    return (uint32_t)((x + 64) * 0x1p25);
}

/* Sorts stably by the lower or the upper 16 bits of the keys. */
static void order_by(const uint32_t *key, unsigned shift, const uint32_t *from,
                     uint32_t *to, uint64_t n)
{
    uint64_t *at = xcalloc(0x10001, sizeof *at);

    for (uint64_t i = 0; i < n; i++)
        at[(key[i] >> shift & 0xffff) + 1]++;
    for (int b = 0; b < 0x10000; b++)
        at[b + 1] += at[b];
    for (uint64_t i = 0; i < n; i++)
        to[at[key[from[i]] >> shift & 0xffff]++] = from[i];
    free(at);
}

/* Returns the vertices in decreasing order of degree; the caller frees them. */
static uint32_t *vertices_by_rank(const struct social *s, uint64_t kind)
{
    uint32_t *key = xmalloc(s->n * sizeof *key);
    uint32_t *some = xmalloc(s->n * sizeof *some);
    uint32_t *order = xmalloc(s->n * sizeof *order);

    for (uint32_t v = 0; v < s->n; v++) {
        key[v] = rank_key(s, v, random_of(s->key ^ kind));
        order[v] = v;
    }
    order_by(key, 0, order, some, s->n);
    order_by(key, 16, some, order, s->n);
    free(key);
    free(some);
    return order;
}

typedef void deal_fn(struct social *s, uint32_t v, uint64_t degree);

static void deal_in(struct social *s, uint32_t v, uint64_t degree)
{
    s->in.first[v + 1] = (uint32_t)degree;
}

static void deal_out(struct social *s, uint32_t v, uint64_t degree)
{
    s->out[v] = (uint32_t)degree;
}

/* Deals degrees in decreasing order to the vertices in this order. */
static void deal_by_rank(struct social *s, const struct graph_power_law *law,
                         double arcs, const uint32_t *vertex, deal_fn *deal)
{
    struct log_normal ranks;
    double sum = 0, before = 0;

    if (arcs < 1)
        return;
    log_normal_init(&ranks, s->n, arcs, law->deviation, law->max_degree);
    for (uint64_t r = 0; r < s->n; r++) {
        sum += log_normal_degree(&ranks, r);
        double after = floor(sum);
        deal(s, vertex[r], (uint64_t)(after - before));
        before = after;
    }
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

/* Deals all degrees. Two-way arcs and one-way arcs out use one ranking of the
 * vertices, one-way arcs in another. */
static void deal_all(struct social *s, double arcs)
{
    const struct graph_social *spec = s->spec;
    double two_way = spec->symmetric;
    struct graph_power_law both = {
        .max_degree =
            two_way * lesser(spec->out.max_degree, spec->in.max_degree),
        .deviation = two_way * lesser(spec->out.deviation, spec->in.deviation)};
    struct graph_power_law out = {spec->out.max_degree - both.max_degree, 0,
                                  spec->out.deviation - both.deviation};
    struct graph_power_law in = {
        spec->in.max_degree - two_way * arcs / (double)s->n, 0,
        sqrt(spec->in.deviation * spec->in.deviation -
             both.deviation * both.deviation)};
    uint32_t *by_out = vertices_by_rank(s, 1);
    uint32_t *by_in = vertices_by_rank(s, 2);

    deal_by_rank(s, &both, floor(two_way * arcs), by_out, deal_two_way);
    split_all(s);
    deal_by_rank(s, &out, floor((1 - two_way) * arcs), by_out, deal_out);
    deal_by_rank(s, &in, floor((1 - two_way) * arcs), by_in, deal_in);
    free(by_out);
    free(by_in);
}

/* Appends the partners of the ends of v in a layer of `vertices` vertices; v
 * itself if it has none. */
static uint32_t *two_way_heads(const struct social *s, int layer, uint32_t v,
                               uint64_t vertices, uint32_t *to)
{
    const struct graph_ends *e = &s->two_way[layer];
    uint64_t size = block_of(s, layer), block = v / size;
    uint64_t key = random_of(s->key ^ (block << 8 | 0x80 | (unsigned)layer));
    uint64_t last = (block + 1) * size;
    uint64_t begin = e->first[block * size];
    uint64_t n = e->first[last < vertices ? last : vertices] - begin;

    for (uint64_t end = e->first[v]; end < e->first[v + 1]; end++)
        *to++ =
            graph_ends_vertex(e, begin + random_partner(end - begin, n, key));
    return to;
}

/* Appends both vertices of each partner of v's pair. */
static uint32_t *twin_heads(const struct social *s, uint32_t v, uint32_t *to)
{
    uint32_t *end = two_way_heads(s, TWINS, v / 2, (s->n + 1) / 2, to);
    uint64_t n = (uint64_t)(end - to);

    for (uint64_t i = n; i-- > 0;) {
        to[2 * i + 1] = 2 * to[i] + 1;
        to[2 * i] = 2 * to[i];
    }
    return to + 2 * n;
}

/* Draws the head of a one-way arc: a near one uniformly from the block, others
 * by degree. */
static uint32_t one_way_head(const struct social *s, uint32_t v,
                             uint64_t *random)
{
    double dice = (double)(next_random(random) >> 32) * 0x1p-32;

    for (int l = 0; l < EDGE; l++) {
        uint64_t size = block_of(s, l), begin = v / size * size;
        if (dice < s->spec->layer[l].share)
            return (uint32_t)((begin + random_below(random, size)) % s->n);
        dice -= s->spec->layer[l].share;
    }
    return graph_ends_vertex(&s->in, random_below(random, s->in.first[s->n]));
}

static void make_row(const struct social *s, struct graph_rows *rows,
                     uint32_t v)
{
    const struct graph_ends *twins = &s->two_way[TWINS];
    uint64_t random = random_of(s->key ^ ~(uint64_t)v);
    uint64_t most = s->out[v] + 2 * (uint64_t)(twins->first[v / 2 + 1] -
                                               twins->first[v / 2]);

    for (int l = 0; l < TWINS; l++)
        most += s->two_way[l].first[v + 1] - s->two_way[l].first[v];

    uint32_t *to = graph_rows_room(rows, most), *at = to;
    at = twin_heads(s, v, at);
    for (int l = 0; l < TWINS; l++)
        at = two_way_heads(s, l, v, s->n, at);
    for (uint32_t k = 0; k < s->out[v]; k++)
        *at++ = one_way_head(s, v, &random);
    graph_rows_end(rows, (uint64_t)(at - to));
}

static void make_rows(struct social *s, struct graph *g)
{
    struct graph_rows rows;

    for (int l = 0; l < LAYERS; l++)
        graph_ends_index(&s->two_way[l], l == TWINS ? (s->n + 1) / 2 : s->n);
    graph_ends_index(&s->in, s->n);
    graph_rows_init(&rows, (uint32_t)s->n, s->spec->arcs);
    for (uint32_t v = 0; v < s->n; v++)
        make_row(s, &rows, v);
    graph_rows_finish(&rows, g);
}

static void social_init(struct social *s, const struct graph_social *spec)
{
    *s = (struct social){.spec = spec, .n = spec->vertices};
    s->key = random_of(spec->seed ^ UINT64_C(0x6b6579));
    for (int l = 0; l < LAYERS; l++)
        graph_ends_init(&s->two_way[l], s->n);
    graph_ends_init(&s->in, s->n);
    s->out = xcalloc(s->n, sizeof(uint32_t));
}

static void social_clear(struct social *s)
{
    for (int l = 0; l < LAYERS; l++)
        graph_ends_clear(&s->two_way[l]);
    graph_ends_clear(&s->in);
    free(s->out);
}

/* Draws again with more arcs to make up for duplicates, until the number is
 * right within 0.2 %. */
int graph_social(struct graph *g, const struct graph_social *spec,
                 struct err *err)
{
    double wanted = (double)spec->arcs, drawn = wanted;

    if (graph_check_rows(spec->vertices, spec->arcs, err) < 0)
        return -1;
    for (int round = 0; round < 3; round++) {
        struct social s;
        graph_clear(g);
        social_init(&s, spec);
        deal_all(&s, drawn);
        make_rows(&s, g);
        social_clear(&s);
        double got = (double)graph_arcs(g);
        if (got > 0.998 * wanted && got < 1.002 * wanted)
            break;
        drawn *= wanted / got;
    }
    return 0;
}
