/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_least.h - what a picture of a sweep shows where many runs fall on one
 * place: the least of them; of several works a mean, since their times cannot
 * be compared. */
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

/* Empty, with room for so many. */
struct placed_list placed_new(size_t most);

/*
 * The least value of each place; where several works are done, the geometric
 * mean of the least of each; NAN where there is none. Returns the most works of
 * a place. Frees the list.
 */
size_t placed_least(double *least, size_t nplaces, struct placed_list *l);

#endif
