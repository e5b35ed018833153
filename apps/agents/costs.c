/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Passes a graph's arcs through a model of each GPU's L2 cache and adds up the
 * cost of every vertex. */
#include "apps/agents/costs.h"

#include "base/inline.h"
#include "apps/agents/algorithm.h"
#include "apps/agents/crowd.h"
#include "apps/agents/search.h"
#include "apps/agents/sector_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a vertex's row: the position where its arcs begin. */
enum { ROW_B = 8 };
/* Arcs and visits in a window, after which the part of hits is estimated
 * anew. */
enum { WINDOW_ARCS = 1 << 16 };
/* Uses in a block of the sample, and in the buffer. */
enum { BLOCK = 2048, BUFFER = 2 * BLOCK };
/* A use of the head's value; or of the vertex's row, if head equals tail; or of
 * a streamed sector for the tail, if head is nobody. */
struct use {
    uint32_t head, tail;
};
static const uint32_t nobody = UINT32_MAX;

/* The state of one GPU. */
struct side {
    struct sector_cache cache;
    struct seen now, before;
    double passing; /* sampled sectors streamed, not passed yet */
    struct pending {
        uint32_t v, found, arcs, sectors;
    } * pending; /* vertices of the window */
    size_t n, room;
    uint32_t next; /* the label after the last visited vertex's */
    double sum_s;
    bool fits; /* all data that it reads fits its cache */
};

struct pass {
    const struct traverse_input *in;
    struct costs *c;
    struct pricing pricing;
    struct side *sides;
    struct search *search; /* the search that orders visits; NULL: by number */
    uint32_t *label;       /* place of a vertex in memory; NULL if its number */
    uint64_t *in_sample;   /* one bit per vertex */
    uint32_t per_sector;   /* log2 of the values per sector */
    double stream_arc, stream_visit; /* sectors of the sample */
    struct use uses[BUFFER];
    size_t nuses;
    uint32_t last_tail, last_sector;
};

/* --- places in memory ----------------------------------------------------- */

/* Gives each GPU a contiguous range of labels for its own vertices, in their
 * order. */
static void pass_label(struct pass *p)
{
    uint32_t n = p->in->g->n, ngpus = p->in->ngpus, next = 0;
    /* GPUs do not share a sector. */
    uint32_t whole = (1u << p->per_sector) - 1;

    if (ngpus == 1)
        return;
    p->label = xmalloc_scattered(n * sizeof *p->label);
    uint32_t *first = xcalloc(ngpus, sizeof *first);
    for (uint32_t v = 0; v < n; v++)
        first[p->in->part[v]]++;
    for (uint32_t i = 0; i < ngpus; i++) {
        uint32_t own = first[i];
        first[i] = next;
        next = (next + own + whole) & ~whole;
    }
    for (uint32_t v = 0; v < n; v++)
        p->label[v] = first[p->in->part[v]]++;
    free(first);
}

static uint32_t label_of(const struct pass *p, uint32_t v)
{
    return p->label ? p->label[v] : v;
}

static uint32_t gpu_of(const struct pass *p, uint32_t v)
{
    return p->in->ngpus == 1 ? 0 : p->in->part[v];
}

/* Chooses the sample, so that sectors of values and of rows at the same labels
 * are in it together. */
static void pass_choose_sample(struct pass *p)
{
    uint32_t n = p->in->g->n, rows = 2; /* log2 of 4 per sector */
    uint32_t shift = p->per_sector > rows ? p->per_sector : rows;

    /* A sector is in the sample if its hash is below this. */
    uint64_t below = (uint64_t)1 << (32 - p->pricing.one_of);
    p->in_sample = xcalloc(n / 64 + 1, sizeof *p->in_sample);
    for (uint32_t v = 0; v < n; v++) {
        uint32_t hash = (label_of(p, v) >> shift) * 0x9e3779b1u;
        p->in_sample[v / 64] |= (uint64_t)(hash < below) << v % 64;
    }
}

static bool is_in_sample(const struct pass *p, uint32_t v)
{
    return p->in_sample[v / 64] >> v % 64 & 1;
}

/* --- the cache ------------------------------------------------------------ */

static const uint64_t row_sectors = (uint64_t)1 << 32;

