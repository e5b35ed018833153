/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h - partitions of n rows or vertices: what matrices and graphs share.
 * part[] has room for n. */
#ifndef WORKLOADS_PARTS_H
#define WORKLOADS_PARTS_H

#include "base/err.h"

#include <stdbool.h>
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

/*
 * Boxes of a grid of grid[0] x grid[1] x grid[2] points, x fastest, each with
 * `per_point` of the n = points * per_point rows, which lie next to each other.
 * Of all ways to cut the axes into nparts boxes the one that cuts the fewest
 * neighbours in two; of equal ones, the one that cuts the slowest axis most
 * often. Along an axis the first blocks have a point more, as
 * parts_contiguous() does; parts are numbered as points are. Fails when no
 * box would have a point: a prime number of parts beyond each axis.
 */
int parts_boxes(uint32_t *part, const uint32_t grid[3], uint32_t per_point,
                uint32_t nparts, struct err *err) MUST_CHECK;
/* "NX", "NXxNY" or "NXxNYxNZ", all above 0; what is not said is 1. */
bool parts_read_grid(uint32_t grid[3], const char *text);

/*
 * A file of one part number a line, from 0, as METIS writes them: line i is
 * that of row i. Comments begin with #; blank lines are none; it may be
 * gzipped. Every part must have a row. `what` names the rows in errors, which
 * name file and line.
 */
int parts_read(uint32_t *part, uint32_t n, uint32_t nparts, const char *path,
               const char *what, struct err *err) MUST_CHECK;
/* Whether the value of --partition names a file: it has a slash in it, or there
 * is such a file. */
bool parts_is_file(const char *word);

#endif
