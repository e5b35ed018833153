/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes.h - an advice for each of a range of sizes, where the choice switches,
 * and the one way that is never far from the best. */
#ifndef STRATEGIES_ADVISE_SIZES_H
#define STRATEGIES_ADVISE_SIZES_H

#include "strategies/advise/advise.h"
#include "strategies/advise/ways.h"

struct advised_size {
    uint64_t bytes;  /* as it was asked for */
    struct err *why; /* it is left out; NULL: it is not */
    struct ways ways;
    struct advice advice; /* made by advised_sizes_run() */
};

struct advised_sizes {
    struct advised_size *list; /* ascending */
    size_t n, simulations;
};

/* Every size of the request's range (sizes_asked()). Those that cannot be done
 * are left out; -1: none can, and there is nothing to clear. */
int advised_sizes_load(struct advised_sizes *s, const struct request *r,
                       struct err *err) MUST_CHECK;
/* Advises for each, all on the same drawn machines; o->kinds is not looked at.
 * -1: no size has a way that can be done. */
int advised_sizes_run(struct advised_sizes *s, const struct advise_options *o,
                      struct draws_how how, struct err *err) MUST_CHECK;
void advised_sizes_clear(struct advised_sizes *s);

/* The way that is advised for a size. */
const char *advised_size_use(const struct advised_size *size);
/* On the machine as it is, over the fastest of the size: 1.1: it takes a tenth
 * longer; NAN: the size has no such way. */
double advised_size_times_best(const struct advised_size *size,
                               const char *way);
/* The next size, from `from` on, that is not left out; n: there is none. */
size_t advised_sizes_next(const struct advised_sizes *s, size_t from);

/* Where the choice switches: `was` was advised for the size before, and is
 * slower than what is for this one, or cannot do it. */
struct size_switch {
    size_t before, at; /* in the list */
    const char *was, *use;
    double was_times_best; /* at the latter; NAN: it cannot do it */
};
/* All of them; the caller frees the list. */
struct size_switch *advised_sizes_switches(const struct advised_sizes *s,
                                           size_t *n);

/* One way for all sizes: the one whose worst time, over the best of a size, is
 * least. NULL: no way can do all. */
struct one_for_all {
    const char *way;
    double worst;    /* times the best */
    size_t worst_at; /* in the list */
};
struct one_for_all advised_sizes_one(const struct advised_sizes *s);

#endif
