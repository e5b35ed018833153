/* SPDX-License-Identifier: GPL-3.0-or-later */
/* space.h - the runs to be tried: a base, axes along which it changes, what is
 * left out, and what is looked for. The format is explained in docs/spaces.md.
 */
#ifndef STRATEGIES_EXPLORE_SPACE_H
#define STRATEGIES_EXPLORE_SPACE_H

#include "strategies/explore/axis.h"
#include "strategies/explore/prices.h"
#include "strategies/explore/sample.h"

/* What is looked for: the least of it. */
enum objective {
    OBJECTIVE_TIME,
    OBJECTIVE_COST,
    OBJECTIVE_ENERGY,
    NOBJECTIVES
};
extern const char *const objective_names[NOBJECTIVES];

enum { SPACE_MOST_POINTS = 1000000 };

struct space {
    struct json *doc;                      /* the file, with the prices in it */
    const struct json *base, *constraints; /* in doc; NULL: none */
    struct axis *axes;
    size_t naxes;
    double *samples; /* nsamples times nsampled coordinates */
    size_t nsamples, nsampled;
    /* The points that all constraints leave, as numbers among all points, with
     * those that are left out: they stay what they are when a constraint
     * changes. */
    uint64_t *points;
    size_t npoints;
    uint64_t all;
    enum objective objectives[NOBJECTIVES];
    size_t nobjectives;
    struct prices prices;
};

/* -1, and nothing to clear, when the space has no point, or too many. */
int space_load(struct space *s, const char *path, struct err *err) MUST_CHECK;
/* The same of a document, which it takes over; `name` is that of the file. */
int space_read(struct space *s, struct json *doc, const char *name,
               struct err *err) MUST_CHECK;
void space_clear(struct space *s);

/* The value of an axis at a point (its number among all); the caller frees. */
struct json *space_value(const struct space *s, uint64_t point, size_t axis);
/* A point as an experiment that `sluice run` takes; the caller frees. */
struct json *space_experiment(const struct space *s, uint64_t point);

#endif
