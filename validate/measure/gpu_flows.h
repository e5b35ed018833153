/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_flows.h - who sends to whom in `sluice-native gpu_messages`, and the same
 * as a plan. */
#ifndef VALIDATE_MEASURE_GPU_FLOWS_H
#define VALIDATE_MEASURE_GPU_FLOWS_H

#include "validate/measure/experiment.h"

#include <stdbool.h>

extern const char *const gpu_flow_names[NGPU_FLOWS];

/* The parts that a message of a series has. */
enum gpu_part {
    GPU_PART_QUEUE,   /* copies, which are waited for together */
    GPU_PART_COPY,    /* a copy that is waited for */
    GPU_PART_MESSAGE, /* that, then an empty message */
    GPU_PART_EVENT,   /* a copy, an event behind it, an empty message at once */
    GPU_PART_PULL,    /* an empty message, the receiver's copy, which it waits
                         for, and an empty message back */
    NGPU_PARTS
};
extern const char *const gpu_part_names[NGPU_PARTS];

/* Whether rank `from` sends a message to rank `to` in a round of `ranks`. */
bool gpu_flows(enum gpu_flow flow, unsigned ranks, unsigned from, unsigned to);

/* Rounds of x->ranks ranks of a node, on the GPUs in turn: a rank sends its
 * messages one after the other, the next rank first, and begins a round when
 * its own of the one before were received. */
int gpu_flows_plan(struct plan *p, const struct machine *m,
                   const struct experiment *x, struct err *err) MUST_CHECK;
experiment_measure gpu_flows_measure; /* of a round */

#endif
