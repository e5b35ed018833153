/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scenario.h - one node sends messages of equal size to others: the patterns
 * of Fig 4.3 of Lockhart, Bienz, Gropp and Olson (2022). */
#ifndef WORKLOADS_SCENARIO_H
#define WORKLOADS_SCENARIO_H

#include "base/err.h"
#include "sim/plan/plan.h"
#include "workloads/halo.h"

#include <stdbool.h>
#include <stdint.h>

struct scenario {
    unsigned messages; /* that node 0 sends in all, evenly from its GPUs */
    unsigned nodes;    /* to which it sends: nodes 1 to `nodes` */
    uint64_t bytes;    /* of each message */
    double duplicates; /* the part of all bytes that is redundant: 0 to 1 */
    bool best_case;    /* "2-Step 1": all messages for a node from one GPU */
};

/*
 * The scenario's halo, of values of one byte. GPU g sends messages g * n to
 * g * n + n - 1 (n: messages / gpus_per_node, the first GPUs one more where
 * that leaves a rest). Message j goes to node 1 + j % nodes; those of one GPU
 * for one node to the GPUs there in turn, from the sender's own number on.
 * In the best case the k-th of the nodes gets its messages from GPU
 * k % gpus_per_node.
 *
 * A halo holds one class per pair of GPUs: several messages of one pair are
 * merged, see scenario_unmerge(). Redundant are values that all the GPUs to
 * which GPU g sends on a node need; where these are n, they can be at most
 * 1 - 1/n of all, and the rest of `duplicates` is left out.
 */
int scenario_halo(struct halo *out, unsigned gpus_per_node,
                  const struct scenario *s, struct err *err) MUST_CHECK;

/*
 * The plan with each message off node of more than `message_B` bytes sent as
 * several of that size (the last what is left), each after what the whole one
 * waited for: what standard communication does without merging.
 */
void scenario_unmerge(struct plan *out, const struct plan *in,
                      const struct halo *halo, uint64_t message_B);

#endif
