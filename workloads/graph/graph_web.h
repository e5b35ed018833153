/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_web.h - a web of pages in the order of their names: hosts follow each
 * other, and so do the directories of a host; the pages of a directory have
 * similar links. */
#ifndef WORKLOADS_GRAPH_GRAPH_WEB_H
#define WORKLOADS_GRAPH_GRAPH_WEB_H

#include "workloads/graph/graph_generate.h"

/*
 * The sizes of hosts and directories have normal logarithms. The pages of a
 * directory link to its first page, which links to all of them and to the first
 * pages of `branches` other directories of the host, as in a tree. Most pages
 * copy the list of their directory (Kumar et al. 2000): the host's first pages,
 * and some runs of consecutive pages, more of them near than far. In some
 * directories, and in one of `largest` pages, all pages link to all. A few
 * pages link to another host.
 */
struct graph_web {
    uint64_t vertices, arcs;
    /* Mean pages; deviation of the logarithm, base e. */
    double host, host_deviation;
    double largest_host;
    double directory, directory_deviation;
    double largest;    /* pages of the largest directory, which link to all */
    double all_to_all; /* share of the other directories that do */
    double homes;      /* first pages of the host in a list */
    double runs;       /* runs of consecutive pages in a list */
    double copied;     /* share of the list that a page copies */
    uint64_t branches;
    double outside; /* share of the pages that link to another host */
    uint64_t seed;
};

/* Draws the web. The length of the runs is adjusted until the number of arcs is
 * right within 0.3 %. It takes O(arcs) time, and 4 B per arc, 8 B per vertex
 * and 8 B per directory. */
int graph_web(struct graph *g, const struct graph_web *w,
              struct err *err) MUST_CHECK;

#endif
