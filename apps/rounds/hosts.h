/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hosts.h - a graph divided among the hosts of a cluster: the arcs of each
 * host, and its proxies of their vertices, masters and mirrors. */
#ifndef APPS_ROUNDS_HOSTS_H
#define APPS_ROUNDS_HOSTS_H

#include "base/err.h"
#include "workloads/graph/graph.h"

#include <stddef.h>
#include <stdint.h>

enum cut {
    /* Cartesian vertex cut (Boman, Devine, Rajamanickam 2013): the hosts are a
     * grid, row after row; the arc from u to v is on the host in the row of u's
     * master and the column of v's. */
    CUT_CVC,
    /* Blocked edge cut (Gemini: Zhu, Chen, Zheng, Ma 2016): a host has all arcs
     * from and to its own vertices. */
    CUT_BLOCKED,
    NCUTS
};
extern const char *const cut_names[NCUTS];

struct cut_words {
    enum cut cut;
    uint32_t rows, columns; /* the grid; 0 if as square as possible */
};
/* Reads "cvc", "cvc:8x16" or "blocked"; NULL is cvc. */
int cut_read(struct cut_words *c, const char *words,
             struct err *err) MUST_CHECK;

/* The part of one host under CUT_CVC. Vertices have local numbers: its masters,
 * by number, then its mirrors, by number. */
struct host {
    uint32_t masters, mirrors;
    uint32_t *mirror; /* the vertex of each mirror, rising */
    /* Has hosts + 1 items: mirrors whose master is on host o are
     * mirror_begin[o] to before mirror_begin[o + 1]. */
    uint32_t *mirror_begin;
    uint64_t *first; /* masters + mirrors + 1: arcs of local vertices, ... */
    uint32_t *to;    /* ... to local vertices */
    /* For each master: the mirrors that read it, on other hosts. */
    uint32_t *reader_begin; /* masters + 1 */
    struct reader {
        uint32_t host, local;
    } * reader;
};

struct hosts {
    const struct graph *graph; /* borrowed */
    enum cut cut;
    uint32_t n;
    uint32_t rows, columns; /* for CUT_CVC */
    /* Has n + 1 items: host h has the masters of the vertices begin[h] to
     * before begin[h + 1], at least one. */
    uint32_t *begin;
    struct host *host; /* for CUT_CVC; otherwise NULL */
};

/* Returns the words for --partition, with the grid: "cvc:8x16"; the caller
 * frees them. */
char *hosts_cut_words(const struct hosts *h);

/* Divides the graph into blocks of vertices with about as many arcs each. Fails
 * if there are more hosts than vertices, or if the grid does not have n hosts.
 * hosts_clear() frees h. */
int hosts_divide(struct hosts *h, const struct graph *g, uint32_t n,
                 const struct cut_words *cut, struct err *err) MUST_CHECK;
void hosts_clear(struct hosts *h);

/* Returns the number in the graph of a local vertex of CUT_CVC. */
static inline uint32_t host_vertex(const struct hosts *h, uint32_t at,
                                   uint32_t local)
{
    const struct host *one = &h->host[at];

    return local < one->masters ? h->begin[at] + local
                                : one->mirror[local - one->masters];
}

/* Returns the number of mirrors on host `at` of masters on host `of`. In a
 * column they are heads of arcs, which are written; in a row tails, which are
 * read; never both. */
static inline uint32_t hosts_shared(const struct hosts *h, uint32_t at,
                                    uint32_t of)
{
    return h->host[at].mirror_begin[of + 1] - h->host[at].mirror_begin[of];
}

/* Returns the number of masters and mirrors of all hosts. */
uint64_t hosts_proxies(const struct hosts *h);

/* Makes h->host for the grid (hosts_cvc.c). */
void hosts_cut_cartesian(struct hosts *h);

#endif
