/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h - partitions of n rows or vertices: what matrices and graphs share.
 * part[] has room for n. */
#ifndef WORKLOADS_PARTS_H
#define WORKLOADS_PARTS_H

#include "base/err.h"

#include <stdint.h>

/* Blocks of floor(n / nparts), the first n mod nparts of them one more. */
void parts_contiguous(uint32_t *part, uint32_t n, uint32_t nparts);

/*
 * METIS k-way, least edge cut. The neighbours of v are
 * to[first[v]..first[v + 1]), each edge at both of its ends, no loops. Equal
 * input and seed give equal parts. At least 2 parts.
 */
int parts_metis(uint32_t *part, uint32_t n, const uint64_t *first,
                const uint32_t *to, uint32_t nparts, uint64_t seed,
                struct err *err) MUST_CHECK;

#endif
