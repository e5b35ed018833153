/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counts.h - the number of accesses to memory that an execution makes for an
 * arc, a visit, ..., counted in the code of its kernels. The cost of each
 * access is the machine's (gpu.access). */
#ifndef APPS_AGENTS_COUNTS_H
#define APPS_AGENTS_COUNTS_H

#include "base/json.h"
#include "platforms/machine.h"

enum algorithm {
#define ALGORITHM(X, x) X,
#include "apps/agents/algorithms.def"
#undef ALGORITHM
    NALGORITHMS
};
const char *algorithm_name(enum algorithm a);

/* The accesses of one item; means, so they can be fractions. */
struct counts {
    double stream_B; /* bytes read or written sequentially */
    /* Accesses to sectors at random places. */
    double reads, atomics, float_atomics;
    double float_sums;    /* additions that do not read the old value */
    double queue_atomics; /* all on one address */
};

/* The accesses of an algorithm under an execution. */
struct work_counts {
    /* Size of a vertex's value, which arcs read or write: at most a sector. */
    double value_B;
    /* An arc accesses the value of its head; heads of one vertex that share a
     * sector are one access. */
    struct counts arc;
    struct counts remote_arc; /* an arc whose head another GPU owns */
    struct counts visit; /* a vertex; its accesses are to 8 B of each vertex */
    /* A vertex when an arc leads to it first; likewise 8 B. */
    struct counts found;
    struct counts dense; /* every vertex of the GPU, each step */
    /* The same, if it looks for vertices that were put off. */
    struct counts look;
    /* Pulling, against the direction of arcs: an arc and a vertex that are
     * looked at. */
    struct counts pull_arc, pull_vertex;
    /* When it pulls, a thread looks along the first pull_alone arcs of its
     * vertex, one after the other; the warp does the rest of its vertices' arcs
     * 32 at a time, vertex after vertex. 0 if all arcs are taken as
     * independent. */
    double pull_alone, pull_chain; /* pull_chain: accesses of such a step */
    double chain; /* accesses of a visit that wait for each other */
    /* Accesses that wait for each other, for as many arcs as a worker has
     * threads, because these visit them together; and the additional accesses
     * to another GPU's memory, if one of these arcs leads there. */
    double arc_chain, remote_arc_chain;
    /* For each 32 arcs of which at least one leads to a vertex not known before
     * (the run has as many such vertices as visits): the additional accesses
     * that wait for each other, and atomics on one address. */
    double push_chain, push_atomics;
};

/* Reads the member of `work` of an algorithm. A key that is left out counts
 * nothing, except remote_arc, which is as arc, and pull_arc, which streams as
 * much as arc and reads once. */
int counts_read(struct work_counts *w, const struct json *work,
                enum algorithm a, struct err *err) MUST_CHECK;

/* Returns the seconds of the whole GPU, all of it busy, for these accesses, if
 * the part `hits` of them is found in its cache. */
double counts_s(const struct counts *c, const struct gpu_model *g, double hits);
/* Return the parts of counts_s(): the cost of accesses that are made once per
 * sector, and the cost of those that are made for every item. */
double counts_sector_s(const struct counts *c, const struct gpu_model *g,
                       double hits);
double counts_item_s(const struct counts *c, const struct gpu_model *g);

#endif
