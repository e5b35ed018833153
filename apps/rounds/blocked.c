/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Graph algorithms on a blocked edge cut, as Gemini runs them (Zhu, Chen, Zheng
 * and Ma 2016; its source). In a sparse round hosts send their active vertices
 * to all others, and the receiver visits their arcs. If at least a twentieth of
 * the arcs is active the round is dense: hosts send the masters of heads the
 * values that their own vertices add up to for them.
 */
#include "apps/rounds/analytics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A message names each vertex by its number. */
enum { VERTEX_B = 4, LABEL_B = 4, RANK_B = 8, DENSE_SHARE = 20 };

enum task { TASK_LEVEL, TASK_LABEL, TASK_DISTANCE, TASK_RANK };

struct blocked {
    const struct analytics_input *in;
    const struct hosts *h;
    const struct graph *g;
    struct graph back; /* arcs by their heads */
    enum task task;
    unsigned value_B;
    bool too_long;
    uint32_t *label;
    /* For pagerank; share: for each head of a tail. */
    double *rank, *share, *sum;
    uint8_t *active, *next;
    uint64_t *arcs, *values; /* for this round, at from * n + to */
};

/* --- a dense round -------------------------------------------------------- */

/* Computes the label of head v from the arcs in[from] to before in[to]; returns
 * false if they do not lower it. */
static bool pull_label(struct blocked *b, uint32_t v, uint64_t from,
                       uint64_t to, uint32_t *label)
{
    uint32_t least = b->task == TASK_LABEL ? v : UNREACHED;

    for (uint64_t k = from; k < to; k++) {
        uint32_t u = b->back.to[k], got = b->label[u];
        if (b->task == TASK_DISTANCE && got != UNREACHED)
            got = input_distance(b->in, got, u, v, &b->too_long);
        least = got < least ? got : least;
    }
    *label = least;
    return least < (b->task == TASK_LABEL ? v : UNREACHED);
}

/* Looks at arcs up to the first active tail; *looked is the number of arcs that
 * it looked at. */
static bool pull_level(struct blocked *b, uint64_t from, uint64_t to,
                       uint32_t *label, uint64_t *looked)
{
    uint64_t k = from;

    while (k < to && !b->active[b->back.to[k]])
        k++;
    *looked = k < to ? k + 1 - from : to - from;
    if (k < to)
        *label = b->label[b->back.to[k]] + 1;
    return k < to;
}

static double pull_rank(const struct blocked *b, uint64_t from, uint64_t to)
{
    double sum = 0;

    for (uint64_t k = from; k < to; k++)
        sum += b->share[b->back.to[k]];
    return sum;
}

/* Looks at the arcs of one host to one head; returns whether the host sends a
 * value. */
static bool pull(struct blocked *b, uint32_t v, uint64_t from, uint64_t to,
                 uint32_t *least, uint64_t *looked)
{
    uint32_t label = UNREACHED;
    bool sends;

    *looked = to - from;
    if (b->task == TASK_RANK) {
        double sum = pull_rank(b, from, to);
        b->sum[v] += sum;
        return sum > 0;
    }
    sends = b->task == TASK_LEVEL ? pull_level(b, from, to, &label, looked)
                                  : pull_label(b, v, from, to, &label);
    *least = sends && label < *least ? label : *least;
    return sends;
}

/* Looks at all arcs to one head, host by host. */
static void pull_head(struct blocked *b, uint32_t v, uint32_t owner,
                      uint32_t *fallen)
{
    const struct hosts *h = b->h;
    uint64_t k = b->back.first[v], end = b->back.first[v + 1];
    uint32_t from = 0;

    while (k < end) {
        uint64_t first = k, looked;
        while (b->back.to[k] >= h->begin[from + 1])
            from++;
        while (k < end && b->back.to[k] < h->begin[from + 1])
            k++;
        size_t at = (size_t)from * h->n + owner;
        b->values[at] += pull(b, v, first, k, &fallen[v], &looked);
        b->arcs[at] += looked;
    }
}

static void dense_round(struct blocked *b, struct round *r)
{
    const struct hosts *h = b->h;
    uint32_t *fallen = xmalloc(b->g->n * sizeof *fallen);

    memset(fallen, 0xff, b->g->n * sizeof *fallen);
    for (uint32_t i = 0; i < h->n; i++)
        for (uint32_t v = h->begin[i]; v < h->begin[i + 1]; v++)
            if (b->task != TASK_LEVEL || b->label[v] == UNREACHED)
                pull_head(b, v, i, fallen);
    for (uint32_t v = 0; b->task != TASK_RANK && v < b->g->n; v++)
        if (fallen[v] < b->label[v]) {
            b->label[v] = fallen[v];
            b->next[v] = 1;
        }
    free(fallen);
    struct round_step *s = round_add_step(r, STEP_REDUCE);
    for (uint32_t i = 0; i < h->n; i++) {
        for (uint32_t k = 1; k < h->n; k++) {
            uint32_t to = (i + k) % h->n;
            size_t at = (size_t)i * h->n + to;
            struct round_message *m = round_add_message(s, i, to);
            m->values = b->values[at];
            m->bytes = m->values * (VERTEX_B + b->value_B);
            m->gather = (struct effort){b->arcs[at], m->values};
            m->scatter.vertices = m->values;
        }
        size_t own = (size_t)i * h->n + i;
        r->after[i] = (struct effort){b->arcs[own], 2 * b->values[own]};
    }
}

