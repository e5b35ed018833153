/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counts.h - how many accesses to memory an execution makes for an arc, a
 * visit, ...: what its kernels do, counted. What they take is the machine's
 * (gpu.access). */
#ifndef STRATEGIES_AGENTS_COUNTS_H
#define STRATEGIES_AGENTS_COUNTS_H

#include "base/json.h"
#include "platforms/machine.h"

enum algorithm {
#define ALGORITHM(X, x) X,
#include "strategies/agents/algorithms.def"
#undef ALGORITHM
    NALGORITHMS
};
const char *algorithm_name(enum algorithm a);

/* Of one item, fractions in the mean. */
struct counts {
    double stream_B; /* read or written one after the other */
    /* Sectors somewhere. */
    double reads, atomics, float_atomics;
    double float_sums;    /* additions that do not ask what was there */
    double queue_atomics; /* all on one address */
};

/* What an algorithm costs under an execution. */
struct work_counts {
    double value_B; /* of a vertex, where arcs lead to: at most a sector */
    /* Accesses of an arc are to the value of its head; heads of a vertex that
     * are in one sector are one access. */
    struct counts arc;
    struct counts remote_arc; /* whose head is another GPU's */
    struct counts visit; /* of a vertex; accesses are to 8 B of each vertex */
    struct counts found; /* of one that an arc leads to first; likewise */
    struct counts dense; /* of every vertex of the GPU, each step */
    struct counts look;  /* the same, where it looks for what was put off */
    /* Against the arcs: of an arc that is looked along, and of a vertex that is
     * looked at. */
    struct counts pull_arc, pull_vertex;
    /* Against the arcs a thread looks along so many of a vertex, one after the
     * other; along the rest of the vertices of a warp it does so 32 at a time,
     * vertex after vertex. 0: as if all were independent. */
    double pull_alone, pull_chain; /* the latter: accesses of such a step */
    double chain; /* accesses of a visit that wait for each other */
    /* Likewise of as many arcs as a worker has threads, which go along them
     * together; and accesses to another GPU's memory more, where one of these
     * leads there. */
    double arc_chain, remote_arc_chain;
    /* Of 32 arcs that lead to vertices not known before, one or more, as many
     * as there are visits: accesses more that wait for each other, and atomics
     * on one address. */
    double push_chain, push_atomics;
};

/* The member of `work`. One that is left out counts nothing, but remote_arc: as
 * arc; pull_arc: as arc, which reads. */
int counts_read(struct work_counts *w, const struct json *work,
                enum algorithm a, struct err *err) MUST_CHECK;

/* What the whole GPU takes for them, all of it busy, when this part of the
 * accesses is found in its cache. */
double counts_s(const struct counts *c, const struct gpu_model *g, double hits);
/* The same of what is done once for a sector, or for every item. */
double counts_sector_s(const struct counts *c, const struct gpu_model *g,
                       double hits);
double counts_item_s(const struct counts *c, const struct gpu_model *g);

#endif
