/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spare.h - the memory that hosts have left after building their parts of a
 * graph; buffers of messages use it before they need new memory. */
#ifndef APPS_ROUNDS_SPARE_H
#define APPS_ROUNDS_SPARE_H

#include "apps/rounds/hosts.h"
#include "apps/rounds/round.h"

struct spare {
    double *left_B; /* one per host */
    uint32_t hosts;
};

/* Gives each host that many bytes for each of its arcs. */
void spare_init(struct spare *s, const struct hosts *h, double B_per_arc);
void spare_clear(struct spare *s);

/* Takes the memory of a round's messages from each host, `bytes_x` times the
 * counted bytes. Returns for each host the part of them that finds no memory
 * left, which the caller frees; NULL if that is all of them everywhere. */
double *spare_take(struct spare *s, const struct round *r, double bytes_x);

#endif
