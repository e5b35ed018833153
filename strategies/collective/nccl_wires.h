/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nccl_wires.h - the wires of a node's GPUs, as NCCL and RCCL see them. */
#ifndef STRATEGIES_COLLECTIVE_NCCL_WIRES_H
#define STRATEGIES_COLLECTIVE_NCCL_WIRES_H

#include "strategies/collective/nccl_graph.h"

/* Returns the other end of a wire, or NO_GPU if the device is at neither. */
unsigned nccl_far_end(const struct wire *w, unsigned device);
/* Returns the device at which a GPU's links to other GPUs begin: the GPU, or
 * the socket that it is a part of, as in an APU. */
unsigned nccl_port(const struct machine *m, unsigned gpu);
/* Returns whether a wire joins GPUs a and b of a node. */
bool nccl_joined(const struct machine *m, unsigned a, unsigned b);

#endif
