/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solver_work.h - counts of the max-min solver's work in a run. Equal runs have
 * equal counts, on every machine and at every load. */
#ifndef SIM_NETWORK_SOLVER_WORK_H
#define SIM_NETWORK_SOLVER_WORK_H

#include <stdint.h>

struct solver_work {
    uint64_t flows;  /* flows started */
    uint64_t solves; /* levels computed */
    /* Flows whose links a solve visited: for their rates elsewhere; and to
     * change the loads of their other links by a new rate. */
    uint64_t visits, tells;
    uint64_t moves; /* flows moved to another bottleneck */
    uint64_t fills; /* solves that needed Newton's steps */
};

#endif
