/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breadth-first search, connected components and shortest paths on a Cartesian
 * vertex cut: vertices whose label fell push it along their arcs, and the
 * smallest of several labels remains. */
#include "apps/rounds/analytics.h"
#include "apps/rounds/gluon.h"

#include <stdlib.h>
#include <string.h>

/* The label that is pushed along an arc. */
enum push { PUSH_LEVEL, PUSH_LABEL, PUSH_DISTANCE };

struct pile {
    uint32_t *list;
    uint32_t n;
};

struct relax {
    const struct analytics_input *in;
    const struct hosts *h;
    enum push push;
    bool too_long;
    struct gluon gluon;
    uint32_t **label;  /* one array per host, by local vertex */
    uint32_t **pushed; /* the labels that they pushed last */
    struct pile *next; /* for each host: vertices that push in the next round */
    uint32_t *now;     /* vertices of one host that push now */
};

/* Lowers a label; a vertex pushes it on only if it is the tail of an arc. */
static inline void fall(struct relax *x, uint32_t at, uint32_t v,
                        uint32_t label)
{
    const struct host *one = &x->h->host[at];

    if (x->label[at][v] == x->pushed[at][v] &&
        one->first[v] < one->first[v + 1])
        x->next[at].list[x->next[at].n++] = v;
    x->label[at][v] = label;
}

static inline uint32_t pushed_label(struct relax *x, uint32_t at, uint32_t u,
                                    uint32_t v)
{
    uint32_t label = x->label[at][u];

    if (x->push == PUSH_LABEL)
        return label;
    if (x->push == PUSH_LEVEL)
        return label + 1;
    return input_distance(x->in, label, host_vertex(x->h, at, u),
                          host_vertex(x->h, at, v), &x->too_long);
}

static void relax_reduce(void *state, uint32_t at, const uint32_t *masters,
                         uint32_t from, const uint32_t *mirrors, uint32_t n)
{
    struct relax *x = state;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t label = x->label[from][mirrors[i]];
        if (label >= x->label[at][masters[i]])
            continue;
        fall(x, at, masters[i], label);
        updated_add(&x->gluon.updated[at], masters[i]);
    }
}

static void relax_broadcast(void *state, uint32_t at, const uint32_t *mirrors,
                            uint32_t from, const uint32_t *masters, uint32_t n)
{
    struct relax *x = state;

    for (uint32_t i = 0; i < n; i++)
        if (x->label[from][masters[i]] < x->label[at][mirrors[i]])
            fall(x, at, mirrors[i], x->label[from][masters[i]]);
}

/* --- rounds --------------------------------------------------------------- */

/* Pushes from the vertices that were due at the beginning of the round. A label
 * that falls in the meantime is pushed with its new value. */
static void relax_host(struct relax *x, struct round *r, uint32_t at)
{
    const struct host *one = &x->h->host[at];
    uint32_t n = x->next[at].n;

    memcpy(x->now, x->next[at].list, n * sizeof *x->now);
    x->next[at].n = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t u = x->now[i];
        x->pushed[at][u] = x->label[at][u];
        for (uint64_t a = one->first[u]; a < one->first[u + 1]; a++) {
            uint32_t v = one->to[a], label = pushed_label(x, at, u, v);
            if (label >= x->label[at][v])
                continue;
            fall(x, at, v, label);
            updated_add(&x->gluon.updated[at], v);
        }
        r->before[at].arcs += one->first[u + 1] - one->first[u];
    }
    r->before[at].vertices = n;
    r->active += n;
}

static bool relax_round(struct relax *x, struct analytics_result *result)
{
    struct round r;
    bool worked = false;

    round_init(&r, x->h->n);
    for (uint32_t at = 0; at < x->h->n; at++) {
        relax_host(x, &r, at);
        worked |= r.before[at].vertices > 0;
    }
    gluon_sync(&x->gluon, &r);
    rounds_add(&result->rounds, &r);
    return worked;
}

/* --- the whole ------------------------------------------------------------ */

/* Sets the labels of a host's proxies and queues those that begin. */
static void relax_begin(struct relax *x, uint32_t at)
{
    const struct host *one = &x->h->host[at];
    uint32_t n = one->masters + one->mirrors;
    size_t bytes = ((size_t)n + 1) * sizeof(uint32_t);

    x->label[at] = xmalloc(bytes);
    x->pushed[at] = xmalloc(bytes);
    x->next[at].list = xmalloc(bytes);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = host_vertex(x->h, at, i);
        x->label[at][i] = x->pushed[at][i] = UNREACHED;
        if (x->push == PUSH_LABEL || v == x->in->source)
            fall(x, at, i, x->push == PUSH_LABEL ? v : 0);
    }
}

static void relax_end(struct relax *x, struct analytics_result *r)
{
    r->label = xmalloc(x->h->graph->n * sizeof *r->label);
    r->value_B = sizeof(uint32_t);
    r->too_long = x->too_long;
    for (uint32_t at = 0; at < x->h->n; at++) {
        for (uint32_t i = 0; i < x->h->host[at].masters; i++)
            r->label[x->h->begin[at] + i] = x->label[at][i];
        free(x->label[at]);
        free(x->pushed[at]);
        free(x->next[at].list);
    }
    free(x->now);
    free(x->label);
    free(x->pushed);
    free(x->next);
    r->window_B = gluon_windows(x->h, r->value_B);
    gluon_clear(&x->gluon);
}

/* Runs until a round finds nothing to do, which is the last one. */
static void relax_run(struct analytics_result *r,
                      const struct analytics_input *in, enum push push)
{
    struct relax x = {.in = in, .h = in->hosts, .push = push};
    uint32_t most = 0;

    *r = (struct analytics_result){.rounds = {.hosts = x.h->n}};
    gluon_init(&x.gluon, x.h, sizeof(uint32_t));
    x.gluon.state = &x;
    x.gluon.reduce = relax_reduce;
    x.gluon.broadcast = relax_broadcast;
    x.label = xcalloc(x.h->n, sizeof(void *));
    x.pushed = xcalloc(x.h->n, sizeof(void *));
    x.next = xcalloc(x.h->n, sizeof *x.next);
    for (uint32_t at = 0; at < x.h->n; at++) {
        uint32_t n = x.h->host[at].masters + x.h->host[at].mirrors;
        most = n > most ? n : most;
        relax_begin(&x, at);
    }
    x.now = xmalloc(((size_t)most + 1) * sizeof *x.now);
    while (relax_round(&x, r)) {
    }
    relax_end(&x, r);
}

void bfs_cvc(struct analytics_result *r, const struct analytics_input *in)
{
    relax_run(r, in, PUSH_LEVEL);
}

void cc_cvc(struct analytics_result *r, const struct analytics_input *in)
{
    relax_run(r, in, PUSH_LABEL);
}

void sssp_cvc(struct analytics_result *r, const struct analytics_input *in)
{
    relax_run(r, in, PUSH_DISTANCE);
}
