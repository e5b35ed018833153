/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.h - a database of runs: a row for each way of each point, with all that
 * it was made by. The only place that knows SQLite. The schema is explained in
 * docs/spaces.md. */
#ifndef STRATEGIES_EXPLORE_STORE_H
#define STRATEGIES_EXPLORE_STORE_H

#include "strategies/explore/explore.h"

enum { STORE_SCHEMA = 3 };

struct store;

/*
 * A database for the runs of a space: a new one, or one that was begun for the
 * same space, engine and program. Others can read it meanwhile, not write.
 * `how` says how runs are simulated ("fluid auto"). Refused: what is no
 * database or not one of ours, another schema or program, another space, files
 * that have changed since results were made of them, one that another program
 * writes to.
 */
struct store *store_open(const char *path, const struct space *s,
                         const char *how, struct err *err) MUST_CHECK;
/* All that was added and is not yet in the file is. -1: it cannot be. */
int store_close(struct store *t, struct err *err) MUST_CHECK;
/* What is not committed is given up. */
void store_abandon(struct store *t);

/* The points that are there, in rising order; the caller frees. */
int store_points(struct store *t, uint64_t **points, size_t *n,
                 struct err *err) MUST_CHECK;
/* Takes away the points with a run that failed. */
int store_forget_failed(struct store *t, struct err *err) MUST_CHECK;

/* Adds a point with all its runs, or nothing. They are in the file at the
 * latest after store_commit(): then no end of the program loses them. */
int store_add(struct store *t, const struct point_runs *runs,
              struct err *err) MUST_CHECK;
int store_commit(struct store *t, struct err *err) MUST_CHECK;
/* Points since the last commit. */
size_t store_pending(const struct store *t);

#endif
