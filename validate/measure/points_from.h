/* SPDX-License-Identifier: GPL-3.0-or-later */
/* points_from.h - the source of measurements by sluice-native on a GPU. */
#ifndef VALIDATE_MEASURE_POINTS_FROM_H
#define VALIDATE_MEASURE_POINTS_FROM_H

#include "base/csv.h"

#include <stddef.h>

/* Writes the name of a file (its first 100 characters), and the GPUs that its
 * comments name first: "match.csv (2 x NVIDIA H200)". */
void points_from(char *out, size_t room, const struct csv *t);

#endif
