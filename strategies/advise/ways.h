/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ways.h - the ways of a request that are chosen from together: strategy or
 * algorithm, partition, and where data are while they are sent. */
#ifndef STRATEGIES_ADVISE_WAYS_H
#define STRATEGIES_ADVISE_WAYS_H

#include "strategies/advise/draws.h"
#include "strategies/run/job_again.h"

/* The same request under one partition, or in one memory. */
struct ways_job {
    struct job job;
    struct job_plans kept;
    char *words;     /* of the workload */
    const char *set; /* "metis", "staged"; NULL: as it was asked for */
};

struct advice_way {
    size_t job;
    const struct choice *choice;
    char *name;    /* "standard/staged, metis" */
    unsigned kind; /* ways of one strategy are of one kind */
};

struct ways {
    struct machine machine;
    struct parameters parameters;
    struct ways_job *jobs;
    size_t njobs;
    struct advice_way *list;
    size_t n;
    unsigned *kinds;
    struct err *left_out; /* partitions that cannot be made, by reason */
    size_t nleft_out;
};

/*
 * Loads the request on its machine: of a matrix as it is asked for, or where no
 * partition is named under contiguous rows, METIS, and boxes where a grid is
 * known; of a collective between GPUs in GPU memory, and staged through the
 * host. Errors are those of job_load().
 */
int ways_load(struct ways *w, const struct request *r,
              struct err *err) MUST_CHECK;
void ways_clear(struct ways *w);

/* As draws.h takes them; borrows w. */
struct timed_ways ways_timed(const struct ways *w, unsigned jobs);

#endif
