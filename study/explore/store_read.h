/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_read.h - the contents of a database of runs, and its best runs. */
#ifndef STUDY_EXPLORE_STORE_READ_H
#define STUDY_EXPLORE_STORE_READ_H

#include "study/explore/explore.h"

struct stored_run {
    uint64_t point;
    char **values; /* one per axis, as text */
    struct point_run run;
    char *version; /* version of the program that made it */
    size_t work;   /* number of its work, see stored_find_works() */
};

struct stored {
    char *path;
    struct space space; /* as it was when the database was begun */
    char *how;
    struct stored_run *runs; /* ordered by point, the fastest of each first */
    size_t nruns;
    size_t npoints; /* points that are done */
    size_t nworks;  /* at least one */
};

/* Reads a database. It refuses the same files as store_open(), except that
 * another program may write to it. */
int stored_load(struct stored *s, const char *path, struct err *err) MUST_CHECK;
void stored_clear(struct stored *s);

/* Finds the runs that do the same work, and so can be compared: the same
 * workload with the same options that define the work (REQUEST_WORK), whatever
 * the machine and candidate; if more GPUs have more to do, also the same number
 * of GPUs. Works are numbered in the order of the runs. stored_load() calls it.
 * (It and the functions below are in store_rank.c.) */
void stored_find_works(struct stored *t);
/* Returns whether the value of an axis is part of the work of some run. */
bool stored_axis_is_work(const struct stored *t, size_t axis);

/* Returns an objective of a run; NAN if the run failed or it is not known. */
double stored_objective(const struct stored_run *r, enum objective o);
/* Returns the minimum of an objective for each work; NAN if none is known. The
 * caller frees it. */
double *stored_best(const struct stored *s, enum objective o);
/* Returns a value divided by the best. */
double stored_times(double value, double best);
/* Returns the indices of the runs that succeeded, one work after the other, by
 * rising objective; the caller frees them. */
size_t *stored_ranked(const struct stored *s, enum objective o, size_t *n);
/* Returns the Pareto-optimal ones of them: no other run of the same work is
 * better in one objective without being worse in another. */
size_t *stored_pareto(const struct stored *s, size_t *n);

/* Merges the runs of several databases of one space into a new one; on an error
 * nothing is written. *missing is the number of points of the space that none
 * of them has. Every database is checked first, and a damaged one is named in
 * the error. */
int store_merge(const char *path, const char *const *parts, size_t nparts,
                size_t *points, size_t *missing, struct err *err) MUST_CHECK;

#endif
