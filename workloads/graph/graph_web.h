/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_web.h - pages in the order of their names: hosts, and directories of
 * hosts, follow each other, and the pages of one link alike. */
#ifndef WORKLOADS_GRAPH_GRAPH_WEB_H
#define WORKLOADS_GRAPH_GRAPH_WEB_H

#include "workloads/graph/graph_generate.h"

/*
 * The sizes of hosts and directories have normal logarithms. The pages of a
 * directory link to its first page, which links to all of them and to the
 * first pages of `branches` other directories of the host, as in a tree. Most
 * copy the list of their directory (Kumar et al. 2000): the host's first
 * pages, and some runs of consecutive pages, more of them near than far. In
 * some directories, and in one of `largest` pages, all link to all. A few
 * pages link to another host.
 */
struct graph_web {
    uint64_t vertices, arcs;
    double host, host_deviation; /* mean pages; of the logarithm, base e */
    double largest_host;
    double directory, directory_deviation;
    double largest;    /* directory: pages that all link to all */
    double all_to_all; /* share of the other directories that do */
    double homes;      /* first pages of a host in a list */
    double runs;       /* of consecutive pages in a list */
    double copied;     /* share of the list that a page has */
    uint64_t branches;
    double outside; /* share of the pages that link to another host */
    uint64_t seed;
};

/* The length of the runs is such that the arcs are as many as wanted, to
 * 0.3 %. O(arcs) time; 4 B an arc, 8 B a vertex and 8 B a directory. */
int graph_web(struct graph *g, const struct graph_web *w,
              struct err *err) MUST_CHECK;

#endif
