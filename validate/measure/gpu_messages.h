/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu_messages.h - the senders and receivers in `sluice-native gpu_messages`.
 */
#ifndef VALIDATE_MEASURE_GPU_MESSAGES_H
#define VALIDATE_MEASURE_GPU_MESSAGES_H

#include "validate/measure/experiment.h"

#include <stdbool.h>

extern const char *const gpu_flow_names[NGPU_FLOWS];

/* The parts of a message in a series. */
enum gpu_part {
    GPU_PART_QUEUE,   /* copies, with one wait for all */
    GPU_PART_COPY,    /* a copy with a wait */
    GPU_PART_MESSAGE, /* the same, then an empty message */
    GPU_PART_EVENT,   /* a copy, an event behind it, an empty message at once */
    /* An empty message, the receiver's copy with a wait, and an empty message
     * back. */
    GPU_PART_PULL,
    NGPU_PARTS
};
extern const char *const gpu_part_names[NGPU_PARTS];

/* Returns whether rank `from` sends a message to rank `to` in a round of
 * `ranks`. */
bool gpu_flows(enum gpu_flow flow, unsigned ranks, unsigned from, unsigned to);

#endif
