/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds shares without branches on their values, and finds the edges of a vertex
 * that stay on its GPU. */
#include "apps/agents/shares.h"

#include "base/inline.h"

#include <math.h>
#include <stdlib.h>

/* --- own arcs --------------------------------------------------------------
 */

/* Returns false if the own edges are not next to each other. */
static bool own_arcs_find(struct own_arcs *own, const struct graph *g,
                          const uint32_t *part, uint32_t v)
{
    const uint32_t *to = &g->to[g->first[v]];
    uint32_t n = (uint32_t)graph_degree(g, v), i = 0;

    while (i < n && part[to[i]] != part[v])
        i++;
    own->from = i;
    while (i < n && part[to[i]] == part[v])
        i++;
    own->to = i;
    while (i < n && part[to[i]] != part[v])
        i++;
    return i == n;
}

/* Edges of a vertex in the mean. Assumed: with fewer, runs of own and other
 * edges are too short for loops of their own. */
enum { FEW_ARCS = 4 };

struct own_arcs *own_arcs_new(const struct graph *g, const uint32_t *part)
{
    if (graph_arcs(g) < (uint64_t)FEW_ARCS * g->n)
        return NULL;
    struct own_arcs *own = xmalloc(g->n * sizeof *own);
    for (uint32_t v = 0; v < g->n; v++)
        if (!own_arcs_find(&own[v], g, part, v)) {
            free(own);
            return NULL;
        }
    return own;
}

/* --- adding ----------------------------------------------------------------
 */

/* Adds v to a list of n heads if `reached`, and returns their number. It always
 * writes, because a branch would be predicted wrong. */
ALWAYS_INLINE size_t heads_add(struct heads *h, size_t n, uint32_t v,
                               bool reached)
{
    h->list[n] = v;
    return n + reached;
}

static void give_others(struct shares *s, const uint32_t *to,
                        const uint32_t *end, float share)
{
    float *sum = s->sum, goes_at = s->goes_at;
    size_t n = s->sent.n;

    for (; to < end; to++) {
        float was = sum[*to], is = was + share;
        sum[*to] = is;
        n = heads_add(&s->sent, n, *to, (was < goes_at) & (is >= goes_at));
    }
    s->sent.n = n;
}

static void give_own(struct shares *s, const uint32_t *to, const uint32_t *end,
                     double share)
{
    double *residue = s->residue, bound = s->bound;
    size_t n = s->queued.n;

    for (; to < end; to++) {
        double was = residue[*to], is = was + share;
        residue[*to] = is;
        n = heads_add(&s->queued, n, *to, (was <= bound) & (is > bound));
    }
    s->queued.n = n;
}

/* Lists own heads first, because only their sums are NAN, and stay so. */
static void give_mixed(struct shares *s, const uint32_t *to,
                       const uint32_t *end, float share)
{
    uint32_t own[SHARES_MOST];
    float *sum = s->sum, goes_at = s->goes_at;
    size_t n = s->sent.n, nown = 0;

    for (; to < end; to++) {
        float was = sum[*to], is = was + share;
        sum[*to] = is;
        own[nown] = *to;
        nown += isnan(was) != 0;
        n = heads_add(&s->sent, n, *to, (was < goes_at) & (is >= goes_at));
    }
    s->sent.n = n;
    give_own(s, own, &own[nown], (double)share);
}

/* Returns the place in the range that is nearest to `a`. */
static uint64_t clip(uint64_t a, struct range arcs)
{
    if (a < arcs.from)
        return arcs.from;
    return a < arcs.to ? a : arcs.to;
}

void shares_give(struct shares *s, const struct graph *g, struct range arcs,
                 const struct own_arcs *own, struct update tail)
{
    const uint32_t *to = g->to;

    if (!own) {
        give_mixed(s, &to[arcs.from], &to[arcs.to], tail.real);
        return;
    }
    uint64_t first = g->first[tail.v];
    uint64_t from = clip(first + own->from, arcs),
             end = clip(first + own->to, arcs);
    give_others(s, &to[arcs.from], &to[from], tail.real);
    give_own(s, &to[from], &to[end], (double)tail.real);
    give_others(s, &to[end], &to[arcs.to], tail.real);
}

void shares_receive(struct shares *s, const struct update *list, size_t n)
{
    double *residue = s->residue, bound = s->bound;
    size_t k = s->queued.n;

    for (size_t i = 0; i < n; i++) {
        double was = residue[list[i].v], is = was + (double)list[i].real;
        residue[list[i].v] = is;
        k = heads_add(&s->queued, k, list[i].v, (was <= bound) & (is > bound));
    }
    s->queued.n = k;
}
