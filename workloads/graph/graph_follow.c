/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws networks of followers: vertices have ends of arcs by degree, and ends
 * are paired at random. */
#include "workloads/graph/graph_follow.h"

#include "workloads/graph/graph_doubles.h"
#include "workloads/graph/graph_ends.h"
#include "workloads/graph/graph_log_normal.h"
#include "workloads/graph/graph_pairs.h"
#include "workloads/graph/graph_rows.h"

#include <math.h>
#include <stdlib.h>

enum { NEAR, FAR, NPLACES };

/* The properties of a vertex that are drawn, each by a random number of its
 * own. */
enum {
    BY_OUT,
    BY_IN,
    TWO_WAY,
    TWO_WAY_NEAR,
    OUT,
    OUT_NEAR,
    IN,
    IN_NEAR,
    FOUND
};

struct follow {
    const struct graph_follow *spec;
    uint64_t n, key;
    uint64_t size; /* vertices of a community; the last may have fewer */
    struct graph_ends two_way[NPLACES], in[NPLACES];
    uint32_t *out;      /* per vertex: number of its one-way arcs out */
    uint64_t *out_ends; /* per community: ends of out arcs to near vertices */
    uint64_t out_far;
    uint64_t next[NPLACES]; /* number of the next end of an out arc */
};

/* Degrees by rank, and the ends that give them. */
struct degrees {
    struct log_normal law;
    struct graph_doubles doubles;
};

static uint64_t dice_of(const struct follow *f, uint32_t v, int what)
{
    return random_of(f->key ^ ((uint64_t)v << 8 | (unsigned)what));
}

static uint32_t graph_follow_rounded(const struct follow *f, uint32_t v,
                                     int what, double x)
{
    return (uint32_t)(x + (double)(dice_of(f, v, what) >> 32) * 0x1p-32);
}

static void degrees_init(struct degrees *d, const struct follow *f,
                         const struct graph_power_law *law, double arcs)
{
    log_normal_init_hubs(&d->law, f->n, arcs, law->deviation, law->max_degree,
                         f->spec->fall);
    graph_doubles_init(&d->doubles, &d->law);
}

/* Returns the number of ends of v, whose rank is drawn by `rank`. */
static uint32_t draw_ends(const struct follow *f, const struct degrees *d,
                          uint32_t v, int rank, int what)
{
    uint64_t r = random_place(v, f->n, random_of(f->key ^ (unsigned)rank));

    return graph_follow_rounded(f, v, what,
                                log_normal_degree(&d->law, r) *
                                    graph_doubles_factor(&d->doubles, r));
}

static void graph_follow_split(const struct follow *f,
                               struct graph_ends e[NPLACES], uint32_t v,
                               uint32_t ends, int what)
{
    uint32_t near = graph_follow_rounded(f, v, what, (1 - f->spec->mix) * ends);

    e[NEAR].first[v + 1] = near;
    e[FAR].first[v + 1] = ends - near;
}

static uint32_t near_out(const struct follow *f, uint32_t v)
{
    return graph_follow_rounded(f, v, OUT_NEAR, (1 - f->spec->mix) * f->out[v]);
}

static void deal_two_way(struct follow *f, const struct degrees *d)
{
    for (uint32_t v = 0; v < f->n; v++)
        graph_follow_split(f, f->two_way, v,
                           draw_ends(f, d, v, BY_OUT, TWO_WAY), TWO_WAY_NEAR);
}

static bool has_two_way(const struct follow *f, uint32_t v)
{
    return f->two_way[NEAR].first[v + 1] || f->two_way[FAR].first[v + 1];
}

static void deal_one_way(struct follow *f, const struct degrees *out,
                         const struct degrees *in)
{
    for (uint32_t v = 0; v < f->n; v++) {
        uint32_t ends = draw_ends(f, in, v, BY_IN, IN);
        if (!ends && !has_two_way(f, v))
            ends = graph_follow_rounded(f, v, FOUND, f->spec->followed);
        graph_follow_split(f, f->in, v, ends, IN_NEAR);
        f->out[v] = draw_ends(f, out, v, BY_OUT, OUT);
        uint32_t near = near_out(f, v);
        f->out_ends[v / f->size] += near;
        f->out_far += f->out[v] - near;
    }
}

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static void deal_all(struct follow *f)
{
    const struct graph_follow *spec = f->spec;
    double share = spec->symmetric, arcs = (double)spec->arcs;
    struct graph_power_law both = {
        .max_degree = share * lesser(spec->out.max_degree, spec->in.max_degree),
        .deviation = share * lesser(spec->out.deviation, spec->in.deviation)};
    struct graph_power_law out = {spec->out.max_degree - both.max_degree, 0,
                                  spec->out.deviation - both.deviation};
    struct graph_power_law in = {
        spec->in.max_degree - share * arcs / (double)f->n, 0,
        sqrt(spec->in.deviation * spec->in.deviation -
             both.deviation * both.deviation)};
    struct degrees tails, heads;

    degrees_init(&tails, f, &both, share * arcs);
    graph_doubles_solve(&tails.doubles, &tails.doubles, spec->communities,
                        spec->mix);
    deal_two_way(f, &tails);
    degrees_init(&tails, f, &out, (1 - share) * arcs);
    degrees_init(&heads, f, &in, (1 - share) * arcs);
    graph_doubles_solve(&tails.doubles, &heads.doubles, spec->communities,
                        spec->mix);
    deal_one_way(f, &tails, &heads);
}

