/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rests_on.h - from which numbers the time of a critical path comes. */
#ifndef SIM_PLAN_RESTS_ON_H
#define SIM_PLAN_RESTS_ON_H

#include "platforms/provenance.h"
#include "sim/plan/exec.h"
#include "sim/plan/plan.h"

#include <stdint.h>

/* What a critical path's time is spent with. */
enum path_use {
    PATH_OFF_NODE_LATENCY, /* alpha of messages between nodes */
    PATH_OFF_NODE_BYTES,   /* beta * bytes, and what they wait for a link */
    PATH_ON_NODE_MESSAGE,
    PATH_HOST_COPY, /* between host and GPU */
    PATH_PEER_COPY, /* between GPUs */
    PATH_KERNEL,    /* that packs, unpacks or adds */
    PATH_MATCHING,
    PATH_WORK, /* of the workload, or a rank's own copies and sums */
    NPATH_USES
};
extern const char *const path_use_names[NPATH_USES];

/*
 * Seconds of a critical path by the provenance of the numbers that they come
 * from. A stretch of a message or copy is its alpha and beta * bytes, in that
 * proportion; what it takes longer than both is of the narrowest wire or link
 * on its way.
 */
struct rests_on {
    double s[NPROVENANCES];
    double used_s[NPATH_USES];
    double work_s;  /* of the workload: no number of the machine's */
    double total_s; /* of all */
    /* Of all, stretches that are a part of a message (of an end's CPU, or of
     * the wire alone), where the parts of its cost are assumed. */
    double split_s;
};

/* What is the same for all stretches of a run; rests_on_clear() frees it. */
struct path_ways {
    const struct machine *m;
    const struct plan *p;
    const struct exec_result *x;
    unsigned *nic; /* of each core, then each GPU */
};
void path_ways_init(struct path_ways *w, const struct machine *m,
                    const struct plan *p, const struct exec_result *x);
void path_ways_clear(struct path_ways *w);

/* Adds so many seconds of an operation. */
void rests_on_add(struct rests_on *r, const struct path_ways *w, uint32_t op,
                  double s);
/* The same of an engine that looked for a message's receive. */
void rests_on_matching(struct rests_on *r, const struct path_ways *w, double s);

#endif
