/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline_kept.h - the part of a timeline that a document keeps, because it
 * has to outlive the plan and its result. */
#ifndef SIM_PLAN_TIMELINE_KEPT_H
#define SIM_PLAN_TIMELINE_KEPT_H

#include "sim/plan/timeline.h"

/* The number of links kept, the most utilised, and of NICs and directions,
 * those with most messages at a time; and the number of bins of each. */
#define KEPT_COUNTERS 40
#define KEPT_BINS 128

struct kept_op {
    uint32_t op;
    uint32_t kind; /* index in kinds */
    uint8_t phase, cause, locality;
    bool between; /* it has a locality */
    uint32_t src, dst, src_gpu, dst_gpu;
    uint64_t bytes;
    struct op_times times;
};

/* The events of one resource: "rank 3, core 12". */
struct kept_track {
    char name[64];
    unsigned node;
    enum timeline_resource resource;
};

/* A counter with its mean in each bin. */
struct kept_counter {
    char name[LINK_NAME];
    unsigned node; /* NODE_NONE if it is the network's */
    double *values;
};

struct kept_timeline {
    size_t nops_all; /* all operations of the plan */
    struct kept_op *ops;
    size_t nops;
    char **kinds; /* "message", "H2D copy", ... */
    uint32_t nkinds;
    struct kept_track *tracks; /* only tracks with events */
    size_t ntracks;
    struct timeline_span *spans; /* `track` and `what` are indices in these */
    size_t nspans;
    double bin_s; /* width; the last bin ends with the run */
    size_t nbins;
    struct kept_counter *nics,
        *links; /* messages under way; bytes per second */
    size_t nnics, nlinks, nnics_all, nlinks_all;
};

/* Keeps at most `most` operations, the longest. The caller frees it. */
struct kept_timeline *timeline_keep(const struct machine *m,
                                    const struct plan *p,
                                    const struct exec_result *x, size_t most);
void kept_timeline_free(struct kept_timeline *k); /* NULL is allowed */

#endif
