/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rests_on.h - the numbers of the machine from which the time of a critical
 * path comes. */
#ifndef SIM_PLAN_RESTS_ON_H
#define SIM_PLAN_RESTS_ON_H

#include "platforms/provenance.h"
#include "sim/plan/exec.h"
#include "sim/plan/plan.h"

#include <stdint.h>

/* The uses of a critical path's time. */
enum path_use {
    PATH_OFF_NODE_LATENCY, /* alpha of messages between nodes */
    PATH_OFF_NODE_BYTES,   /* beta * bytes, and waits for a link */
    PATH_ON_NODE_MESSAGE,
    PATH_HOST_COPY, /* between host and GPU */
    PATH_PEER_COPY, /* between GPUs */
    PATH_KERNEL,    /* kernels that pack, unpack or add */
    PATH_MATCHING,
    PATH_WORK, /* the workload's, or a rank's own copies and sums */
    NPATH_USES
};
extern const char *const path_use_names[NPATH_USES];

/* Seconds of a critical path by the provenance of the numbers that they come
 * from. A stretch of a message or copy is divided into its alpha and beta *
 * bytes, in that proportion; if it takes longer than both, the rest comes from
 * the narrowest wire or link of its route. */
struct rests_on {
    double s[NPROVENANCES];
    double used_s[NPATH_USES];
    double work_s;  /* the workload's: no number of the machine */
    double total_s; /* sum of all */
    /* The part of the total in stretches that are a part of a message (of an
     * end's CPU, or of the wire alone), if the division of its cost is
     * assumed. */
    double split_s;
};

/* The part that is the same for all stretches of a run; path_context_clear()
 * frees it. */
struct path_context {
    const struct machine *m;
    const struct plan *p;
    const struct exec_result *x;
    unsigned *nic; /* for each core, then for each GPU */
};
void path_context_init(struct path_context *w, const struct machine *m,
                       const struct plan *p, const struct exec_result *x);
void path_context_clear(struct path_context *w);

/* Adds s seconds of an operation. */
void rests_on_add(struct rests_on *r, const struct path_context *w, uint32_t op,
                  double s);
/* Adds s seconds in which an engine looked for a message's receive. */
void rests_on_matching(struct rests_on *r, const struct path_context *w,
                       double s);

#endif
