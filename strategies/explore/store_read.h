/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_read.h - what a database of runs holds. */
#ifndef STRATEGIES_EXPLORE_STORE_READ_H
#define STRATEGIES_EXPLORE_STORE_READ_H

#include "strategies/explore/explore.h"

struct stored_run {
    uint64_t point;
    char **values; /* of each axis, as text */
    struct point_run run;
    char *version; /* of the program that made it */
};

struct stored {
    char *path;
    struct space space; /* as it was when the database was begun */
    char *how;
    struct stored_run *runs; /* by point, of each the fastest first */
    size_t nruns;
    size_t npoints; /* that are done */
};

/* Refuses what store_open() refuses; a writer does not disturb it. */
int stored_load(struct stored *s, const char *path, struct err *err) MUST_CHECK;
void stored_clear(struct stored *s);

/* Of a run; NAN: it failed, or is not known. */
double stored_objective(const struct stored_run *r, enum objective o);
/* The runs that succeeded, the least of the objective first: their indices; the
 * caller frees. */
size_t *stored_ranked(const struct stored *s, enum objective o, size_t *n);
/* Of those, the ones that no other beats in one objective without being worse
 * in another, in the order of the first objective. */
size_t *stored_pareto(const struct stored *s, size_t *n);

/*
 * All runs of several databases of one space in a new one, which is there whole
 * or not at all. `missing`: points of the space that none has. Every database
 * is checked first; one that is damaged is named.
 */
int store_merge(const char *path, const char *const *parts, size_t nparts,
                size_t *points, size_t *missing, struct err *err) MUST_CHECK;

#endif
