/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the vertices of a graph into blocks, one for each host. */
#include "apps/rounds/hosts.h"

#include "base/number.h"

#include <stdlib.h>
#include <string.h>

/* The most hosts. For a Cartesian cut every host stores the first mirror of
 * each other. */
enum { BLOCKED_HOSTS = 4096, CVC_HOSTS = 32768 };

const char *const cut_names[NCUTS] = {"cvc", "blocked"};

char *hosts_cut_words(const struct hosts *h)
{
    return h->cut == CUT_CVC
               ? xasprintf("%s:%ux%u", cut_names[h->cut], h->rows, h->columns)
               : xstrdup(cut_names[h->cut]);
}

/* Reads "2x3". */
static bool read_grid(const char *text, uint64_t *rows, uint64_t *columns)
{
    const uint64_t most = 999999999;
    const char *at = number_take_whole(text, rows);

    return at && *at == 'x' && number_whole(at + 1, columns) && *rows &&
           *columns && *rows <= most && *columns <= most;
}

int cut_read(struct cut_words *c, const char *words, struct err *err)
{
    uint64_t rows, columns;

    *c = (struct cut_words){.cut = CUT_CVC};
    if (!words || !strcmp(words, "cvc"))
        return 0;
    if (!strcmp(words, "blocked")) {
        c->cut = CUT_BLOCKED;
        return 0;
    }
    if (strncmp(words, "cvc:", 4) != 0)
        return fail(err,
                    "--partition %s: expected cvc, cvc:ROWSxCOLUMNS or "
                    "blocked where --runtime is said",
                    words);
    if (!read_grid(words + 4, &rows, &columns))
        return fail(err, "--partition %s: expected cvc:ROWSxCOLUMNS", words);
    c->rows = (uint32_t)rows;
    c->columns = (uint32_t)columns;
    return 0;
}

/* Chooses the grid with the most rows that are no more than the columns. */
static int choose_grid(struct hosts *h, const struct cut_words *cut,
                       struct err *err)
{
    if (cut->rows && (uint64_t)cut->rows * cut->columns != h->n)
        return fail(err,
                    "--partition cvc:%ux%u: a grid of %llu hosts; %u are "
                    "wanted (--nodes)",
                    cut->rows, cut->columns,
                    (unsigned long long)cut->rows * cut->columns, h->n);
    h->rows = cut->rows ? cut->rows : 1;
    for (uint32_t r = 2; !cut->rows && (uint64_t)r * r <= h->n; r++)
        if (h->n % r == 0)
            h->rows = r;
    h->columns = h->n / h->rows;
    return 0;
}

/* Chooses blocks as Gemini does: each block takes vertices while it has less
 * than an equal share of the rest, where a vertex counts as `vertex` arcs in
 * addition to its own. Every host has a vertex. */
static void choose_blocks(struct hosts *h, uint64_t vertex)
{
    const struct graph *g = h->graph;
    uint64_t left = graph_arcs(g) + vertex * g->n;
    uint32_t v = 0;

    h->begin = xcalloc((size_t)h->n + 1, sizeof *h->begin);
    for (uint32_t i = 0; i + 1 < h->n; i++) {
        uint64_t share = left / (h->n - i), got = 0;
        uint32_t last = g->n - (h->n - 1 - i);
        do
            got += graph_degree(g, v++) + vertex;
        while (v < last && got + graph_degree(g, v) + vertex <= share);
        h->begin[i + 1] = v;
        left -= got;
    }
    h->begin[h->n] = g->n;
}

int hosts_divide(struct hosts *h, const struct graph *g, uint32_t n,
                 const struct cut_words *cut, struct err *err)
{
    *h = (struct hosts){.graph = g, .cut = cut->cut, .n = n};
    if (n > g->n)
        return fail(err,
                    "%u hosts for %u vertices: expected at most one host "
                    "for each vertex (--nodes)",
                    n, g->n);
    if (cut->cut == CUT_BLOCKED && n > BLOCKED_HOSTS)
        return fail(err,
                    "%u hosts of a blocked cut, each of which sends to all "
                    "others: expected at most %u (--partition cvc)",
                    n, BLOCKED_HOSTS);
    if (n > CVC_HOSTS)
        return fail(err, "%u hosts: expected at most %d (--nodes)", n,
                    CVC_HOSTS);
    if (cut->cut == CUT_CVC && choose_grid(h, cut, err) < 0)
        return -1;
    choose_blocks(h, cut->cut == CUT_BLOCKED ? 8 * ((uint64_t)n - 1) : 1);
    if (cut->cut == CUT_CVC)
        hosts_cut_cartesian(h);
    return 0;
}

void hosts_clear(struct hosts *h)
{
    for (uint32_t i = 0; h->host && i < h->n; i++) {
        struct host *one = &h->host[i];
        free(one->mirror);
        free(one->mirror_begin);
        free(one->first);
        free(one->to);
        free(one->reader_begin);
        free(one->reader);
    }
    free(h->host);
    free(h->begin);
    memset(h, 0, sizeof *h);
}

uint64_t hosts_proxies(const struct hosts *h)
{
    uint64_t sum = h->graph->n;

    for (uint32_t i = 0; h->host && i < h->n; i++)
        sum += h->host[i].mirrors;
    return sum;
}
