/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes.h - an advice for each of a range of sizes, the sizes at which the
 * choice switches, and the one candidate that is never far from the best. */
#ifndef STUDY_ADVISE_SIZES_H
#define STUDY_ADVISE_SIZES_H

#include "study/advise/advise.h"
#include "study/advise/candidates.h"

struct advised_size {
    uint64_t bytes;  /* the requested size */
    struct err *why; /* the reason if it is left out, else NULL */
    struct candidates candidates;
    struct advice advice; /* set by advised_sizes_run() */
};

struct advised_sizes {
    struct advised_size *list; /* ascending */
    size_t n, simulations;
};

/* Loads every size of the request's range (sizes_asked()). Sizes that cannot be
 * simulated are left out. Fails if none can be; then there is nothing to
 * clear. */
int advised_sizes_load(struct advised_sizes *s, const struct request *r,
                       struct err *err) MUST_CHECK;
/* Advises for each size, all on the same drawn machines; o->kinds is ignored.
 * Fails if no size has a candidate that can be run. */
int advised_sizes_run(struct advised_sizes *s, const struct advise_options *o,
                      struct draws_how how, struct err *err) MUST_CHECK;
void advised_sizes_clear(struct advised_sizes *s);

/* Returns the name of the candidate that is advised for a size. */
const char *advised_size_use(const struct advised_size *size);
/* Returns the candidate's nominal time over that of the fastest for this size:
 * 1.1 if it takes a tenth longer; NAN if the size has no such candidate. */
double advised_size_times_best(const struct advised_size *size,
                               const char *candidate);
/* Returns the next size from `from` on that is not left out; n if there is
 * none. */
size_t advised_sizes_next(const struct advised_sizes *s, size_t from);

/* A size at which the choice switches: `was` is advised for the size before,
 * and is slower than the advised one for this size, or cannot be run. */
struct size_switch {
    size_t before, at; /* indices in the list */
    const char *was, *use;
    double was_times_best; /* at the latter; NAN if it cannot be run */
};
/* Returns all switches, in a list that the caller frees. */
struct size_switch *advised_sizes_switches(const struct advised_sizes *s,
                                           size_t *n);

/* One candidate for all sizes: the one with the least worst ratio of its time
 * to the best for a size. way is NULL if none can be run for all sizes. */
struct one_for_all {
    const char *candidate;
    double worst;    /* ratio to the best time */
    size_t worst_at; /* index in the list */
};
struct one_for_all advised_sizes_one(const struct advised_sizes *s);

#endif
