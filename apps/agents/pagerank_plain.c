/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PageRank as a plain power iteration, and the comparison of a run with it. */
#include "apps/agents/pagerank.h"

#include <math.h>
#include <stdlib.h>

void pagerank_scale_to_1(double *rank, uint32_t n)
{
    double sum = 0;

    for (uint32_t v = 0; v < n; v++)
        sum += rank[v];
    for (uint32_t v = 0; v < n; v++)
        rank[v] /= sum;
}

/* The change by an iteration: the largest change of a rank relative to itself;
 * and that of all ranks relative to their sum. */
struct change {
    double worst, all;
};

/* Heads are scattered in memory, so they are prefetched this many arcs
 * ahead. */
enum { AHEAD = 32 };

static struct change plain_step(double *rank, double *next,
                                const struct graph *g, double damping)
{
    struct change c = {0};
    uint64_t arcs = graph_arcs(g);
    double sum = 0;

    for (uint32_t v = 0; v < g->n; v++)
        next[v] = 1 - damping;
    for (uint32_t v = 0; v < g->n; v++) {
        double share = damping * rank[v] / (double)graph_degree(g, v);
        for (uint64_t a = g->first[v]; a < g->first[v + 1]; a++) {
            if (a + AHEAD < arcs)
                __builtin_prefetch(&next[g->to[a + AHEAD]], 1);
            next[g->to[a]] += share;
        }
    }
    for (uint32_t v = 0; v < g->n; v++) {
        double off = fabs(next[v] - rank[v]);
        c.worst = fmax(c.worst, off / next[v]);
        c.all += off;
        sum += next[v];
        rank[v] = next[v];
    }
    c.all /= sum;
    return c;
}

/* Scales ranks whose sum is 1 so that a vertex without arcs to it has 1 -
 * damping; the rank that dangling vertices keep is lost to the sum. */
static void plain_unscale(double *rank, const struct graph *g, double damping)
{
    double dangling = 0;

    for (uint32_t v = 0; v < g->n; v++)
        if (!graph_degree(g, v))
            dangling += rank[v];
    double sum = g->n * (1 - damping) / (1 - damping * (1 - dangling));
    for (uint32_t v = 0; v < g->n; v++)
        rank[v] *= sum;
}

/* Returns the most iterations: each leaves at most damping of the remaining
 * error. */
static int plain_most(double damping)
{
    return (int)(30 / (1 - damping)) + 10;
}

uint64_t traverse_plain_pagerank(double *rank, const struct graph *g,
                                 double damping, double change)
{
    double *next = xmalloc_scattered(g->n * sizeof *next);
    struct change c = {1, 1};
    int i = 0;

    for (uint32_t v = 0; v < g->n; v++)
        rank[v] = 1;
    while (i < plain_most(damping) && c.worst > change) {
        c = plain_step(rank, next, g, damping);
        i++;
    }
    pagerank_scale_to_1(rank, g->n);
    free(next);
    return (uint64_t)i * graph_arcs(g);
}

/*
 * Compares the ranks of the last sweep, of which none had changed by more than
 * r->last_change of itself. The sum of their distances from the fixed point is
 * at most that times d / (1 - d) of their sum, because the next sweep passes on
 * d of a change, and so on; it can be twice as far once both sums are made 1.
 * After an iteration that begins with the ranks of the run, its result is at
 * most its change times d / (1 - d) from the fixed point, so the ranks are at
 * most that plus all changes from it: either this shows that they are near
 * enough, or another iteration follows.
 */
int pagerank_compare_sweeps(struct traverse_result *r,
                            const struct traverse_input *in, struct err *err)
{
    double d = in->damping, rest = 1 / (1 - d);
    double most = 2 * r->last_change * d * rest + 1e-9, off;
    double *rank = xmalloc(in->g->n * sizeof *rank);
    double *next = xmalloc_scattered(in->g->n * sizeof *next);
    double moved = 0, left;
    int i = 0;

    for (uint32_t v = 0; v < in->g->n; v++)
        rank[v] = r->rank[v];
    plain_unscale(rank, in->g, d);
    do {
        struct change c = plain_step(rank, next, in->g, d);
        moved += c.all;
        left = c.all * d * rest;
        off = 2 * (moved + left);
        i++;
    } while (off > most && left > 1e-3 * most && i < plain_most(d));
    r->plain_edges = (uint64_t)i * graph_arcs(in->g);
    if (off > most) {
        /* The bound exceeds the real distance, so that is computed. */
        pagerank_scale_to_1(rank, in->g->n);
        off = 0;
        for (uint32_t v = 0; v < in->g->n; v++)
            off += fabs(r->rank[v] - rank[v]);
    }
    free(rank);
    free(next);
    return off <= most ? 0
                       : fail_work(err,
                                   "%s: ranks are off by %g of their sum, more "
                                   "than %g",
                                   in->x->name, off, most);
}

static double worst_off(const struct traverse_result *r, const double *want)
{
    double off = 0;

    for (uint32_t v = 0; v < r->n; v++)
        off = fmax(off, fabs(r->rank[v] / want[v] - 1));
    return off;
}

/* Returns the bound of rounding: shares for a vertex of another GPU are added
 * up in single precision, as GPUs do, so each addition can be off by half a
 * unit of the last of 24 bits. */
static double single_precision(const struct graph *g)
{
    uint32_t *in = xcalloc(g->n, sizeof *in), most = 0;

    for (uint64_t a = 0; a < graph_arcs(g); a++)
        in[g->to[a]]++;
    for (uint32_t v = 0; v < g->n; v++)
        most = in[v] > most ? in[v] : most;
    free(in);
    return most * 0x1p-24;
}

/* Compares ranks with a tolerance for the residues below the threshold, and for
 * single precision on the way. The plain computation is itself off by much less
 * than that; known ranks may be off by more, in which case it is done. */
int pagerank_compare_residues(struct traverse_result *r,
                              const struct traverse_input *in, struct err *err)
{
    /* Each GPU may keep that much for a vertex. */
    uint32_t keepers = in->x->residues == RESIDUES_ABOVE ? in->ngpus : 1;
    double most = keepers * in->threshold + 1e-6;

    if (in->plain_rank && worst_off(r, in->plain_rank) <= most)
        return 0;
    double *want = xcalloc(in->g->n, sizeof *want);
    r->plain_edges =
        traverse_plain_pagerank(want, in->g, in->damping, 1e-3 * most);
    double off = worst_off(r, want);
    free(want);
    if (off > most && in->ngpus > 1)
        most += single_precision(in->g);
    if (off <= most)
        return 0;
    return fail_work(err, "%s: a rank is off by %g of itself, more than %g",
                     in->x->name, off, most);
}
