/* SPDX-License-Identifier: GPL-3.0-or-later */
/* PageRank on a Cartesian vertex cut: a vertex's residue, which it has received
 * since it was last visited, is added to its rank, and damped to its heads. */
#include "apps/rounds/analytics.h"
#include "apps/rounds/gluon.h"

#include "base/jobs.h"

#include <stdlib.h>

/* A float is sent, as Abelian does; the sums here are doubles, because then the
 * order of messages has no effect. */
enum { PAGERANK_VALUE_B = 4 };

struct pushing {
    const struct analytics_input *in;
    const struct hosts *h;
    struct gluon gluon;
    double **residue; /* one array per host, by local vertex */
    double *rank;     /* one per vertex */
    /* For each worker the amounts that one host's vertices push. */
    double **each;
};

static void pushing_reduce(void *state, uint32_t at, const uint32_t *masters,
                           uint32_t from, const uint32_t *mirrors, uint32_t n)
{
    struct pushing *x = state;
    double *own = x->residue[at], *theirs = x->residue[from];

    for (uint32_t i = 0; i < n; i++) {
        own[masters[i]] += theirs[mirrors[i]];
        theirs[mirrors[i]] = 0;
        updated_add(&x->gluon.updated[at], masters[i]);
    }
}

static void pushing_broadcast(void *state, uint32_t at, const uint32_t *mirrors,
                              uint32_t from, const uint32_t *masters,
                              uint32_t n)
{
    struct pushing *x = state;

    for (uint32_t i = 0; i < n; i++)
        x->residue[at][mirrors[i]] = x->residue[from][masters[i]];
}

/* Takes the residue and returns the amount for each head; 0 if it is too little
 * to push. */
static double pushing_take(struct pushing *x, uint32_t at, uint32_t u,
                           double *residue)
{
    uint32_t v = host_vertex(x->h, at, u);
    uint64_t degree = graph_degree(x->h->graph, v);
    double got = *residue;

    *residue = 0;
    if (u < x->h->host[at].masters)
        x->rank[v] += got;
    return got > x->in->threshold && degree
               ? got * x->in->damping / (double)degree
               : 0;
}

/* Pushes the residues of a host; all of them are taken before any is pushed. */
static void pushing_host(struct pushing *x, struct round *r, uint32_t at,
                         double *each)
{
    const struct host *one = &x->h->host[at];
    uint32_t n = one->masters + one->mirrors;
    struct effort *e = &r->before[at];
    double *residue = x->residue[at];

    for (uint32_t u = 0; u < n; u++)
        each[u] = residue[u] > 0 ? pushing_take(x, at, u, &residue[u]) : 0;
    for (uint32_t u = 0; u < n; u++) {
        if (!(each[u] > 0) || one->first[u] == one->first[u + 1])
            continue;
        for (uint64_t a = one->first[u]; a < one->first[u + 1]; a++)
            residue[one->to[a]] += each[u];
        e->arcs += one->first[u + 1] - one->first[u];
        e->vertices++;
    }
    for (uint32_t v = 0; v < n; v++)
        if (residue[v] > 0) /* only those pushed now */
            updated_add(&x->gluon.updated[at], v);
}

struct pushing_job {
    struct pushing *x;
    struct round *r;
};

static int push_one(void *arg, unsigned worker, size_t at, struct err *err)
{
    const struct pushing_job *job = arg;

    (void)err;
    pushing_host(job->x, job->r, (uint32_t)at, job->x->each[worker]);
    return 0;
}

static bool pushing_round(struct pushing *x, struct analytics_result *result)
{
    struct round r;
    struct err err;
    struct pushing_job job = {x, &r};

    round_init(&r, x->h->n);
    bool worked = jobs_run(x->h->n, x->in->jobs, push_one, &job, &err) == 0;
    for (uint32_t at = 0; at < x->h->n; at++)
        r.active += r.before[at].vertices;
    worked &= r.active > 0;
    gluon_sync(&x->gluon, &r);
    rounds_add(&result->rounds, &r);
    return worked;
}

/* Sets the residues of all masters and of the mirrors that are read; the
 * mirrors that are written start at 0. */
static void pushing_begin(struct pushing *x)
{
    uint32_t most = 0;

    x->residue = xcalloc(x->h->n, sizeof(void *));
    for (uint32_t at = 0; at < x->h->n; at++) {
        const struct host *one = &x->h->host[at];
        uint32_t n = one->masters + one->mirrors;
        x->residue[at] = xcalloc((size_t)n + 1, sizeof(double));
        for (uint32_t i = 0; i < n; i++)
            if (i < one->masters || one->first[i] < one->first[i + 1])
                x->residue[at][i] = 1 - x->in->damping;
        most = n > most ? n : most;
    }
    x->each = xcalloc(x->in->jobs + 1, sizeof(void *));
    for (unsigned i = 0; i <= x->in->jobs; i++)
        x->each[i] = xmalloc(((size_t)most + 1) * sizeof(double));
}

/* Adds the residues that are left to the ranks. */
static void pushing_end(struct pushing *x)
{
    for (uint32_t at = 0; at < x->h->n; at++) {
        for (uint32_t i = 0; i < x->h->host[at].masters; i++)
            x->rank[x->h->begin[at] + i] += x->residue[at][i];
        free(x->residue[at]);
    }
    for (unsigned i = 0; i <= x->in->jobs; i++)
        free(x->each[i]);
    free(x->each);
    free(x->residue);
    gluon_clear(&x->gluon);
}

void pagerank_cvc(struct analytics_result *r, const struct analytics_input *in)
{
    struct pushing x = {.in = in, .h = in->hosts};
    bool worked = true;

    *r = (struct analytics_result){.rounds = {.hosts = x.h->n},
                                   .value_B = PAGERANK_VALUE_B};
    x.rank = r->rank = xcalloc(x.h->graph->n, sizeof *r->rank);
    gluon_init(&x.gluon, x.h, PAGERANK_VALUE_B);
    x.gluon.state = &x;
    x.gluon.reduce = pushing_reduce;
    x.gluon.broadcast = pushing_broadcast;
    pushing_begin(&x);
    while (worked && r->rounds.n < in->max_rounds)
        worked = pushing_round(&x, r);
    r->unfinished = worked;
    r->window_B = gluon_windows(x.h, PAGERANK_VALUE_B);
    pushing_end(&x);
}
