/* SPDX-License-Identifier: GPL-3.0-or-later */
/* points_from.h - files of measurements by sluice-native: their source, their
 * columns, and counts in a row. */
#ifndef VALIDATE_MEASURE_POINTS_FROM_H
#define VALIDATE_MEASURE_POINTS_FROM_H

#include "base/csv.h"

#include <stdbool.h>
#include <stddef.h>

/* Writes the name of a file (its first 100 characters), and the GPUs that its
 * comments name first: "match.csv (2 x NVIDIA H200)". */
void points_from(char *out, size_t room, const struct csv *t);

/* Return whether a table, or a file, has all these columns, a list ended by
 * NULL; points_are() is false also if the file cannot be read. */
bool points_have(const struct csv *t, const char *const *columns);
bool points_are(const char *path, const char *const *columns);

/* A column of counts, and the field for it. */
struct points_count {
    const char *column;
    unsigned *to;
};
/* Reads `n` counts of a row, each below `most`. */
int points_counts(const struct csv *t, size_t row,
                  const struct points_count *counts, size_t n, uint32_t most,
                  struct err *err) MUST_CHECK;

#endif
