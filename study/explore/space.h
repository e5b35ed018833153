/* SPDX-License-Identifier: GPL-3.0-or-later */
/* space.h - the runs of a sweep: a base, axes along which it varies,
 * constraints, and objectives. The format is explained in docs/spaces.md. */
#ifndef STUDY_EXPLORE_SPACE_H
#define STUDY_EXPLORE_SPACE_H

#include "study/explore/axis.h"
#include "study/explore/prices.h"
#include "study/explore/sample.h"
#include "study/run/fields.h"

/* The objectives, which are minimised. */
enum objective {
    OBJECTIVE_TIME,
    OBJECTIVE_COST,
    OBJECTIVE_ENERGY,
    NOBJECTIVES
};
extern const char *const objective_names[NOBJECTIVES];
extern const enum run_field objective_fields[NOBJECTIVES];

enum { SPACE_MOST_POINTS = 1000000 };

struct space {
    struct json *doc;                      /* the file, with the prices in it */
    const struct json *base, *constraints; /* in doc; NULL if not given */
    struct axis *axes;
    size_t naxes;
    double *samples; /* nsamples times nsampled coordinates */
    size_t nsamples, nsampled;
    /* The points that satisfy all constraints, as numbers among all points: the
     * number of a point does not change if a constraint does. */
    uint64_t *points;
    size_t npoints;
    uint64_t all;
    enum objective objectives[NOBJECTIVES];
    size_t nobjectives;
    struct prices prices;
};

/* Returns -1, with nothing to clear, if the space has no point or too many. */
int space_load(struct space *s, const char *path, struct err *err) MUST_CHECK;
/* Does the same for a document, which it takes over also if it fails; `name` is
 * the name of the file. */
int space_read(struct space *s, struct json *doc, const char *name,
               struct err *err) MUST_CHECK;
void space_clear(struct space *s);

/* Returns the value of an axis at a point (its number among all); the caller
 * frees it. */
struct json *space_value(const struct space *s, uint64_t point, size_t axis);
/* Returns a point as an experiment for `sluice run`; the caller frees it. */
struct json *space_experiment(const struct space *s, uint64_t point);

#endif
