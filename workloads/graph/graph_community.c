/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws graphs of communities whose degrees follow power laws. */
#include "workloads/graph/graph_generate.h"

#include "base/random.h"
#include "workloads/graph/graph_draw.h"
#include "workloads/graph/graph_power_law.h"
#include "workloads/graph/power.h"

#include <math.h>
#include <stdlib.h>

/* A list with each vertex as often as it has ends of arcs, in the order of the
 * vertices. */
struct stubs {
    uint32_t *vertex;
    uint64_t *first; /* communities + 1: the beginning of each */
    uint64_t n;
    uint64_t used;      /* tails are used up in order; this many are */
    uint32_t *drawn_by; /* per head: the last tail that drew it, plus 1 */
};

/* The ends whose arcs stay in their community (near), and those whose arcs
 * leave it (far). */
struct ends {
    struct stubs near, far;
};

/* The kinds of ends. HUBS are heads with so many arcs that tails with many arcs
 * would find them again and again, so their tails are drawn uniformly from all
 * vertices. */
enum { BOTH_WAYS, HUBS, HEADS, TAILS, NENDS };

struct model {
    const struct graph_community *spec;
    struct ends ends[NENDS];
    uint64_t share[HEADS]; /* share of each kind of draws, times 2^32 */
    uint64_t leave[TAILS]; /* share of a kind's draws that leave, times 2^32 */
    /* Share of those that are not bound by reach, times 2^32. */
    uint64_t anywhere;
    uint32_t *number; /* number of each vertex in the graph; NULL for its own */
};

static uint32_t community_of(const struct graph_community *c, uint32_t v)
{
    return (uint32_t)(v * c->communities / c->vertices);
}

static void make_stubs(struct stubs *s, const struct graph_community *c,
                       const uint32_t *count)
{
    uint64_t all = 0;

    for (uint32_t v = 0; v < c->vertices; v++)
        all += count[v];
    s->vertex = xmalloc((all + 1) * sizeof *s->vertex);
    s->first = xcalloc(c->communities + 1, sizeof *s->first);
    s->drawn_by = xcalloc(c->vertices, sizeof *s->drawn_by);
    for (uint32_t v = 0; v < c->vertices; v++) {
        for (uint32_t k = 0; k < count[v]; k++)
            s->vertex[s->n++] = v;
        s->first[community_of(c, v) + 1] = s->n;
    }
}

/* Returns the number of draws that make `degree` different ones of n. */
static uint64_t draws_for(uint64_t degree, uint64_t n)
{
    const double ln2 = 0.69314718055994531;
    double share = (double)degree / (double)n;

    if (share > 0.95)
        share = 0.95;
    return (uint64_t)(-(double)n * ln2 * power_log2(1 - share));
}

struct degrees {
    uint32_t *near, *far;
};

static struct degrees new_degrees(uint64_t vertices)
{
    return (struct degrees){xcalloc(vertices, sizeof(uint32_t)),
                            xcalloc(vertices, sizeof(uint32_t))};
}

/* Splits the degree of a vertex into near and far ends. No vertex has more near
 * ends than half of its community, because otherwise most of its arcs would be
 * duplicates. A share is rounded up or down at random. */
static void community_split(struct degrees *d, uint32_t v, uint64_t degree,
                            const struct graph_community *c, uint64_t *random)
{
    uint64_t leave = (uint64_t)(c->mix * 0x1p32);
    uint64_t far = (degree * leave + (next_random(random) >> 32)) >> 32;
    uint64_t most = c->vertices / c->communities / 2;

    if (degree - far > most && c->communities > 1)
        far = degree - most;
    d->near[v] = (uint32_t)(degree - far);
    d->far[v] = (uint32_t)far;
}

static void make_ends(struct ends *e, const struct graph_community *c,
                      struct degrees *d)
{
    make_stubs(&e->near, c, d->near);
    make_stubs(&e->far, c, d->far);
    free(d->near);
    free(d->far);
}

/* Returns the number of vertices, at least 2, from which the tails of a hub
 * outside of its community are drawn. */
static uint64_t room_of_hub(const struct graph_community *c)
{
    double n = (double)c->vertices;

    return c->reach > 0
               ? (uint64_t)(2 * c->reach * (n - n / (double)c->communities))
               : c->vertices;
}

/* Gives degrees to the vertices by rank, as ends in `e`; the largest go to
 * `hubs`, unless that is NULL. */
