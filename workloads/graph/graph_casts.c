/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws casts one after the other, and joins all members of each. */
#include "workloads/graph/graph_casts.h"

#include "workloads/graph/graph_pairs.h"
#include "workloads/graph/graph_rows.h"
#include "workloads/graph/power.h"

#include <math.h>
#include <stdlib.h>

struct casts {
    const struct graph_casts *spec;
    double mean;      /* mean size of a cast */
    uint32_t *circle; /* one per cast */
    uint32_t *turn;   /* one per cast: its position among those of its circle */
    uint32_t *begin; /* circles + 1: the casts of a circle begin here in `of` */
    uint32_t *of;    /* casts by circle, in order of time */
    /* Casts + 1: members of c are member[first[c]..first[c + 1]). */
    uint64_t *first;
    uint32_t *member;
    uint64_t room;
    uint32_t *last; /* per vertex: its last cast, plus 1 */
    uint32_t *met;  /* per vertex: sum of the sizes of its casts */
    uint32_t known; /* number of vertices that are in some cast */
    uint64_t key;
};

/* Draws a circle; about 1/(c + 1) of the casts are of circle c. */
static uint32_t draw_circle(const struct casts *c, uint64_t cast)
{
    double dice = (double)(random_of(c->key ^ cast) >> 32) * 0x1p-32;
    double circles = (double)c->spec->circles;

    return (uint32_t)(power_exp2(dice * power_log2(circles + 1)) - 1);
}

static void sort_by_circle(struct casts *c)
{
    uint64_t n = c->spec->casts;

    for (uint64_t i = 0; i < n; i++) {
        c->circle[i] = draw_circle(c, i);
        c->turn[i] = c->begin[c->circle[i] + 1]++;
    }
    for (uint64_t i = 0; i < c->spec->circles; i++)
        c->begin[i + 1] += c->begin[i];
    for (uint64_t i = 0; i < n; i++)
        c->of[c->begin[c->circle[i]] + c->turn[i]] = (uint32_t)i;
}

static uint64_t draw_size(const struct casts *c, uint64_t cast)
{
    const double e = 1.4426950408889634; /* log2 of e */
    const struct graph_casts *s = c->spec;
    double x = s->deviation * random_normal(random_of(c->key ^ ~cast)) +
               s->uneven * random_normal(random_of(c->key + c->circle[cast])) -
               (s->deviation * s->deviation + s->uneven * s->uneven) / 2;
    double size = c->mean * power_exp2(x * e);
    double most = s->max_degree / 4;

    return size < 2 ? 2 : (uint64_t)(size < most ? size : most);
}

static void join(struct casts *c, uint64_t cast, uint32_t v, uint64_t size)
{
    uint64_t at = c->first[cast + 1];

    if (c->last[v] == cast + 1 ||
        (double)(c->met[v] + size) > c->spec->max_degree)
        return;
    c->met[v] += (uint32_t)size;
    if (at == c->room) {
        c->room += c->room / 2;
        c->member = xrealloc(c->member, c->room, sizeof *c->member);
    }
    c->last[v] = (uint32_t)cast + 1;
    c->member[at] = v;
    c->first[cast + 1]++;
}

/* Returns one of the last casts of the circle, or any earlier one; the cast
 * itself if there is none. */
static uint64_t earlier_cast(const struct casts *c, uint64_t cast,
                             uint64_t *random)
{
    uint32_t circle = c->circle[cast], turn = c->turn[cast];
    uint64_t all = c->begin[circle + 1] - c->begin[circle];
    uint64_t back = (uint64_t)(c->spec->career * (double)all) + 1;
    double dice = (double)(next_random(random) >> 32) * 0x1p-32;

    if (cast > 0 && (turn == 0 || dice < c->spec->anywhere))
        return random_below(random, cast);
    if (turn == 0)
        return cast;
    back = back < turn ? back : turn;
    return c->of[c->begin[circle] + turn - 1 - random_below(random, back)];
}

/* Adds a group of vertices that are together in an earlier cast, at most `most`
 * of them. */
static void join_group(struct casts *c, uint64_t cast, uint64_t most,
                       uint64_t whole, uint64_t *random)
{
    uint64_t from = earlier_cast(c, cast, random);
    uint64_t n = c->first[from + 1] - c->first[from];
    uint64_t size = 1 + random_below(random, (uint64_t)(2 * c->spec->group));

    if (from == cast || n == 0)
        return;
    uint64_t at = random_below(random, n);
    for (uint64_t k = 0; k < size && k < most && at + k < n; k++)
        join(c, cast, c->member[c->first[from] + at + k], whole);
}

/* Returns the number of new vertices in a cast, such that all vertices are in a
 * cast in the end: between 0 and twice the share that is still missing. */
static uint64_t draw_new(const struct casts *c, uint64_t cast, uint64_t size,
                         double share, uint64_t *random)
{
    uint64_t left = c->spec->vertices - c->known;
    double dice = (double)(next_random(random) >> 32) * 0x1p-32;
    uint64_t some = (uint64_t)(2 * dice * share * (double)size + 0.5);

    some = some < size ? some : size;
    if (cast == 0)
        some = size;
    return some < left ? some : left;
}

