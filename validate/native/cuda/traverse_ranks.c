/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the GPUs' ranks with those of the host, by sweeps in doubles on all
 * of its cores. */
#include "validate/native/cuda/traverse_answer.h"

#include "validate/native/cuda/traverse_execution.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_THREADS = 64, MOST_SWEEPS = 1000 };
static const double STEADY = 1e-9; /* relative change of a rank */
/* The relative rounding error of a rank, because floats sum many shares in a
 * random order. */
static const double ROUNDING = 2e-3;

/* The arcs by their heads: each vertex's in-neighbours. */
struct ranks {
    const struct graph *g;
    uint64_t *first;
    uint32_t *from;
    double *rank, *share, *next;
    unsigned threads;
};

struct ranks_part {
    struct ranks *r;
    uint32_t begin, end;
    double change;
};

static void turn_arcs(struct ranks *r)
{
    const struct graph *g = r->g;
    uint64_t arcs = graph_arcs(g);

    r->first = xcalloc(g->n + 2ull, sizeof *r->first);
    r->from = xcalloc(arcs + 1, sizeof *r->from);
    for (uint64_t a = 0; a < arcs; a++)
        r->first[g->to[a] + 2]++;
    for (uint32_t v = 0; v < g->n; v++)
        r->first[v + 2] += r->first[v + 1];
    for (uint32_t v = 0; v < g->n; v++)
        for (uint64_t a = g->first[v]; a < g->first[v + 1]; a++)
            r->from[r->first[g->to[a] + 1]++] = v;
}

static void *part_sweep(void *arg)
{
    struct ranks_part *p = arg;
    const struct ranks *r = p->r;

    p->change = 0;
    for (uint32_t v = p->begin; v < p->end; v++) {
        double rank = 1 - TRAVERSE_DAMPING;
        for (uint64_t a = r->first[v]; a < r->first[v + 1]; a++)
            rank += r->share[r->from[a]];
        double change = fabs(rank - r->rank[v]) / rank;
        p->change = change > p->change ? change : p->change;
        r->next[v] = rank;
    }
    return NULL;
}

static void *part_share(void *arg)
{
    const struct ranks_part *p = arg;
    const struct ranks *r = p->r;

    for (uint32_t v = p->begin; v < p->end; v++) {
        uint64_t degree = graph_degree(r->g, v);
        r->rank[v] = r->next[v];
        r->share[v] =
            degree ? TRAVERSE_DAMPING * r->rank[v] / (double)degree : 0;
    }
    return NULL;
}

static void all_parts(struct ranks_part *parts, unsigned n,
                      void *(*work)(void *arg))
{
    pthread_t threads[MOST_THREADS];

    for (unsigned i = 1; i < n; i++)
        if (pthread_create(&threads[i], NULL, work, &parts[i]) != 0)
            native_die("no host thread for the serial ranks");
    work(&parts[0]);
    for (unsigned i = 1; i < n; i++)
        pthread_join(threads[i], NULL);
}

/* Divides the vertices into parts with equally many in-arcs. */
static void ranks_divide(struct ranks *r, struct ranks_part *parts)
{
    uint64_t arcs = graph_arcs(r->g) + r->g->n;
    uint32_t v = 0;

    for (unsigned i = 0; i < r->threads; i++) {
        uint64_t until = arcs * (i + 1) / r->threads;
        parts[i] = (struct ranks_part){.r = r, .begin = v};
        while (v < r->g->n && r->first[v] + v < until)
            v++;
        parts[i].end = i + 1 < r->threads ? v : r->g->n;
    }
}

static void sweep_until_steady(struct ranks *r)
{
    struct ranks_part parts[MOST_THREADS];
    double change = 1;

    ranks_divide(r, parts);
    for (uint32_t v = 0; v < r->g->n; v++)
        r->next[v] = 1 - TRAVERSE_DAMPING;
    for (unsigned i = 0; i < MOST_SWEEPS && change > STEADY; i++) {
        all_parts(parts, r->threads, part_share);
        all_parts(parts, r->threads, part_sweep);
        change = 0;
        for (unsigned k = 0; k < r->threads; k++)
            change = fmax(change, parts[k].change);
    }
}

void answer_pagerank(struct traverse_answer *a, const struct graph *g)
{
    struct ranks r = {.g = g};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    *a = (struct traverse_answer){.n = g->n, .reached = g->n};
    r.threads = cores < 1              ? 1
                : cores > MOST_THREADS ? MOST_THREADS
                                       : (unsigned)cores;
    r.rank = xcalloc(g->n + 1ull, sizeof *r.rank);
    r.share = xcalloc(g->n + 1ull, sizeof *r.share);
    r.next = xcalloc(g->n + 1ull, sizeof *r.next);
    turn_arcs(&r);
    sweep_until_steady(&r);
    a->rank = r.next;
    free(r.rank);
    free(r.share);
    free(r.first);
    free(r.from);
}

/* --- the check ------------------------------------------------------------ */

/* Returns the least share of its serial value that a rank may have. */
static double least_part(const struct traverse_group *t)
{
    if (t->how.x->levels) /* sweeps bound only the sum */
        return 0;
    return 1 - t->how.gpus * t->how.threshold - ROUNDING;
}

/* Returns by how much the sum of all ranks may be too low. */
static double most_lack(const struct traverse_answer *a,
                        const struct traverse_group *t, double want)
{
    const double d = TRAVERSE_DAMPING;
    double stopped = t->how.threshold * d / (1 - d) * want;
    double cut = pow(d, (double)t->nlevels) * a->n;

    if (!t->how.x->levels)
        return want;
    return (t->nlevels < t->how.max_iterations ? stopped : fmax(stopped, cut)) +
           ROUNDING * want;
}

static int check_rank(const struct traverse_answer *a,
                      const struct traverse_side *s, uint32_t v, double got,
                      struct err *err)
{
    double want = a->rank[v], least = want * least_part(s->group);

    if (got <= want * (1 + ROUNDING) && got >= least && got > 0)
        return 0;
    return fail_work(err,
                     "%s: vertex %u got rank %.7g on GPU %u, expected from "
                     "%.7g to %.7g of a serial computation",
                     s->group->how.x->name, v, got, s->gpu, least, want);
}

static int check_side_ranks(const struct traverse_answer *a,
                            const struct traverse_side *s, double *sum,
                            struct err *err)
{
    size_t bytes = s->share.own * sizeof(float);
    float *got = xmalloc(bytes + 1);
    int result = CUDA_TRY(err, cudaSetDevice(s->device));

    if (result == 0)
        result = CUDA_TRY(
            err, cudaMemcpy(got, s->values, bytes, cudaMemcpyDeviceToHost));
    for (uint32_t i = 0; result == 0 && i < s->share.own; i++) {
        result = check_rank(a, s, s->number[i], (double)got[i], err);
        *sum += (double)got[i];
    }
    free(got);
    return result;
}

int answer_check_ranks(const struct traverse_answer *a,
                       struct traverse_group *t, struct err *err)
{
    double sum = 0, want = 0;

    for (unsigned g = 0; g < t->how.gpus; g++)
        if (check_side_ranks(a, &t->sides[g], &sum, err) < 0)
            return -1;
    for (uint32_t v = 0; v < a->n; v++)
        want += a->rank[v];
    if (want - sum <= most_lack(a, t, want))
        return 0;
    return fail_work(err,
                     "%s: all ranks are %.7g, %.7g by a serial computation, "
                     "which is more than a threshold of %g leaves",
                     t->how.x->name, sum, want, t->how.threshold);
}
