/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hosts.h - a graph divided among the hosts of a cluster: the arcs that each
 * has, and its proxies of their vertices, masters and mirrors. */
#ifndef STRATEGIES_ROUNDS_HOSTS_H
#define STRATEGIES_ROUNDS_HOSTS_H

#include "base/err.h"
#include "workloads/graph/graph.h"

#include <stddef.h>
#include <stdint.h>

enum cut {
    /* Cartesian vertex cut (Boman, Devine, Rajamanickam 2013): the hosts are a
     * grid, row after row; the arc from u to v is on the host in the row of u's
     * master and the column of v's. */
    CUT_CVC,
    /* Blocked edge cut (Gemini: Zhu, Chen, Zheng, Ma 2016): a host has the arcs
     * of its own vertices, from them and to them. */
    CUT_BLOCKED,
    NCUTS
};
extern const char *const cut_names[NCUTS];

struct cut_words {
    enum cut cut;
    uint32_t rows, columns; /* of the grid; 0: as square as possible */
};
/* "cvc", "cvc:8x16", "blocked"; NULL: cvc. */
int cut_read(struct cut_words *c, const char *words,
             struct err *err) MUST_CHECK;

/* What one host has of CUT_CVC. Vertices have local numbers: its masters, by
 * number, then its mirrors, by number. */
struct host {
    uint32_t masters, mirrors;
    uint32_t *mirror;       /* the vertex of each mirror, rising */
    uint32_t *mirror_begin; /* hosts + 1: mirrors whose master is on host o are
                               mirror_begin[o] to before mirror_begin[o + 1] */
    uint64_t *first; /* masters + mirrors + 1: arcs of local vertices, ... */
    uint32_t *to;    /* ... to local vertices */
    /* Of each master: the mirrors that read it, on other hosts. */
    uint32_t *reader_begin; /* masters + 1 */
    struct reader {
        uint32_t host, local;
    } * reader;
};

struct hosts {
    const struct graph *graph; /* borrowed */
    enum cut cut;
    uint32_t n;
    uint32_t rows, columns; /* of CUT_CVC */
    uint32_t *begin;   /* n + 1: host h has the masters of the vertices begin[h]
                          to before begin[h + 1], at least one */
    struct host *host; /* of CUT_CVC; else NULL */
};

/* As --partition takes it, with the grid: "cvc:8x16"; the caller frees. */
char *hosts_cut_words(const struct hosts *h);

/* Blocks of vertices with about as many arcs each. Fails with more hosts than
 * vertices, and when the grid is not one of n hosts. */
int hosts_divide(struct hosts *h, const struct graph *g, uint32_t n,
                 const struct cut_words *cut, struct err *err) MUST_CHECK;
void hosts_clear(struct hosts *h);

/* The host of a vertex's master. */
uint32_t hosts_owner(const struct hosts *h, uint32_t v);
/* Of a local vertex of CUT_CVC: its number in the graph. */
static inline uint32_t host_vertex(const struct hosts *h, uint32_t at,
                                   uint32_t local)
{
    const struct host *one = &h->host[at];

    return local < one->masters ? h->begin[at] + local
                                : one->mirror[local - one->masters];
}

/* Mirrors on host `at` of masters on host `of`. In a column they are heads of
 * arcs, which are written; in a row tails, which are read; never both. */
static inline uint32_t hosts_shared(const struct hosts *h, uint32_t at,
                                    uint32_t of)
{
    return h->host[at].mirror_begin[of + 1] - h->host[at].mirror_begin[of];
}

/* Masters and mirrors of all hosts. */
uint64_t hosts_proxies(const struct hosts *h);

/* hosts_cvc.c: h->host of the grid. */
void hosts_cut_cartesian(struct hosts *h);

#endif
