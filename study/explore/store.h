/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.h - a database of runs: a row for each candidate of each point, with
 * all data that define it. Only the files store*.c know SQLite. The schema is
 * explained in docs/spaces.md. */
#ifndef STUDY_EXPLORE_STORE_H
#define STUDY_EXPLORE_STORE_H

#include "study/explore/explore.h"

/* It rises if a table comes or goes, or a column means something else; the
 * columns themselves are compared. */
enum { STORE_SCHEMA = 4 };

struct store;

/* Opens a database for the runs of a space: a new one, or one that was begun
 * for the same space, engine and program. Others can read it meanwhile, but not
 * write. `how` names the simulation ("fluid auto"), and `lists` the lists of
 * each run that a new one keeps ("links,phases"); NULL for none, or for those
 * that it keeps already. It is an error if the file is not a database or not
 * one of ours, has another schema, program or space, if input files have
 * changed since results were made of them, or if another program writes to it.
 */
struct store *store_open(const char *path, const struct space *s,
                         const char *how, const char *lists,
                         struct err *err) MUST_CHECK;
/* Returns the lists of the runs that the database keeps, as bits. */
unsigned store_keeps(const struct store *t);
/* Commits all that was added, and frees the store. Returns -1 if it cannot. */
int store_close(struct store *t, struct err *err) MUST_CHECK;
/* Drops all that is not committed, and frees the store. */
void store_abandon(struct store *t);

/* Lists the points that are in it, in rising order; the caller frees them. */
int store_points(struct store *t, uint64_t **points, size_t *n,
                 struct err *err) MUST_CHECK;
/* Removes the points with a run that failed. */
int store_forget_failed(struct store *t, struct err *err) MUST_CHECK;

/* Adds a point with all its runs, or nothing. They are in the file after the
 * next store_commit() at the latest, and then no crash of the program loses
 * them. */
int store_add(struct store *t, const struct point_runs *runs,
              struct err *err) MUST_CHECK;
int store_commit(struct store *t, struct err *err) MUST_CHECK;

#endif
