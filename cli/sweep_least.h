/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_least.h - reduces the runs at one place of a picture of a sweep to one
 * value: the least of them, or for several works a mean, because their times
 * cannot be compared. */
#ifndef CLI_SWEEP_LEAST_H
#define CLI_SWEEP_LEAST_H

#include "base/err.h"

#include <stddef.h>

struct placed {
    size_t place, work;
    double value;
};

struct placed_list {
    struct placed *items;
    size_t n;
};

/* Returns an empty list with room for `most` values. */
struct placed_list placed_new(size_t most);

/*
 * Finds the least value of each place; if it has several works, the geometric
 * mean of the least of each; NAN if it has no value. Returns the maximum number
 * of works at a place. Frees the list.
 */
size_t placed_least(double *least, size_t nplaces, struct placed_list *l);

#endif