static void deal_out(struct ends *e, struct ends *hubs,
                     const struct graph_community *c,
                     const struct power_law *law, const uint32_t *vertex_of,
                     uint64_t *random)
{
    struct degrees all = new_degrees(c->vertices);
    struct degrees large = new_degrees(hubs ? c->vertices : 1);
    uint64_t size = c->vertices / c->communities;
    double before = 0;

    for (uint64_t r = 0; r < c->vertices; r++) {
        double after = floor(power_law_before(law, (double)(r + 1)));
        uint64_t degree = after > before ? (uint64_t)(after - before) : 0;
        uint32_t v = vertex_of[r];
        before = after;
        if (!hubs || degree < 64 || degree < size / 32) {
            community_split(&all, v, degree, c, random);
            continue;
        }
        community_split(&large, v, degree, c, random);
        large.near[v] = (uint32_t)draws_for(large.near[v], size);
        large.far[v] = (uint32_t)draws_for(large.far[v], room_of_hub(c));
    }
    make_ends(e, c, &all);
    if (hubs)
        make_ends(hubs, c, &large);
    else {
        free(large.near);
        free(large.far);
    }
}

/* Returns a random one of the next `step` ends, so that hardly any vertex is
 * left out. */
static uint32_t draw_tail(struct stubs *s, unsigned step, uint64_t *random)
{
    uint64_t at = s->used + random_below(random, step);

    if (at >= s->n)
        return s->vertex[random_below(random, s->n)];
    s->used += step;
    return s->vertex[at];
}

/* Returns the place `off` before `begin` or after `end`, at random; it is
 * reflected at 0 and n. */
static uint64_t place_beyond(uint64_t begin, uint64_t end, uint64_t n,
                             uint64_t off, uint64_t *random)
{
    if (next_random(random) >> 63)
        return end + off < n ? end + off : 2 * n - 1 - end - off;
    return off < begin ? begin - 1 - off : off - begin;
}

/* Draws a place outside of begin..end, with a density of 1 / sqrt(distance). */
static uint64_t draw_beyond(uint64_t begin, uint64_t end, uint64_t n,
                            double reach, uint64_t *random)
{
    uint64_t dice = next_random(random) >> 32;
    uint64_t most = (uint64_t)(reach * (double)(n - (end - begin)));
    uint64_t off = ((dice * dice) >> 32) * most >> 32;

    return place_beyond(begin, end, n, off, random);
}

static uint32_t try_head(const struct model *m, const struct stubs *s,
                         uint32_t tail, bool leave, uint64_t *random)
{
    uint32_t c = community_of(m->spec, tail);
    uint64_t begin = s->first[c], end = s->first[c + 1];

    if (!leave)
        return s->vertex[end > begin ? begin + random_below(random, end - begin)
                                     : random_below(random, s->n)];
    if (m->spec->reach > 0 && next_random(random) >> 32 >= m->anywhere)
        return s->vertex[draw_beyond(begin, end, s->n, m->spec->reach, random)];

    uint64_t others = s->n - (end - begin);
    uint64_t at = end + (others ? random_below(random, others) : 0);
    return s->vertex[at < s->n ? at : at - s->n];
}

/* Draws a head for a tail. The arcs of a tail are drawn in a row, so that most
 * duplicates are noticed at once and drawn again. The others are lost, mostly
 * at vertices with many arcs. */
static uint32_t draw_head(const struct model *m, struct stubs *s, uint32_t tail,
                          bool leave, uint64_t *random)
{
    uint32_t head = try_head(m, s, tail, leave, random);

    for (int i = 0; i < 16; i++) {
        if (head != tail && s->drawn_by[head] != tail + 1)
            break;
        head = try_head(m, s, tail, leave, random);
    }
    s->drawn_by[head] = tail + 1;
    return head;
}

/* Returns the first vertex of a community. */
static uint64_t start_of(const struct graph_community *c, uint64_t community)
{
    return (community * c->vertices + c->communities - 1) / c->communities;
}

static uint32_t draw_tail_of_hub(const struct graph_community *c, uint32_t hub,
                                 bool leave, uint64_t *random)
{
    uint64_t mine = community_of(c, hub);
    uint64_t begin = start_of(c, mine), end = start_of(c, mine + 1);

    if (leave && c->reach > 0)
        return (uint32_t)place_beyond(begin, end, c->vertices,
                                      random_below(random, room_of_hub(c) / 2),
                                      random);
    if (leave)
        return (uint32_t)random_below(random, c->vertices);
    return (uint32_t)(begin + random_below(random, end - begin));
}

