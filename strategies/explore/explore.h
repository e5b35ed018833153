/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explore.h - carries out the points of a space, several at a time in threads:
 * what is read, divided and planned for one is there for all like it. */
#ifndef STRATEGIES_EXPLORE_EXPLORE_H
#define STRATEGIES_EXPLORE_EXPLORE_H

#include "sim/plan/exec.h"
#include "strategies/explore/space.h"

/* One way of carrying out a point. Texts are its own; NAN: not known. */
struct point_run {
    char *platform, *workload, *partition, *way, *runtime;
    char *error; /* why there is no result; NULL: there is one */
    unsigned nodes, gpus;
    double time_s, model_s, cost_dollars, energy_J;
    double off_node_messages, off_node_B, on_node_messages, on_node_B, copies,
        copied_B;
    double wall_s; /* that it took here */
};
void point_run_clear(struct point_run *r);

/* All ways of a point, the fastest first; those that could not be done last. */
struct point_runs {
    uint64_t point;
    struct json *experiment;
    struct point_run *list; /* one at least */
    size_t n;
};

/* In the place of a point: none. */
#define EXPLORE_IDLE UINT64_MAX

struct explore_request {
    const struct space *space;
    const struct exec_options *exec; /* of each simulation */
    unsigned jobs;                   /* at a time */
    const uint64_t *points;          /* of the space: those to do */
    size_t npoints;
    /* Takes the results of a point, from one thread at a time, in no order; on
     * -1 no more are begun. */
    int (*take)(void *arg, const struct point_runs *runs, struct err *err);
    void *arg;
    /* Of each of `jobs` threads the point that it is at, or EXPLORE_IDLE, from
     * before it begins until after take(). NULL: nobody wants to know. */
    uint64_t *working;
};

/* -1: a name in it is none, or no machine of some points from all parts of the
 * space can be loaded: a key of it is none. */
int explore_check(const struct space *s, struct err *err) MUST_CHECK;
/* -1: take() failed, or there is no engine. What a point itself fails by is
 * told as its run. */
int explore(const struct explore_request *r, struct err *err) MUST_CHECK;

#endif
