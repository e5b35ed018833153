/* SPDX-License-Identifier: GPL-3.0-or-later */
/* puts.h - the time of GPU-initiated puts into the memory of a GPU of another
 * node. */
#ifndef SIM_TRANSPORT_PUTS_H
#define SIM_TRANSPORT_PUTS_H

#include "base/err.h"
#include "platforms/machine.h"

/* Simulates n puts of the first GPU of a node, which begin at once, a message
 * gap apart; the time is that until all have arrived. The machine has two nodes
 * or more, and messages of GPUs off node. */
int puts_time(double *time_s, const struct machine *m, uint64_t bytes,
              unsigned n, struct err *err) MUST_CHECK;

#endif
