/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_read.h - what a database of runs holds, and which runs are best. */
#ifndef STRATEGIES_EXPLORE_STORE_READ_H
#define STRATEGIES_EXPLORE_STORE_READ_H

#include "strategies/explore/explore.h"

struct stored_run {
    uint64_t point;
    char **values; /* of each axis, as text */
    struct point_run run;
    char *version; /* of the program that made it */
    size_t work;   /* which of those that the runs do: see stored_find_works */
};

struct stored {
    char *path;
    struct space space; /* as it was when the database was begun */
    char *how;
    struct stored_run *runs; /* by point, of each the fastest first */
    size_t nruns;
    size_t npoints; /* that are done */
    size_t nworks;  /* one at least */
};

/* Refuses what store_open() refuses; a writer does not disturb it. */
int stored_load(struct stored *s, const char *path, struct err *err) MUST_CHECK;
void stored_clear(struct stored *s);

/*
 * Finds the runs that do the same work, and can be compared: the same workload
 * with the same options that say what is to be done (REQUEST_WORK), on whatever
 * machine, in whatever way; of a workload of which more GPUs have more to do,
 * also on as many of them. Works are numbered in the order of the runs.
 * stored_load() does it. (These are in store_rank.c.)
 */
void stored_find_works(struct stored *t);
/* Whether, of some run, the value of an axis is part of its work. */
bool stored_axis_is_work(const struct stored *t, size_t axis);

/* Of a run; NAN: it failed, or is not known. */
double stored_objective(const struct stored_run *r, enum objective o);
/* Of each work the least of an objective; NAN: none is known. The caller
 * frees. */
double *stored_best(const struct stored *s, enum objective o);
/* How many times the best a value is. */
double stored_times(double value, double best);
/* The runs that succeeded, of one work after the other, the least of the
 * objective first: their indices; the caller frees. */
size_t *stored_ranked(const struct stored *s, enum objective o, size_t *n);
/* Of those, the ones that no other of the same work beats in one objective
 * without being worse in another. */
size_t *stored_pareto(const struct stored *s, size_t *n);

/*
 * All runs of several databases of one space in a new one, which is there whole
 * or not at all. `missing`: points of the space that none has. Every database
 * is checked first; one that is damaged is named.
 */
int store_merge(const char *path, const char *const *parts, size_t nparts,
                size_t *points, size_t *missing, struct err *err) MUST_CHECK;

#endif
