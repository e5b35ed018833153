/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explore.h - simulates the points of a space, several at a time in threads.
 * Everything that is read, partitioned and planned for one point is shared by
 * all points like it. */
#ifndef STUDY_EXPLORE_EXPLORE_H
#define STUDY_EXPLORE_EXPLORE_H

#include "sim/plan/exec.h"
#include "study/explore/space.h"
#include "study/run/lists.h"

/* The result of one candidate at one point. It owns its texts; a number is NAN
 * if it is not known. */
struct point_run {
    char *platform, *workload, *partition, *candidate, *runtime;
    char *error; /* why there is no result; NULL if there is one */
    unsigned nodes, gpus;
    double values[NFIELDS]; /* by field; known are those that are IN_DATABASE */
    struct list_copy *lists; /* NLISTS of them; NULL if none are kept */
};
/* Makes a run of which nothing is known. */
void point_run_init(struct point_run *r);
void point_run_clear(struct point_run *r);

/* The results of all candidates of a point, the fastest first; those that could
 * not be done are last. */
struct point_runs {
    uint64_t point;
    struct json *experiment;
    struct point_run *list; /* at least one */
    size_t n;
};

/* Stands for a point if a thread has none. */
#define EXPLORE_IDLE UINT64_MAX

struct explore_request {
    const struct space *space;
    const struct exec_options *exec; /* for each simulation */
    unsigned jobs;                   /* simulations at a time */
    unsigned lists;                  /* to keep: bits 1 << LIST_links ... */
    const uint64_t *points;          /* the points of the space to simulate */
    size_t npoints;
    /* Accepts the results of a point; called by one thread at a time, in any
     * order of the points. If it returns -1, no more points are begun. */
    int (*take)(void *arg, const struct point_runs *runs, struct err *err);
    void *arg;
    /* For each of `jobs` threads its current point, from before it begins until
     * after take(), otherwise EXPLORE_IDLE. NULL if the caller does not need
     * it. */
    uint64_t *working;
};

/* Returns -1 if a name in the space is not known, or if none of some points
 * from all parts of the space has a machine that can be loaded, because a key
 * of it is not known. */
int explore_check(const struct space *s, struct err *err) MUST_CHECK;
/* Returns -1 if take() failed or there is no engine. An error of a point itself
 * is reported as its run. */
int explore(const struct explore_request *r, struct err *err) MUST_CHECK;

#endif