static bool community_draw(void *model, uint64_t *random, uint32_t *tail,
                           uint32_t *head)
{
    struct model *m = model;
    uint64_t dice = next_random(random);
    int kind = BOTH_WAYS;

    for (uint64_t at = dice >> 32; kind < HEADS && at >= m->share[kind];)
        at -= m->share[kind++];

    bool leave = (uint32_t)dice < m->leave[kind];
    struct ends *ends = &m->ends[kind];
    struct stubs *heads = leave ? &ends->far : &ends->near;
    if (kind == HUBS) {
        *head = heads->vertex[random_below(random, heads->n)];
        *tail = draw_tail_of_hub(m->spec, *head, leave, random);
    } else {
        struct ends *from = kind == HEADS ? &m->ends[TAILS] : ends;
        struct stubs *tails = leave ? &from->far : &from->near;
        *tail = draw_tail(tails, kind == BOTH_WAYS ? 2 : 1, random);
        *head = draw_head(m, heads, *tail, leave, random);
    }
    if (m->number) {
        *tail = m->number[*tail];
        *head = m->number[*head];
    }
    return kind == BOTH_WAYS;
}

static uint32_t *shuffled(uint64_t n, uint64_t *random)
{
    uint32_t *order = xmalloc(n * sizeof *order);

    for (uint32_t v = 0; v < n; v++)
        order[v] = v;
    for (uint64_t v = n; v > 1; v--) {
        uint64_t other = random_below(random, v);
        uint32_t kept = order[v - 1];
        order[v - 1] = order[other];
        order[other] = kept;
    }
    return order;
}

/* Returns the vertex of each rank of degree, at random but for the slope. */
static uint32_t *by_rank(const struct graph_community *c, uint64_t *random)
{
    uint32_t *rank = shuffled(c->vertices, random);
    uint64_t n = c->vertices;

    if (c->slope <= 0)
        return rank; /* because the inverse is as random */

    uint32_t *vertex = xmalloc(n * sizeof *vertex);
    for (uint64_t v = 0; v < n / 2; v++) {
        uint32_t *mine = &rank[v], *other = &rank[n - 1 - v];
        double often = c->slope * (1 - 2 * (double)v / (double)n);
        uint32_t kept = *mine;
        if (*mine < *other ||
            (double)(next_random(random) >> 32) >= often * 0x1p32)
            continue;
        *mine = *other;
        *other = kept;
    }
    for (uint64_t v = 0; v < n; v++)
        vertex[rank[v]] = (uint32_t)v;
    free(rank);
    return vertex;
}

static int check_reach(const struct graph_community *c, struct err *err)
{
    double n = (double)c->vertices;
    double others = n - n / (double)c->communities;

    if (c->anywhere > 0 && !(c->reach > 0))
        return fail(err, "anywhere: only with a reach above 0");
    if (c->reach > 0 && c->communities == 1)
        return fail(err, "reach: only with 2 communities or more");
    if (c->reach > 0 && c->reach * others < 1)
        return fail(err,
                    "reach: expected at least %.3g, which is one vertex, got "
                    "%g",
                    1 / others, c->reach);
    return 0;
}

static int community_check(const struct graph_community *c, struct err *err)
{
    if (graph_check_size(c->vertices, c->arcs, err) < 0)
        return -1;
    if (c->vertices < 2 * c->communities)
        return fail(err,
                    "communities: expected at most half as many as vertices, "
                    "got %llu",
                    (unsigned long long)c->communities);
    if (c->arcs > c->vertices * (c->vertices - 1) / 8)
        return fail(err,
                    "arcs: expected at most an eighth of the %llu that there "
                    "may be, got %llu",
                    (unsigned long long)(c->vertices * (c->vertices - 1)),
                    (unsigned long long)c->arcs);
    if (c->out.max_degree > (double)(c->vertices - 1))
        return fail(err, "max_degree: expected at most %llu, got %.0f",
                    (unsigned long long)(c->vertices - 1), c->out.max_degree);
    if (c->out.exponent != 0 && c->out.exponent <= 1)
        return fail(err, "exponent: expected a number above 1, got %g",
                    c->out.exponent);
    return check_reach(c, err);
}

static double community_least(double a, double b)
{
    return a < b ? a : b;
}

/*
 * Splits the laws: two-way arcs add to both degrees, and the rest is left to
 * one-way arcs. Ranks of one-way arcs out and in are drawn apart: otherwise two
 * vertices with many of both would find each other, and there would be more
 * two-way arcs than wanted.
 */
static void share_out(struct graph_power_law law[NENDS],
                      const struct graph_community *c)
{
    double s = c->symmetric;
    struct graph_power_law both = {
        .max_degree = s * community_least(c->out.max_degree, c->in.max_degree),
        .deviation = s * community_least(c->out.deviation, c->in.deviation),
        .exponent = c->out.exponent};

    law[BOTH_WAYS] = both;
    law[TAILS] = c->out;
    law[TAILS].max_degree -= both.max_degree;
    law[TAILS].deviation -= both.deviation;
    law[HEADS] = c->in;
    law[HEADS].max_degree -= s * (double)c->arcs / (double)c->vertices;
    law[HEADS].deviation = sqrt(c->in.deviation * c->in.deviation -
                                both.deviation * both.deviation);
}

