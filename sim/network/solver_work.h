/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_work.h - what the max-min solver did in a run, counted: equal runs
 * have equal counts, on every machine and at every load. */
#ifndef SIM_NETWORK_SOLVER_WORK_H
#define SIM_NETWORK_SOLVER_WORK_H

#include <stdint.h>

struct solver_work {
    uint64_t flows;  /* that began */
    uint64_t solves; /* levels of links found anew */
    /* Flows that a solve looked at together with all their links: for what they
     * could have elsewhere; and to tell their other links of a new rate. */
    uint64_t visits, tells;
    uint64_t moves; /* of a flow to another bottleneck */
    uint64_t fills; /* solves that took Newton's steps */
};

#endif