static void fill_cast(struct casts *c, uint64_t cast, uint64_t size,
                      double share)
{
    uint64_t random = random_of(c->key ^ (cast << 20));
    uint64_t some = draw_new(c, cast, size, share, &random);
    uint64_t old = size - some;

    c->first[cast + 1] = c->first[cast];
    for (int tries = 0; tries < 64; tries++) {
        uint64_t has = c->first[cast + 1] - c->first[cast];
        if (has >= old)
            break;
        join_group(c, cast, old - has, size, &random);
    }
    for (uint64_t k = 0; k < some; k++)
        join(c, cast, c->known++, size);
}

static void fill_all(struct casts *c)
{
    uint64_t n = c->spec->casts;
    double left = 0;

    for (uint64_t i = 0; i < n; i++)
        left += (double)draw_size(c, i);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t size = draw_size(c, i);
        fill_cast(c, i, size, (double)(c->spec->vertices - c->known) / left);
        left -= (double)size;
    }
}

/* Returns the casts of each vertex: those of v are of[first[v]..first[v + 1]).
 * The caller frees them. */
static uint32_t *casts_by_member(const struct casts *c, uint64_t *first)
{
    uint64_t n = c->spec->vertices, all = c->first[c->spec->casts];
    uint32_t *of = xmalloc((all + 1) * sizeof *of);

    for (uint64_t k = 0; k < all; k++)
        first[c->member[k] + 2]++;
    for (uint64_t v = 0; v < n; v++)
        first[v + 1] += first[v];
    for (uint64_t i = 0; i < c->spec->casts; i++)
        for (uint64_t k = c->first[i]; k < c->first[i + 1]; k++)
            of[first[c->member[k] + 1]++] = (uint32_t)i;
    return of;
}

static void make_row(struct casts *c, struct graph_rows *rows, uint32_t v,
                     const uint32_t *of, uint64_t n)
{
    uint64_t most = 0, kept = 0;

    for (uint64_t k = 0; k < n; k++)
        most += c->first[of[k] + 1] - c->first[of[k]];
    uint32_t *to = graph_rows_room(rows, most);
    for (uint64_t k = 0; k < n; k++)
        for (uint64_t m = c->first[of[k]]; m < c->first[of[k] + 1]; m++) {
            uint32_t u = c->member[m];
            if (c->last[u] != v)
                to[kept++] = u;
            c->last[u] = v;
        }
    graph_rows_end(rows, kept);
}

static void make_rows(struct casts *c, struct graph *g)
{
    struct graph_rows rows;
    uint32_t n = (uint32_t)c->spec->vertices;
    uint64_t *first = xcalloc((size_t)n + 2, sizeof *first);
    uint32_t *of = casts_by_member(c, first);

    for (uint32_t v = 0; v < n; v++)
        c->last[v] = UINT32_MAX;
    graph_rows_init(&rows, n, c->spec->arcs);
    for (uint32_t v = 0; v < n; v++)
        make_row(c, &rows, v, of + first[v], first[v + 1] - first[v]);
    graph_rows_finish(&rows, g);
    free(first);
    free(of);
}

static void casts_init(struct casts *c, const struct graph_casts *spec,
                       double mean)
{
    *c = (struct casts){.spec = spec, .mean = mean};
    c->key = random_of(spec->seed ^ UINT64_C(0x63617374));
    c->circle = xcalloc(spec->casts, sizeof *c->circle);
    c->turn = xcalloc(spec->casts, sizeof *c->turn);
    c->begin = xcalloc(spec->circles + 1, sizeof *c->begin);
    c->of = xcalloc(spec->casts, sizeof *c->of);
    c->first = xcalloc(spec->casts + 1, sizeof *c->first);
    c->room = (uint64_t)(2 * mean * (double)spec->casts) + 16;
    c->member = xmalloc(c->room * sizeof *c->member);
    c->last = xcalloc(spec->vertices, sizeof *c->last);
    c->met = xcalloc(spec->vertices, sizeof *c->met);
}

static void casts_clear(struct casts *c)
{
    free(c->circle);
    free(c->turn);
    free(c->begin);
    free(c->of);
    free(c->first);
    free(c->member);
    free(c->last);
    free(c->met);
}

int graph_casts(struct graph *g, const struct graph_casts *spec,
                struct err *err)
{
    double wanted = (double)spec->arcs;
    double mean = sqrt(wanted / (double)spec->casts /
                       power_exp2(1.44 * spec->deviation * spec->deviation));

    if (graph_check_size(spec->vertices, spec->arcs, err) < 0)
        return -1;
    for (int round = 0; round < 8; round++) {
        struct casts c;
        graph_clear(g);
        casts_init(&c, spec, mean);
        sort_by_circle(&c);
        fill_all(&c);
        make_rows(&c, g);
        casts_clear(&c);
        double got = (double)graph_arcs(g);
        if (got > 0.997 * wanted && got < 1.003 * wanted)
            break;
        mean *= sqrt(wanted / got);
    }
    return 0;
}
