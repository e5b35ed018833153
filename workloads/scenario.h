/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scenario.h - patterns in which one node sends messages of equal size to
 * others, from Fig 4.3 of Lockhart, Bienz, Gropp and Olson (2022). */
#ifndef WORKLOADS_SCENARIO_H
#define WORKLOADS_SCENARIO_H

#include "base/err.h"
#include "sim/plan/plan.h"
#include "workloads/halo.h"

#include <stdbool.h>
#include <stdint.h>

struct scenario {
    unsigned messages; /* messages of node 0 in all, evenly from its GPUs */
    unsigned nodes;    /* number of nodes to which it sends: 1 to `nodes` */
    uint64_t bytes;    /* size of each message */
    double duplicates; /* redundant share of all bytes: 0 to 1 */
    bool best_case;    /* "2-Step 1": all messages for a node from one GPU */
};

/*
 * Makes the halo of a scenario, with values of one byte. GPU g sends messages g
 * * n to g * n + n - 1 (n: messages / gpus_per_node; the first GPUs send one
 * more if that leaves a rest). Message j goes to node 1 + j % nodes; the
 * messages of one GPU for one node go to the GPUs there in turn, from the
 * sender's own number on. In the best case the k-th of the nodes gets its
 * messages from GPU k % gpus_per_node.
 *
 * A halo has one class per pair of GPUs, so that several messages of one pair
 * are merged; see scenario_unmerge(). Redundant are values that all the GPUs to
 * which GPU g sends on a node need. If these are n, they can be at most 1 - 1/n
 * of all, and the rest of `duplicates` is left out.
 */
int scenario_halo(struct halo *out, unsigned gpus_per_node,
                  const struct scenario *s, struct err *err) MUST_CHECK;

/*
 * Copies a plan, and divides each message off node of more than `message_B`
 * bytes into several of that size (the last has the rest), each with the
 * dependencies of the whole one. Standard communication sends them so, without
 * merging.
 */
void scenario_unmerge(struct plan *out, const struct plan *in,
                      const struct halo *halo, uint64_t message_B);

#endif
