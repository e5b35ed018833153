/* SPDX-License-Identifier: GPL-3.0-or-later */
/* point.h - one point of a space: its request and machine, and the results of
 * its candidates. */
#ifndef STUDY_EXPLORE_POINT_H
#define STUDY_EXPLORE_POINT_H

#include "study/explore/explore.h"
#include "study/explore/family.h"

struct point_at {
    const struct space *space;
    uint64_t point;
    const struct exec_options *exec; /* NULL for exec_defaults */
    struct load_cache *cache;        /* NULL for none */
    unsigned lists;                  /* that runs keep, as bits */

    /* Set by point_begin(). */
    struct json *experiment;
    struct request request; /* borrows from it */
    char *platforms, *next; /* of a graph on hosts, which may have several */
    struct machine machine;
    bool ok;
    struct err why; /* if not ok */
};

/* Makes the request and loads the machine. The caller calls point_end(). */
void point_begin(struct point_at *at);
/* Loads the next platform of a graph on hosts; returns false if there is
 * none. */
bool point_next(struct point_at *at);
void point_end(struct point_at *at);

/* Adds runs of all candidates of the job. If not at->ok, it adds one with the
 * error at->why, or, for one of several platforms, one for each runtime. The
 * caller calls point_runs_clear(). */
void point_run_all(struct point_runs *runs, struct point_at *at,
                   const struct job *job);
void point_runs_clear(struct point_runs *runs);

/* Makes the runs of a point that has only an error; the caller sets and frees
 * the experiment. */
void point_fail(struct point_runs *runs, const struct space *s, uint64_t point,
                const char *error);

#endif
