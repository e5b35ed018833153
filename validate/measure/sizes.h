/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes.h - the sizes that a benchmark measures. */
#ifndef VALIDATE_MEASURE_SIZES_H
#define VALIDATE_MEASURE_SIZES_H

#include <stdbool.h>
#include <stdint.h>

/* Sizes from `from` to `to` bytes, each `factor` times the one before. */
struct sizes {
    uint64_t from, to;
    unsigned factor; /* set before; 0 for 2 */
    bool between;    /* three more after each from 64 B to 64 KiB */
};
/* Returns the size after `bytes`, which is one of them. With `between`, sizes
 * from 64 B to 64 KiB are followed by those a quarter, a half and nine tenths
 * of the way to the next one, because limits of protocols are there: 1.25, 1.5
 * and 1.9 times the size if the factor is 2 (in whole elements of 4 bytes). */
enum { BETWEEN_FROM = 64, BETWEEN_TO = 64 << 10 };
uint64_t sizes_next(const struct sizes *s, uint64_t bytes);

#endif