static void use_row(struct pass *p, uint32_t v)
{
    struct side *s = &p->sides[gpu_of(p, v)];

    s->now.row_uses++;
    s->now.row_hits +=
        s->fits ||
        sector_cache_use(&s->cache, row_sectors | label_of(p, v) / 4);
}

static void use_value(struct pass *p, struct use u)
{
    uint32_t sector = label_of(p, u.head) >> p->per_sector;
    struct side *s = &p->sides[gpu_of(p, u.tail)];

    if (p->in->ngpus > 1) {
        bool remote = gpu_of(p, u.head) != gpu_of(p, u.tail);
        s->now.heads++;
        s->now.remote_heads += remote;
        if (remote && !p->pricing.remote_values)
            return;
    }
    if (u.tail == p->last_tail && sector == p->last_sector)
        return;
    p->last_tail = u.tail;
    p->last_sector = sector;
    s->now.uses++;
    s->now.hits += s->fits || sector_cache_use(&s->cache, sector);
}

static void pass_flush(struct pass *p)
{
    for (size_t i = 0; i < p->nuses; i++)
        if (p->uses[i].head == p->uses[i].tail)
            use_row(p, p->uses[i].head);
        else if (p->uses[i].head == nobody)
            sector_cache_pass(&p->sides[gpu_of(p, p->uses[i].tail)].cache);
        else
            use_value(p, p->uses[i]);
    p->nuses = 0;
}

/* Fills the caches with the values in order, because they are set before a
 * run. */
static void pass_set_values(struct pass *p)
{
    for (uint32_t i = 0; i <= p->in->g->n / 64; i++)
        for (uint64_t left = p->in_sample[i]; left; left &= left - 1) {
            uint32_t v = 64 * i + (uint32_t)__builtin_ctzll(left);
            struct side *s = &p->sides[gpu_of(p, v)];
            if (!s->fits)
                sector_cache_use(&s->cache, label_of(p, v) >> p->per_sector);
        }
}

static void pass_use(struct pass *p, uint32_t head, uint32_t tail)
{
    if (p->nuses == BUFFER)
        pass_flush(p);
    p->uses[p->nuses++] = (struct use){head, tail};
}

/* Passes the sectors that a visit reads and writes sequentially. */
static void pass_stream(struct pass *p, struct side *s, uint32_t v, double arcs)
{
    if (s->fits)
        return;
    s->passing += p->stream_arc * arcs + p->stream_visit;
    for (; s->passing >= 1; s->passing--)
        pass_use(p, nobody, v);
}

/* --- windows -------------------------------------------------------------- */

static void side_close_window(struct pass *p, struct side *s)
{
    struct seen all = s->before;

    seen_add(&all, &s->now);
    struct prices of = prices_of(&p->pricing, s->fits,
                                 seen_says_little(&s->now) ? &all : &s->now);
    for (size_t i = 0; i < s->n; i++) {
        const struct pending *v = &s->pending[i];
        double v_s = v->arcs * of.arc_s +
                     (double)(float)v->sectors * of.sector_s + of.visit_s +
                     v->found * of.found_s;
        p->c->vertex[v->v] = (float)(v_s / p->c->unit_s);
        s->sum_s += v_s;
    }
    s->n = 0;
    s->before = all;
    s->now = (struct seen){0};
}

/* --- the pass ------------------------------------------------------------- */

/* Puts those of the arcs [at, stop) of a vertex whose heads are in the sample
 * into it. Returns the number of heads in another sector than the one before;
 * *last is the sector of the head before the first, and then of the last. */
static uint32_t pass_block(struct pass *p, uint32_t v, uint64_t at,
                           uint64_t stop, uint32_t *last)
{
    const uint32_t *to = p->in->g->to;
    const uint64_t *in_sample = p->in_sample;
    uint32_t sectors = 0, before = *last, shift = p->per_sector;
    struct use *use = &p->uses[p->nuses];

    for (; at < stop; at++) {
        uint32_t head = to[at];
        sectors += head >> shift != before;
        before = head >> shift;
        *use = (struct use){head, v};
        use += in_sample[head / 64] >> head % 64 & 1;
    }
    p->nuses = (size_t)(use - p->uses);
    *last = before;
    return sectors;
}

