/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ways.h - the ways of a request that are chosen from together: strategy,
 * algorithm or runtime, partition, and where data are while they are sent. */
#ifndef STRATEGIES_ADVISE_WAYS_H
#define STRATEGIES_ADVISE_WAYS_H

#include "strategies/advise/advise.h"
#include "strategies/advise/draws.h"
#include "strategies/advise/model_error.h"
#include "strategies/rounds/graph_rounds.h"
#include "strategies/run/job_again.h"

/* The same request under one partition, or in one memory: a job, or a graph on
 * hosts. */
struct ways_job {
    struct job job;
    struct job_plans kept;
    struct graph_rounds rounds; /* workload NULL: it is a job */
    char *words;                /* of the workload */
    const char *set; /* "metis", "staged"; NULL: as it was asked for */
};

struct advice_way {
    size_t job;
    const struct choice *choice; /* of a job */
    size_t cell;                 /* of a graph on hosts */
    const char *strategy;        /* or algorithm, execution, runtime */
    char *name;                  /* "standard/staged, metis" */
    unsigned kind;               /* ways of one strategy are of one kind */
};

struct ways {
    struct machine machine;
    struct parameters parameters;
    const struct exec_options *exec; /* the request's; NULL: exec_defaults */
    struct ways_job *jobs;
    size_t njobs;
    struct advice_way *list;
    size_t n;
    unsigned nodes, gpus, ranks; /* that the request takes */
    unsigned *kinds, *paths;     /* as of struct advise_options */
    struct model_error error;    /* of what is asked */
    struct err *left_out;        /* partitions that cannot be made, by reason */
    size_t nleft_out;
};

/*
 * Loads the request on its machine: of a matrix as it is asked for, or where no
 * partition is named under contiguous rows, METIS, and boxes where a grid is
 * known; of a graph on hosts under each of its cuts; of a collective between
 * GPUs in GPU memory, and staged through the host. Errors are those of
 * job_load() or graph_rounds_load().
 */
int ways_load(struct ways *w, const struct request *r,
              struct err *err) MUST_CHECK;
void ways_clear(struct ways *w);
/* Makes plans that do for many machines once (job_keep_plans()), where they are
 * to be timed on many; or frees them. */
void ways_keep_plans(struct ways *w);
void ways_drop_plans(struct ways *w);

/* What a way of a graph on hosts takes on a machine; rounds_time_clear() it. 1:
 * the machine cannot do it (err says why), and there is nothing to clear. */
int ways_time_on_hosts(struct rounds_time *t, const struct ways *w, size_t nth,
                       const struct machine *m, const struct node_ways *ways,
                       struct err *err) MUST_CHECK;

/* The options for these ways: their kinds and paths; where no model error is
 * said (NAN) that of what is asked. Borrows w. */
struct advise_options ways_options(const struct ways *w,
                                   const struct advise_options *asked);

/* As draws.h takes them; borrows w. */
struct timed_ways ways_timed(const struct ways *w, struct draws_how how);

#endif
