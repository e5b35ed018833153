/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spare.h - memory that hosts have left from building their parts of a graph,
 * which buffers of messages take before they need new memory. */
#ifndef STRATEGIES_ROUNDS_SPARE_H
#define STRATEGIES_ROUNDS_SPARE_H

#include "strategies/rounds/hosts.h"
#include "strategies/rounds/round.h"

struct spare {
    double *left_B; /* of each host */
    uint32_t hosts;
};

/* So many bytes of each arc that a host has. */
void spare_init(struct spare *s, const struct hosts *h, double B_per_arc);
void spare_clear(struct spare *s);

/*
 * Takes what a round brings to each host, `bytes_x` times the counted bytes.
 * Returns what share of it finds nothing left, of each host: the caller frees;
 * NULL: all of it.
 */
double *spare_take(struct spare *s, const struct round *r, double bytes_x);

#endif