/* Returns the number of sectors of the arcs' heads, which are in rising order
 * for each vertex. */
static uint32_t pass_arcs(struct pass *p, uint32_t v)
{
    const struct graph *g = p->in->g;
    uint32_t sectors = 0, last = UINT32_MAX;
    uint64_t at = g->first[v], end = g->first[v + 1];

    while (at < end) {
        uint64_t stop = end - at > BLOCK ? at + BLOCK : end;
        if (p->nuses > BUFFER - BLOCK)
            pass_flush(p);
        sectors += pass_block(p, v, at, stop, &last);
        at = stop;
    }
    return sectors;
}

static void pass_visit(struct pass *p, uint32_t v)
{
    struct side *s = &p->sides[gpu_of(p, v)];
    uint32_t arcs = (uint32_t)graph_degree(p->in->g, v);

    if (is_in_sample(p, v))
        pass_use(p, v, v);
    uint32_t sectors = pass_arcs(p, v);
    uint32_t found = p->search ? search_find(p->search, v) : 1;
    pass_stream(p, s, v, arcs);
    s->now.arcs += arcs;
    s->now.sectors += sectors;
    s->now.visits++;
    s->now.rows += arcs > 0 && label_of(p, v) != s->next;
    s->next = label_of(p, v) + 1;
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 1024;
        s->pending = xrealloc(s->pending, s->room, sizeof *s->pending);
    }
    s->pending[s->n++] = (struct pending){v, found, arcs, sectors};
    if (s->now.arcs + s->now.visits >= WINDOW_ARCS) {
        pass_flush(p);
        side_close_window(p, s);
    }
}

/* Prefetches the data of a vertex that a search visits soon, because it is
 * scattered in memory. */
ALWAYS_INLINE void pass_ask(const struct pass *p)
{
    uint32_t v;

    if (!p->label || !search_soon(p->search, &v))
        return;
    __builtin_prefetch(&p->in->part[v]);
    __builtin_prefetch(&p->label[v]);
}

static void pass_all(struct pass *p)
{
    uint32_t v;

    if (p->search)
        while (search_next(p->search, &v)) {
            pass_ask(p);
            pass_visit(p, v);
        }
    else
        for (v = 0; v < p->in->g->n; v++)
            pass_visit(p, v);
    pass_flush(p);
    for (uint32_t i = 0; i < p->in->ngpus; i++)
        side_close_window(p, &p->sides[i]);
}

/* --- before and after ----------------------------------------------------- */

/* Returns the bits that choose the sample: all sectors of small graphs and
 * caches, one of 64 of large ones. The sample takes about as long as looking at
 * the arcs, and fills a cache that is not too small to be like the whole. */
static uint32_t sample_bits(const struct traverse_input *in)
{
    enum { MOST_BITS = 6, LEAST_CACHE = 2048, EXACT_ARCS = 1 << 15 };
    double arcs = (double)graph_arcs(in->g);
    double cache = in->m->gpu.l2_B / SECTOR_B;
    uint32_t bits = 0;

    while (bits < MOST_BITS && cache / (2u << bits) >= LEAST_CACHE &&
           arcs / (1u << bits) > EXACT_ARCS)
        bits++;
    return bits;
}

/* Returns the bytes that one GPU reads, for an equal share of the graph. */
static double bytes_of(const struct pass *p)
{
    const struct graph *g = p->in->g;
    double values = p->pricing.remote_values ? p->in->ngpus : 1;

    return (double)g->n * (p->pricing.work->value_B * values + ROW_B) +
           (double)graph_arcs(g) * 4 / p->in->ngpus;
}