/* Adds the step that tells all hosts which vertices need nothing more: one bit
 * for each vertex of a host. */
static void visited_step(const struct blocked *b, struct round *r)
{
    const struct hosts *h = b->h;
    struct round_step *s = round_add_step(r, STEP_VISITED);

    for (uint32_t i = 0; i < h->n; i++)
        for (uint32_t k = 1; k < h->n; k++)
            round_add_message(s, i, (i + k) % h->n)->bytes =
                (uint64_t)(h->begin[i + 1] - h->begin[i] + 63) / 64 * 8;
}

/* --- a sparse round ------------------------------------------------------- */

static uint32_t pushed(struct blocked *b, uint32_t u, uint32_t v,
                       uint32_t label)
{
    return b->task == TASK_LABEL ? label
           : b->task == TASK_LEVEL
               ? label + 1
               : input_distance(b->in, label, u, v, &b->too_long);
}

static void push_vertex(struct blocked *b, uint32_t u, uint32_t owner,
                        uint32_t label, uint32_t *fallen)
{
    const struct hosts *h = b->h;
    uint32_t to = 0;

    for (uint64_t k = b->g->first[u]; k < b->g->first[u + 1]; k++) {
        uint32_t v = b->g->to[k], got = pushed(b, u, v, label);
        while (v >= h->begin[to + 1])
            to++;
        b->arcs[(size_t)owner * h->n + to]++;
        fallen[v] = got < fallen[v] ? got : fallen[v];
    }
}

static void sparse_round(struct blocked *b, struct round *r)
{
    const struct hosts *h = b->h;
    uint32_t *fallen = xmalloc(b->g->n * sizeof *fallen);
    struct round_step *s = round_add_step(r, STEP_BROADCAST);

    memcpy(fallen, b->label, b->g->n * sizeof *fallen);
    for (uint32_t i = 0; i < h->n; i++) {
        uint64_t active = 0;
        for (uint32_t v = h->begin[i]; v < h->begin[i + 1]; v++) {
            if (!b->active[v])
                continue;
            active++;
            push_vertex(b, v, i, b->label[v], fallen);
        }
        r->before[i].vertices = active;
        for (uint32_t k = 1; k < h->n; k++) {
            uint32_t to = (i + h->n - k) % h->n;
            struct round_message *m = round_add_message(s, i, to);
            m->values = active;
            m->bytes = active * (VERTEX_B + b->value_B);
            m->scatter =
                (struct effort){b->arcs[(size_t)i * h->n + to], active};
        }
        r->after[i] = (struct effort){b->arcs[(size_t)i * h->n + i], active};
    }
    for (uint32_t v = 0; v < b->g->n; v++)
        if (fallen[v] < b->label[v]) {
            b->label[v] = fallen[v];
            b->next[v] = 1;
        }
    free(fallen);
}

/* --- rounds --------------------------------------------------------------- */

/* Returns the number of reductions over all hosts: one for the active arcs, one
 * at the end; bfs and pagerank have one more of their own. */
static unsigned task_reductions(enum task task)
{
    return task == TASK_LEVEL || task == TASK_RANK ? 3 : 2;
}

static void blocked_round(struct blocked *b, struct round *r)
{
    uint64_t arcs = 0;

    for (uint32_t v = 0; v < b->g->n; v++)
        if (b->active[v]) {
            r->active++;
            arcs += graph_degree(b->g, v);
        }
    size_t pairs = (size_t)b->h->n * b->h->n;
    memset(b->arcs, 0, pairs * sizeof *b->arcs);
    memset(b->values, 0, pairs * sizeof *b->values);
    memset(b->next, 0, b->g->n);
    r->reductions = task_reductions(b->task);
    if (arcs < graph_arcs(b->g) / DENSE_SHARE && b->task != TASK_RANK) {
        sparse_round(b, r);
        return;
    }
    if (b->task == TASK_LEVEL)
        visited_step(b, r);
    dense_round(b, r);
}

static bool any_active(const struct blocked *b)
{
    return memchr(b->active, 1, b->g->n) != NULL;
}