static double stubs_of(const struct ends *e)
{
    return (double)(e->near.n + e->far.n);
}

/* Makes the ends of one-way arcs; arcs to hubs do not use ends of tails. */
static int make_one_way(struct model *m, const struct graph_power_law *law,
                        const uint32_t *by_out, uint64_t *random,
                        struct err *err)
{
    const struct graph_community *c = m->spec;
    double n = (double)c->vertices;
    double arcs = floor((1 - c->symmetric) * (double)c->arcs);
    struct power_law ranks;

    if (arcs < 1)
        return 0;
    if (power_law_solve(&ranks, &law[HEADS], n, arcs, err) < 0)
        return -1;
    uint32_t *by_in = by_rank(c, random);
    deal_out(&m->ends[HEADS], &m->ends[HUBS], c, &ranks, by_in, random);
    free(by_in);

    double left = stubs_of(&m->ends[HEADS]);
    if (left < 1)
        return 0;
    if (power_law_solve(&ranks, &law[TAILS], n, left, err) < 0)
        return -1;
    deal_out(&m->ends[TAILS], NULL, c, &ranks, by_out, random);
    return 0;
}

static int make_all_ends(struct model *m, uint64_t *random, struct err *err)
{
    const struct graph_community *c = m->spec;
    struct graph_power_law law[NENDS];
    uint32_t *by_out = by_rank(c, random);
    struct power_law ranks;
    double arcs = floor(c->symmetric * (double)c->arcs);
    int rc = 0;

    share_out(law, c);
    if (arcs >= 1) {
        rc = power_law_solve(&ranks, &law[BOTH_WAYS], (double)c->vertices, arcs,
                             err);
        if (rc == 0)
            deal_out(&m->ends[BOTH_WAYS], NULL, c, &ranks, by_out, random);
    }
    if (rc == 0)
        rc = make_one_way(m, law, by_out, random, err);
    free(by_out);
    return rc;
}

/* Returns the share of the draws that leave, times 2^32: that of the far heads,
 * but 0 or 1 if other ends are missing. */
static uint64_t leaving(const struct ends *heads, const struct ends *tails)
{
    double all = stubs_of(heads);
    double share = all > 0 ? (double)heads->far.n / all : 0;

    if (!heads->near.n || (tails && !tails->near.n))
        share = 1;
    else if (!heads->far.n || (tails && !tails->far.n))
        share = 0;
    return (uint64_t)(share * 0x1p32);
}

static void set_shares(struct model *m)
{
    /* One draw of a two-way arc makes two arcs. */
    double draws[HEADS + 1] = {
        [BOTH_WAYS] = stubs_of(&m->ends[BOTH_WAYS]) / 2,
        [HUBS] = stubs_of(&m->ends[HUBS]),
        [HEADS] = stubs_of(&m->ends[HEADS]),
    };
    double all = draws[BOTH_WAYS] + draws[HUBS] + draws[HEADS];

    for (int kind = BOTH_WAYS; kind < HEADS; kind++)
        m->share[kind] = (uint64_t)(draws[kind] / all * 0x1p32);
    if (draws[HEADS] < 1) /* so that rounding does not give them a draw */
        m->share[draws[HUBS] < 1 ? BOTH_WAYS : HUBS] = UINT64_C(1) << 32;
    m->leave[BOTH_WAYS] = leaving(&m->ends[BOTH_WAYS], NULL);
    m->leave[HUBS] = leaving(&m->ends[HUBS], NULL);
    m->leave[HEADS] = leaving(&m->ends[HEADS], &m->ends[TAILS]);
}

static void clear_stubs(struct stubs *s)
{
    free(s->vertex);
    free(s->first);
    free(s->drawn_by);
}

static void clear(struct model *m)
{
    for (int e = 0; e < NENDS; e++) {
        clear_stubs(&m->ends[e].near);
        clear_stubs(&m->ends[e].far);
    }
    free(m->number);
}

int graph_community(struct graph *g, const struct graph_community *c,
                    struct err *err)
{
    struct model m = {.spec = c, .anywhere = (uint64_t)(c->anywhere * 0x1p32)};
    uint64_t random = c->seed ^ UINT64_C(0x636f6d6d);

    if (community_check(c, err) < 0)
        return -1;

    int rc = make_all_ends(&m, &random, err);
    if (rc == 0) {
        set_shares(&m);
        m.number = c->scatter ? shuffled(c->vertices, &random) : NULL;
        graph_draw(g, (uint32_t)c->vertices, c->arcs, 8, community_draw, &m,
                   c->seed);
    }
    clear(&m);
    return rc;
}
