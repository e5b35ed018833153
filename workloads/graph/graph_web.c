/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a web of pages that link like the other pages of their directory. */
#include "workloads/graph/graph_web.h"

#include "workloads/graph/graph_pairs.h"
#include "workloads/graph/graph_rows.h"
#include "workloads/graph/power.h"

#include <math.h>
#include <stdlib.h>

struct web {
    const struct graph_web *spec;
    double length;  /* mean length of a run */
    uint32_t *host; /* beginning of each host, and the end */
    uint32_t *dir;  /* beginning of each directory, and the end */
    uint32_t hosts, dirs, largest;
    uint64_t key;
};

/* The current page: its number, and the pages of its host and directory. */
struct page {
    uint32_t v, host, host_end, dir, dir_end;
    /* The numbers of its directory and of its host's first. */
    uint32_t number, first;
};

static double even_of(uint64_t key)
{
    return (double)(random_of(key) >> 32) * 0x1p-32;
}

/* Draws a size with a normal logarithm, at least 1. */
static uint64_t size_of(double mean, double deviation, uint64_t key)
{
    const double e = 1.4426950408889634; /* log2 of e */
    double x = deviation * random_normal(key) - deviation * deviation / 2;
    double size = mean * power_exp2(x * e) + 0.5;

    return size < 1 ? 1 : (uint64_t)size;
}

/* Cuts n pages into consecutive pieces of random sizes, and returns their
 * beginnings. The first piece from `at` on is the largest, if there is one. The
 * caller frees the list. */
static uint32_t *cut_up(uint64_t n, double mean, double deviation, double most,
                        uint64_t at, uint64_t key, uint32_t *pieces)
{
    uint64_t room = 16, begin = 0;
    uint32_t *all = xmalloc(room * sizeof *all);
    bool placed = at >= n;

    for (*pieces = 0; begin < n; ++*pieces) {
        uint64_t size = size_of(mean, deviation, random_of(key ^ *pieces));
        if (*pieces + 2 > room) {
            room *= 2;
            all = xrealloc(all, room, sizeof *all);
        }
        all[*pieces] = (uint32_t)begin;
        size = (double)size < most ? size : (uint64_t)most;
        if (!placed && begin >= at) {
            size = (uint64_t)most;
            placed = true;
        }
        begin += size;
    }
    all[*pieces] = (uint32_t)n;
    return all;
}

/* Ends directories at the ends of hosts. */
static void end_at_hosts(struct web *w)
{
    uint32_t n = w->hosts + w->dirs + 1, h = 0, d = 0, kept = 0;
    uint32_t *all = xmalloc((size_t)n * sizeof *all);

    while (h <= w->hosts || d < w->dirs) {
        uint32_t at = h <= w->hosts && (d == w->dirs || w->host[h] <= w->dir[d])
                          ? w->host[h++]
                          : w->dir[d++];
        if (kept == 0 || all[kept - 1] != at)
            all[kept++] = at;
    }
    free(w->dir);
    w->dir = all;
    w->dirs = kept - 1;
    for (d = 0; d < w->dirs; d++)
        if (w->dir[d + 1] - w->dir[d] >
            w->dir[w->largest + 1] - w->dir[w->largest])
            w->largest = d;
}

static void web_init(struct web *w, const struct graph_web *s)
{
    uint64_t n = s->vertices, at = n / 3;
    uint32_t h;

    *w = (struct web){.spec = s, .length = 4};
    w->key = random_of(s->seed ^ UINT64_C(0x776562));
    w->host = cut_up(n, s->host, s->host_deviation, s->largest_host, n / 3,
                     w->key ^ 1, &w->hosts);
    /* The largest directory is in the largest host. */
    for (h = 0; h + 1 < w->hosts; h++)
        if ((double)(w->host[h + 1] - w->host[h]) >= floor(s->largest_host))
            at = w->host[h];
    w->dir = cut_up(n, s->directory, s->directory_deviation, s->largest, at,
                    w->key ^ 2, &w->dirs);
    end_at_hosts(w);
}

static uint32_t *add_pages(uint32_t *to, uint64_t from, uint64_t end)
{
    for (; from < end; from++)
        *to++ = (uint32_t)from;
    return to;
}

static bool links_all(const struct web *w, const struct page *p)
{
    return p->number == w->largest ||
           even_of(w->key ^ ((uint64_t)p->number << 8 | 1)) <
               w->spec->all_to_all;
}

/* Appends a run of pages in the host, with a density of 1 / distance. */
static uint32_t *add_run(const struct web *w, const struct page *p,
                         uint64_t key, uint32_t *to)
{
    double size = p->host_end - p->host;
    double off = power_exp2(even_of(key) * power_log2(size + 1)) - 1;
    uint64_t length = size_of(w->length, 0.8, key ^ 1);
    uint64_t at = random_of(key ^ 2) >> 63
                      ? (uint64_t)p->dir + (uint64_t)off
                      : (uint64_t)p->dir + (uint64_t)size - (uint64_t)off;

    at = p->host + (at - p->host) % (p->host_end - p->host);
    return add_pages(to, at,
                     at + length < p->host_end ? at + length : p->host_end);
}