static void blocked_labels(struct blocked *b, struct analytics_result *result)
{
    while (any_active(b)) {
        struct round r;
        uint8_t *swap = b->active;
        round_init(&r, b->h->n);
        blocked_round(b, &r);
        rounds_add(&result->rounds, &r);
        b->active = b->next;
        b->next = swap;
    }
}

/* Sets the ranks and returns the largest change of a rank. */
static double new_ranks(struct blocked *b, struct round *r)
{
    double most = 0;

    for (uint32_t v = 0; v < b->g->n; v++) {
        double rank = 1 - b->in->damping + b->in->damping * b->sum[v];
        most = fmax(most, fabs(rank - b->rank[v]));
        b->rank[v] = rank;
        b->sum[v] = 0;
    }
    for (uint32_t i = 0; i < b->h->n; i++)
        r->after[i].vertices += b->h->begin[i + 1] - b->h->begin[i];
    return most;
}

static void blocked_ranks(struct blocked *b, struct analytics_result *result)
{
    double changed = INFINITY;

    memset(b->active, 1, b->g->n);
    for (uint32_t v = 0; v < b->g->n; v++)
        b->rank[v] = 1;
    while (changed > b->in->threshold && result->rounds.n < b->in->max_rounds) {
        struct round r;
        for (uint32_t v = 0; v < b->g->n; v++)
            b->share[v] = b->rank[v] / fmax(1, (double)graph_degree(b->g, v));
        round_init(&r, b->h->n);
        blocked_round(b, &r);
        changed = new_ranks(b, &r);
        rounds_add(&result->rounds, &r);
    }
    result->unfinished = changed > b->in->threshold;
}

/* --- the whole ------------------------------------------------------------ */

static void blocked_begin(struct blocked *b, struct analytics_result *result)
{
    uint32_t n = b->g->n;
    size_t pairs = (size_t)b->h->n * b->h->n;

    *result = (struct analytics_result){.rounds = {.hosts = b->h->n},
                                        .value_B = b->value_B};
    graph_transpose(&b->back, b->g);
    b->active = xcalloc(n, 1);
    b->next = xcalloc(n, 1);
    b->arcs = xcalloc(pairs, sizeof *b->arcs);
    b->values = xcalloc(pairs, sizeof *b->values);
    if (b->task == TASK_RANK) {
        b->rank = result->rank = xcalloc(n, sizeof *b->rank);
        b->share = xcalloc(n, sizeof *b->share);
        b->sum = xcalloc(n, sizeof *b->sum);
        return;
    }
    b->label = result->label = xmalloc(n * sizeof *b->label);
    for (uint32_t v = 0; v < n; v++) {
        bool begins = b->task == TASK_LABEL || v == b->in->source;
        b->active[v] = begins;
        b->label[v] = b->task == TASK_LABEL ? v : begins ? 0 : UNREACHED;
    }
}

/* Returns the bytes of each host's windows, which have room for all vertices of
 * either end, because Gemini allocates that. */
static uint64_t *blocked_windows(const struct blocked *b)
{
    const struct hosts *h = b->h;
    uint64_t *sum = xcalloc(h->n, sizeof *sum);

    for (uint32_t i = 0; i < h->n; i++)
        for (uint32_t from = 0; from < h->n; from++) {
            uint64_t own = h->begin[i + 1] - h->begin[i];
            uint64_t theirs = h->begin[from + 1] - h->begin[from];
            if (from != i)
                sum[i] +=
                    (own > theirs ? own : theirs) * (VERTEX_B + b->value_B);
        }
    return sum;
}

static void blocked_run(struct analytics_result *result,
                        const struct analytics_input *in, enum task task)
{
    struct blocked b = {.in = in,
                        .h = in->hosts,
                        .g = in->hosts->graph,
                        .task = task,
                        .value_B = task == TASK_RANK ? RANK_B : LABEL_B};

    blocked_begin(&b, result);
    if (task == TASK_RANK)
        blocked_ranks(&b, result);
    else
        blocked_labels(&b, result);
    result->window_B = blocked_windows(&b);
    result->too_long = b.too_long;
    graph_clear(&b.back);
    free(b.share);
    free(b.sum);
    free(b.active);
    free(b.next);
    free(b.arcs);
    free(b.values);
}

void bfs_blocked(struct analytics_result *r, const struct analytics_input *in)
{
    blocked_run(r, in, TASK_LEVEL);
}

void cc_blocked(struct analytics_result *r, const struct analytics_input *in)
{
    blocked_run(r, in, TASK_LABEL);
}

void sssp_blocked(struct analytics_result *r, const struct analytics_input *in)
{
    blocked_run(r, in, TASK_DISTANCE);
}

void pagerank_blocked(struct analytics_result *r,
                      const struct analytics_input *in)
{
    blocked_run(r, in, TASK_RANK);
}