static void pass_init(struct pass *p, struct costs *c,
                      const struct traverse_input *in)
{
    const struct work_counts *w = &in->x->work[in->algorithm];
    double l2_B = in->m->gpu.l2_B;

    memset(p, 0, sizeof *p);
    p->in = in;
    p->c = c;
    p->last_tail = UINT32_MAX;
    p->pricing = (struct pricing){
        .gpu = &in->m->gpu,
        .work = w,
        .ngpus = in->ngpus,
        .worker_threads = in->x->worker_threads,
        .one_of = sample_bits(in),
        .remote_values = w->remote_arc.reads + w->remote_arc.atomics +
                             w->remote_arc.float_atomics +
                             w->remote_arc.float_sums >
                         0,
    };
    p->per_sector = (uint32_t)lround(log2(SECTOR_B / w->value_B));
    double one_of = 1u << p->pricing.one_of;
    p->stream_arc = w->arc.stream_B / SECTOR_B / one_of;
    p->stream_visit = w->visit.stream_B / SECTOR_B / one_of;
    pass_label(p);
    pass_choose_sample(p);
    p->sides = xcalloc(in->ngpus, sizeof *p->sides);
    for (uint32_t i = 0; i < in->ngpus; i++) {
        p->sides[i].fits = bytes_of(p) <= l2_B;
        sector_cache_init(
            &p->sides[i].cache,
            p->sides[i].fits ? 1 : (uint32_t)(l2_B / SECTOR_B / one_of));
    }
}

static void pass_clear(struct pass *p)
{
    for (uint32_t i = 0; i < p->in->ngpus; i++) {
        sector_cache_clear(&p->sides[i].cache);
        free(p->sides[i].pending);
    }
    free(p->sides);
    free(p->label);
    free(p->in_sample);
}

static void costs_by_accesses(struct costs *c, const struct traverse_input *in)
{
    struct pass *p = xmalloc(sizeof *p);
    struct search search = {0};

    c->unit_s = 1e-9;
    pass_init(p, c, in);
    pass_set_values(p);
    if (c->depth) {
        search_init(&search, in->g, in->source, c->depth);
        p->search = &search;
    }
    pass_all(p);
    for (uint32_t i = 0; i < in->ngpus; i++)
        prices_sum_up(&c->gpus[i], &p->pricing, p->sides[i].fits,
                      &p->sides[i].before, p->sides[i].sum_s);
    if (c->depth) {
        c->plain_edges = search.edges;
        search_clear(&search);
    }
    pass_clear(p);
    free(p);
}

static void costs_by_edge(struct costs *c, const struct traverse_input *in)
{
    c->unit_s = in->edge_s;
    if (c->depth)
        c->plain_edges = traverse_plain_bfs(c->depth, in->g, in->source);
    for (uint32_t i = 0; i < in->ngpus; i++)
        c->gpus[i] = (struct gpu_costs){
            .arc_s = in->edge_s, .pull_arc_s = in->edge_s, .full = 1};
    for (uint32_t v = 0; v < in->g->n; v++) {
        double arcs = (double)graph_degree(in->g, v);
        c->vertex[v] = (float)arcs;
        c->gpus[in->part[v]].all_s += arcs * in->edge_s;
    }
}

/* Sets the costs of scans, which are sequential. */
static void costs_scans(struct costs *c, const struct traverse_input *in)
{
    const struct work_counts *w = &in->x->work[in->algorithm];
    const struct gpu_model *g = &in->m->gpu;
    double dense_s = counts_s(&w->dense, g, 0),
           look_s = counts_s(&w->look, g, 0);

    for (uint32_t v = 0; v < in->g->n; v++) {
        c->gpus[in->part[v]].dense_s += dense_s;
        c->gpus[in->part[v]].look_s += look_s;
    }
}

void costs_init(struct costs *c, const struct traverse_input *in)
{
    uint32_t n = in->g->n;

    memset(c, 0, sizeof *c);
    c->vertex = xmalloc_scattered(n * sizeof *c->vertex);
    for (uint32_t v = 0; v < n; v++)
        c->vertex[v] = 0;
    c->gpus = xcalloc(in->ngpus, sizeof *c->gpus);
    if (algorithms[in->algorithm]->searches)
        c->depth = xmalloc_scattered(n * sizeof *c->depth);
    if (in->edge_s > 0)
        costs_by_edge(c, in);
    else
        costs_by_accesses(c, in);
    if (!(in->edge_s > 0))
        costs_crowd(c, in);
    costs_scans(c, in);
}

void costs_clear(struct costs *c)
{
    free(c->vertex);
    free(c->gpus);
    free(c->depth);
    memset(c, 0, sizeof *c);
}
