/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline_kept.h - of a timeline so much as a document holds: it outlives the
 * plan and what came of it. */
#ifndef SIM_PLAN_TIMELINE_KEPT_H
#define SIM_PLAN_TIMELINE_KEPT_H

#include "sim/plan/timeline.h"

/* So many links, the most utilised, and so many NICs and directions, those with
 * most messages at a time; in so many bins. */
#define KEPT_COUNTERS 40
#define KEPT_BINS 128

struct kept_op {
    uint32_t op;
    uint32_t kind; /* among the kinds */
    uint8_t phase, cause, locality;
    bool between; /* it has a locality */
    uint32_t src, dst, src_gpu, dst_gpu;
    uint64_t bytes;
    struct op_times times;
};

/* What a resource does: "rank 3, core 12". */
struct kept_track {
    char name[64];
    unsigned node;
    enum timeline_resource resource;
};

/* In each bin its mean. */
struct kept_counter {
    char name[LINK_NAME];
    unsigned node; /* NODE_NONE: of the network */
    double *values;
};

struct kept_timeline {
    size_t nops_all; /* of the plan */
    struct kept_op *ops;
    size_t nops;
    char **kinds; /* "message", "H2D copy", ... */
    uint32_t nkinds;
    struct kept_track *tracks; /* on which something is */
    size_t ntracks;
    struct timeline_span *spans; /* `track` and `what`: among these */
    size_t nspans;
    double bin_s; /* of counters; the last bin ends with the run */
    size_t nbins;
    struct kept_counter *nics,
        *links; /* messages under way; bytes per second */
    size_t nnics, nlinks, nnics_all, nlinks_all;
};

/* With at most so many operations, the longest. The caller frees it. */
struct kept_timeline *timeline_keep(const struct machine *m,
                                    const struct plan *p,
                                    const struct exec_result *x, size_t most);
void kept_timeline_free(struct kept_timeline *k); /* NULL: nothing */

#endif