/* Appends the list that the pages of a directory share; each page has most of
 * it. */
static uint32_t *add_list(const struct web *w, const struct page *p,
                          uint32_t *to)
{
    uint64_t dir = random_of(w->key ^ ((uint64_t)p->number << 8));
    uint64_t mine = random_of(w->key ^ ((uint64_t)p->v << 8 | 2));
    double runs = w->spec->runs + even_of(dir);

    for (uint64_t i = 0; (double)i < w->spec->homes; i++)
        if (p->host + i < p->host_end &&
            even_of(mine ^ (i << 8)) < w->spec->copied)
            *to++ = (uint32_t)(p->host + i);
    for (uint64_t i = 0; i < (uint64_t)runs; i++)
        if (even_of(mine ^ (i << 8 | 1)) < w->spec->copied)
            to = add_run(w, p, random_of(dir ^ (i << 8 | 3)), to);
    return to;
}

/* Appends the links of the first page of a directory: its pages, and
 * directories below it. */
static uint32_t *add_index(const struct web *w, const struct page *p,
                           uint32_t *to)
{
    uint64_t from = (uint64_t)(p->number - p->first) * w->spec->branches + 1;

    to = add_pages(to, p->dir, p->dir_end);
    for (uint64_t k = from; k < from + w->spec->branches; k++) {
        uint64_t d = p->first + k;
        if (d >= w->dirs || w->dir[d] >= p->host_end)
            break;
        *to++ = w->dir[d];
    }
    return to;
}

static uint32_t host_of(const struct web *w, uint64_t v)
{
    uint32_t low = 0, high = w->hosts;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (w->host[middle] <= v)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Appends a link to the first page of another host, with a density of 1 /
 * distance. The first page of a host links to the next host, so that all can be
 * reached. */
static uint32_t *add_outside(const struct web *w, const struct page *p,
                             uint32_t *to)
{
    uint64_t key = random_of(w->key ^ ((uint64_t)p->v << 8 | 4));
    uint64_t n = w->spec->vertices;
    double off = power_exp2(even_of(key) * power_log2((double)n));

    if (p->v == p->host)
        *to++ = p->host_end < n ? p->host_end : 0;
    if (even_of(key ^ 1) < w->spec->outside) {
        uint64_t far =
            random_of(key ^ 2) >> 63 ? (uint64_t)off : n - (uint64_t)off;
        *to++ = w->host[host_of(w, (p->v + far) % n)];
    }
    return to;
}

static void make_row(const struct web *w, struct graph_rows *rows,
                     const struct page *p)
{
    uint64_t runs = (uint64_t)w->spec->runs + 2;
    uint64_t most = 2 * (uint64_t)(p->dir_end - p->dir) +
                    (uint64_t)w->spec->homes + w->spec->branches + 8;

    /* random_normal() is at most 6, so a run is shorter than exp(0.8 * 6 -
     * 0.32) < 90 times the mean. */
    most += runs * (uint64_t)(90 * w->length + 2);
    uint32_t *to = graph_rows_room(rows, most), *at = to;
    *at++ = p->dir;
    if (links_all(w, p))
        at = add_pages(at, p->dir, p->dir_end);
    if (p->v == p->dir)
        at = add_index(w, p, at);
    if (p->number != w->largest)
        at = add_list(w, p, at);
    at = add_outside(w, p, at);
    graph_rows_end(rows, (uint64_t)(at - to));
}

static void make_rows(const struct web *w, struct graph *g)
{
    struct graph_rows rows;
    struct page p = {0};
    uint32_t h = 0;

    graph_rows_init(&rows, (uint32_t)w->spec->vertices, w->spec->arcs);
    for (uint32_t d = 0; d < w->dirs; d++) {
        if (w->dir[d] == w->host[h]) {
            p.host = w->host[h++];
            p.host_end = w->host[h];
            p.first = d;
        }
        p.number = d;
        p.dir = w->dir[d];
        p.dir_end = w->dir[d + 1];
        for (p.v = p.dir; p.v < p.dir_end; p.v++)
            make_row(w, &rows, &p);
    }
    graph_rows_finish(&rows, g);
}

/* Draws again with longer or shorter runs, because the arcs change in
 * proportion. */
int graph_web(struct graph *g, const struct graph_web *spec, struct err *err)
{
    double wanted = (double)spec->arcs;
    struct web w;

    if (graph_check_rows(spec->vertices, spec->arcs, err) < 0)
        return -1;
    web_init(&w, spec);
    for (int round = 0; round < 6; round++) {
        graph_clear(g);
        make_rows(&w, g);
        double off = wanted - (double)graph_arcs(g);
        if (fabs(off) < 0.003 * wanted)
            break;
        w.length += off / ((double)spec->vertices * spec->runs * spec->copied);
        w.length = w.length > 1 ? w.length : 1;
    }
    free(w.host);
    free(w.dir);
    return 0;
}