/* The ends of `e` that belong to vertices near v: n of them from `begin` on. */
struct ends_near {
    uint64_t begin, n;
};

static struct ends_near ends_near(const struct follow *f,
                                  const struct graph_ends *e, uint32_t v,
                                  int place)
{
    uint64_t from = place == NEAR ? v / f->size * f->size : 0;
    uint64_t to = place == NEAR ? from + f->size : f->n;
    uint64_t begin = e->first[from];

    return (struct ends_near){begin, e->first[to < f->n ? to : f->n] - begin};
}

static uint64_t key_of(const struct follow *f, uint32_t v, int place, int what)
{
    uint64_t community = place == NEAR ? v / f->size + 1 : 0;

    return random_of(f->key ^ (community << 8 | 0x80 | (unsigned)what));
}

/* Appends the partners of the two-way ends of v. */
static uint32_t *two_way_ends(const struct follow *f, uint32_t v, int place,
                              uint32_t *to)
{
    const struct graph_ends *e = &f->two_way[place];
    struct ends_near near = ends_near(f, e, v, place);
    uint64_t key = key_of(f, v, place, TWO_WAY);

    for (uint64_t end = e->first[v]; end < e->first[v + 1]; end++)
        *to++ = (uint32_t)(near.begin +
                           random_partner(end - near.begin, near.n, key));
    return to;
}

/* Pairs ends of arcs out with ends of arcs in; if there are more of the former,
 * the rest get random ends in. */
static uint32_t *one_way_ends(struct follow *f, uint32_t v, int place,
                              uint32_t ends, uint32_t *to)
{
    struct ends_near near = ends_near(f, &f->in[place], v, place);
    uint64_t key = key_of(f, v, place, OUT);
    uint64_t all = place == NEAR ? f->out_ends[v / f->size] : f->out_far;

    if (!near.n)
        return to;
    if (place == NEAR && v % f->size == 0)
        f->next[NEAR] = 0;
    all = all > near.n ? all : near.n;
    for (uint32_t k = 0; k < ends; k++) {
        uint64_t at = random_place(f->next[place]++, all, key);
        *to++ = (uint32_t)(near.begin +
                           (at < near.n ? at : random_of(key ^ at) % near.n));
    }
    return to;
}

/* Replaces ends by their vertices. These are anywhere in memory, so the memory
 * for later ends is prefetched. */
static void ends_to_vertices(const struct graph_ends *e, uint32_t *to,
                             const uint32_t *end)
{
    for (const uint32_t *i = to; i < end; i++)
        __builtin_prefetch(&e->at[*i >> e->shift]);
    for (const uint32_t *i = to; i < end; i++)
        __builtin_prefetch(&e->first[e->at[*i >> e->shift] + 1]);
    for (; to < end; to++)
        *to = graph_ends_vertex(e, *to);
}

static void graph_follow_row(struct follow *f, struct graph_rows *rows,
                             uint32_t v)
{
    uint64_t most = f->out[v];
    uint32_t near = near_out(f, v);

    for (int place = 0; place < NPLACES; place++)
        most += f->two_way[place].first[v + 1] - f->two_way[place].first[v];

    uint32_t *to = graph_rows_room(rows, most), *at = to;
    for (int place = 0; place < NPLACES; place++) {
        uint32_t *two = two_way_ends(f, v, place, at);
        ends_to_vertices(&f->two_way[place], at, two);
        at = one_way_ends(f, v, place, place == NEAR ? near : f->out[v] - near,
                          two);
        ends_to_vertices(&f->in[place], two, at);
    }
    graph_rows_end(rows, (uint64_t)(at - to));
}

static void follow_init(struct follow *f, const struct graph_follow *spec)
{
    *f = (struct follow){.spec = spec, .n = spec->vertices};
    f->key = random_of(spec->seed ^ UINT64_C(0x666f6c6c));
    f->size = (f->n + spec->communities - 1) / spec->communities;
    for (int place = 0; place < NPLACES; place++) {
        graph_ends_init(&f->two_way[place], f->n);
        graph_ends_init(&f->in[place], f->n);
    }
    f->out = xcalloc(f->n, sizeof *f->out);
    f->out_ends = xcalloc(spec->communities, sizeof *f->out_ends);
}

static void follow_clear(struct follow *f)
{
    for (int place = 0; place < NPLACES; place++) {
        graph_ends_clear(&f->two_way[place]);
        graph_ends_clear(&f->in[place]);
    }
    free(f->out);
    free(f->out_ends);
}

int graph_follow(struct graph *g, const struct graph_follow *spec,
                 struct err *err)
{
    struct follow f;
    struct graph_rows rows;

    if (spec->arcs > UINT32_MAX) /* because ends are numbered in 32 bits */
        return fail(err, "%llu arcs: expected at most %u",
                    (unsigned long long)spec->arcs, UINT32_MAX);
    if (graph_check_rows(spec->vertices, spec->arcs, err) < 0)
        return -1;
    follow_init(&f, spec);
    deal_all(&f);
    for (int place = 0; place < NPLACES; place++) {
        graph_ends_index(&f.two_way[place], f.n);
        graph_ends_index(&f.in[place], f.n);
    }
    graph_rows_init(&rows, (uint32_t)f.n, spec->arcs);
    for (uint32_t v = 0; v < f.n; v++)
        graph_follow_row(&f, &rows, v);
    graph_rows_finish(&rows, g);
    follow_clear(&f);
    return 0;
}
