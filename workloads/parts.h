/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts.h - partitions of n rows or vertices, which matrices and graphs share.
 * part[] has room for n. */
#ifndef WORKLOADS_PARTS_H
#define WORKLOADS_PARTS_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* Makes blocks of floor(n / nparts), the first n mod nparts of them one
 * larger. */
void parts_contiguous(uint32_t *part, uint32_t n, uint32_t nparts);

/* Partitions by METIS, k-way with the least edge cut, into 2 parts or more. The
 * neighbours of v are to[first[v]..first[v + 1]), each edge at both of its
 * ends, without loops. Equal input and seed give equal parts. */
int parts_metis(uint32_t *part, uint32_t n, const uint64_t *first,
                const uint32_t *to, uint32_t nparts, uint64_t seed,
                struct err *err) MUST_CHECK;

/*
 * Partitions a grid of grid[0] x grid[1] x grid[2] points, x fastest, into
 * boxes. Each point has `per_point` of the n = points * per_point rows, which
 * are next to each other. Among all divisions of the axes into nparts boxes,
 * the one that separates the fewest neighbours is chosen; if several do, the
 * one that divides the slowest axis most often. Along an axis the first blocks
 * have one point more, as in parts_contiguous(); parts are numbered as points
 * are. Fails if some box would have no point, as for a prime number of parts
 * larger than each axis.
 */
int parts_boxes(uint32_t *part, const uint32_t grid[3], uint32_t per_point,
                uint32_t nparts, struct err *err) MUST_CHECK;
/* Reads "NX", "NXxNY" or "NXxNYxNZ", all above 0; missing numbers are 1. */
bool parts_read_grid(uint32_t grid[3], const char *text);

/*
 * Reads a file with one part number per line, from 0, as METIS writes it: line
 * i is that of row i. Comments begin with #, blank lines are skipped, and the
 * file may be gzipped. Every part must have a row. Errors name file and line,
 * and call the rows by the last argument.
 */
int parts_read(uint32_t *part, uint32_t n, uint32_t nparts, const char *path,
               const char *what, struct err *err) MUST_CHECK;
/* Returns whether the value of --partition names a file: it has a slash, or the
 * file exists. */
bool parts_is_file(const char *word);

#endif
