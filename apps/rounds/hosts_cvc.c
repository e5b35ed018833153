/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Cartesian vertex cut: arcs and mirrors of every host of the grid, one row
 * of hosts after the other. */
#include "apps/rounds/hosts.h"

#include <stdlib.h>
#include <string.h>

/* The state while a row of hosts is made. */
struct row {
    struct hosts *h;
    uint32_t r;
    uint32_t begin, end; /* vertices whose masters are in the row */
    uint32_t *column;    /* column of each vertex's master */
    /* For each vertex as a head: its local number on the host of its column,
     * once it has one. */
    uint32_t *local;
    uint8_t *seen; /* for each vertex: it is the head of an arc of the row */
    uint64_t *has; /* one bit per vertex of the row and column */
    size_t words;  /* words of 64 columns, per vertex */
    /* For each column: the local number of the present tail, and of the next
     * mirror that is a tail. */
    uint32_t *tail, *next;
};

static struct host *row_host(const struct row *w, uint32_t c)
{
    return &w->h->host[w->r * w->h->columns + c];
}

static bool row_has(const struct row *w, uint32_t v, uint32_t c)
{
    return w->has[(v - w->begin) * w->words + c / 64] >> (c % 64) & 1;
}

/* Finds which hosts have arcs of which vertex, and how many arcs each host
 * has. */
static void row_look(struct row *w)
{
    const struct graph *g = w->h->graph;
    uint64_t *arcs = xcalloc(w->h->columns, sizeof *arcs);

    memset(w->seen, 0, g->n);
    memset(w->has, 0, (w->end - w->begin) * w->words * sizeof *w->has);
    for (uint32_t u = w->begin; u < w->end; u++) {
        uint64_t *has = &w->has[(u - w->begin) * w->words];
        for (uint64_t a = g->first[u]; a < g->first[u + 1]; a++) {
            uint32_t c = w->column[g->to[a]];
            w->seen[g->to[a]] = 1;
            has[c / 64] |= UINT64_C(1) << (c % 64);
            arcs[c]++;
        }
    }
    for (uint32_t c = 0; c < w->h->columns; c++)
        row_host(w, c)->to = xmalloc((arcs[c] + 1) * sizeof(uint32_t));
    free(arcs);
}

/* Adds the mirrors of the masters of host `of` on the host of column c: in a
 * column those that are written, in a row those that are read. */
static void row_mirrors_of(struct row *w, uint32_t c, uint32_t of)
{
    struct hosts *h = w->h;
    struct host *one = row_host(w, c);
    bool in_row = of / h->columns == w->r, in_column = of % h->columns == c;

    one->mirror_begin[of] = one->mirrors;
    if (in_row == in_column)
        return; /* because it is the host itself, or has no arc between them */
    for (uint32_t v = h->begin[of]; v < h->begin[of + 1]; v++) {
        if (in_row ? !row_has(w, v, c) : !w->seen[v])
            continue;
        if (!in_row)
            w->local[v] = one->masters + one->mirrors;
        one->mirror[one->mirrors++] = v;
    }
}

static void row_number(struct row *w, uint32_t c)
{
    struct hosts *h = w->h;
    struct host *one = row_host(w, c);
    uint32_t self = w->r * h->columns + c, most = 0;

    one->masters = h->begin[self + 1] - h->begin[self];
    for (uint32_t v = h->begin[self]; v < h->begin[self + 1]; v++)
        w->local[v] = v - h->begin[self];
    for (uint32_t of = 0; of < h->n; of++)
        if (of / h->columns == w->r || of % h->columns == c)
            most += h->begin[of + 1] - h->begin[of];
    one->mirror = xmalloc(((size_t)most + 1) * sizeof *one->mirror);
    one->mirror_begin = xcalloc((size_t)h->n + 1, sizeof *one->mirror_begin);
    for (uint32_t of = 0; of < h->n; of++)
        row_mirrors_of(w, c, of);
    one->mirror_begin[h->n] = one->mirrors;
    one->mirror =
        xrealloc(one->mirror, (size_t)one->mirrors + 1, sizeof *one->mirror);
}

/* Finds the local number of tail u on the host of each column that has arcs of
 * it. Tails come in the order of their numbers, so the mirrors among them do,
 * too. */
static void row_tails(struct row *w, uint32_t u)
{
    const struct hosts *h = w->h;
    uint32_t own = w->column[u], self = w->r * h->columns + own;

    for (uint32_t c = 0; c < h->columns; c++)
        if (c != own && row_has(w, u, c))
            w->tail[c] = w->next[c]++;
    w->tail[own] = u - h->begin[self];
}

