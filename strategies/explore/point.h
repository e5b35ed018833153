/* SPDX-License-Identifier: GPL-3.0-or-later */
/* point.h - one point of a space: its request and machine, and what comes of
 * its ways. */
#ifndef STRATEGIES_EXPLORE_POINT_H
#define STRATEGIES_EXPLORE_POINT_H

#include "strategies/explore/explore.h"
#include "strategies/explore/family.h"

struct point_at {
    const struct space *space;
    uint64_t point;
    const struct exec_options *exec; /* NULL: exec_defaults */
    struct load_cache *cache;        /* NULL: none */

    /* By point_begin(). */
    struct json *experiment;
    struct request request; /* borrows from it */
    bool rounds;            /* a graph on hosts: it loads machines itself */
    struct machine machine;
    bool ok;
    struct err why; /* it is not */
};

/* Makes the request and loads the machine. */
void point_begin(struct point_at *at);
void point_end(struct point_at *at);

/* Simulates all ways of the job, or tells why there are none (at->why, where
 * not at->ok). */
void point_run_all(struct point_runs *runs, struct point_at *at,
                   const struct job *job);
void point_runs_clear(struct point_runs *runs);

/* A point of which there is only an error; the experiment is the caller's. */
void point_fail(struct point_runs *runs, const struct space *s, uint64_t point,
                const char *error);

#endif