/* Restarts at the first mirror of the row, because it is the next tail. */
static void row_rewind(struct row *w)
{
    for (uint32_t c = 0; c < w->h->columns; c++) {
        const struct host *one = row_host(w, c);
        w->next[c] =
            one->masters + one->mirror_begin[(size_t)w->r * w->h->columns];
    }
}

static void row_count_arcs(struct row *w)
{
    const struct graph *g = w->h->graph;

    row_rewind(w);
    for (uint32_t u = w->begin; u < w->end; u++) {
        row_tails(w, u);
        for (uint64_t a = g->first[u]; a < g->first[u + 1]; a++) {
            uint32_t c = w->column[g->to[a]];
            row_host(w, c)->first[w->tail[c] + 2]++;
        }
    }
}

/* Fills the arcs: first[v + 1] is the place of v's next arc, and in the end the
 * beginning of v + 1's. */
static void row_fill_arcs(struct row *w)
{
    const struct graph *g = w->h->graph;

    row_rewind(w);
    for (uint32_t u = w->begin; u < w->end; u++) {
        row_tails(w, u);
        for (uint64_t a = g->first[u]; a < g->first[u + 1]; a++) {
            uint32_t v = g->to[a], c = w->column[v];
            struct host *one = row_host(w, c);
            one->to[one->first[w->tail[c] + 1]++] = w->local[v];
        }
    }
}

static void row_connect(struct row *w)
{
    uint32_t columns = w->h->columns;

    for (uint32_t c = 0; c < columns; c++) {
        struct host *one = row_host(w, c);
        size_t n = (size_t)one->masters + one->mirrors;
        one->first = xcalloc(n + 2, sizeof *one->first);
    }
    row_count_arcs(w);
    for (uint32_t c = 0; c < columns; c++) {
        struct host *one = row_host(w, c);
        for (uint32_t v = 0; v < one->masters + one->mirrors; v++)
            one->first[v + 2] += one->first[v + 1];
    }
    row_fill_arcs(w);
}

/* Finds the readers of each master's value: its mirrors in its row. */
static void row_readers(const struct row *w, uint32_t c)
{
    struct hosts *h = w->h;
    struct host *one = row_host(w, c);
    uint32_t self = w->r * h->columns + c;
    uint32_t *begin = xcalloc((size_t)one->masters + 2, sizeof *begin);

    for (uint32_t to = 0; to < h->columns; to++) {
        const struct host *other = row_host(w, to);
        for (uint32_t i = other->mirror_begin[self];
             i < other->mirror_begin[self + 1]; i++)
            begin[other->mirror[i] - h->begin[self] + 2]++;
    }
    for (uint32_t v = 0; v < one->masters; v++)
        begin[v + 2] += begin[v + 1];
    one->reader =
        xmalloc(((size_t)begin[one->masters + 1] + 1) * sizeof *one->reader);
    for (uint32_t to = 0; to < h->columns; to++) {
        const struct host *other = row_host(w, to);
        for (uint32_t i = other->mirror_begin[self];
             i < other->mirror_begin[self + 1]; i++)
            one->reader[begin[other->mirror[i] - h->begin[self] + 1]++] =
                (struct reader){w->r * h->columns + to, other->masters + i};
    }
    one->reader_begin = begin;
}

void hosts_cut_cartesian(struct hosts *h)
{
    const struct graph *g = h->graph;
    struct row w = {.h = h, .words = (h->columns + 63) / 64};
    uint32_t most = 0;

    h->host = xcalloc(h->n, sizeof *h->host);
    w.column = xmalloc(g->n * sizeof *w.column);
    w.local = xmalloc(g->n * sizeof *w.local);
    w.seen = xmalloc(g->n);
    w.tail = xcalloc(h->columns, sizeof *w.tail);
    w.next = xcalloc(h->columns, sizeof *w.next);
    for (uint32_t i = 0; i < h->n; i++)
        for (uint32_t v = h->begin[i]; v < h->begin[i + 1]; v++)
            w.column[v] = i % h->columns;
    for (uint32_t r = 0; r < h->rows; r++) {
        uint32_t n = h->begin[(r + (size_t)1) * h->columns] -
                     h->begin[(size_t)r * h->columns];
        most = n > most ? n : most;
    }
    w.has = xmalloc(most * w.words * sizeof *w.has);
    for (w.r = 0; w.r < h->rows; w.r++) {
        w.begin = h->begin[(size_t)w.r * h->columns];
        w.end = h->begin[(w.r + (size_t)1) * h->columns];
        row_look(&w);
        for (uint32_t c = 0; c < h->columns; c++)
            row_number(&w, c);
        row_connect(&w);
        for (uint32_t c = 0; c < h->columns; c++)
            row_readers(&w, c);
    }
    free(w.column);
    free(w.local);
    free(w.seen);
    free(w.tail);
    free(w.next);
    free(w.has);
}
