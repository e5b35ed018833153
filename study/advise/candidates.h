/* SPDX-License-Identifier: GPL-3.0-or-later */
/* candidates.h - the candidates of a request: combinations of a strategy,
 * algorithm or runtime with a partition and the memory in which the data are
 * while they are sent. */
#ifndef STUDY_ADVISE_CANDIDATES_H
#define STUDY_ADVISE_CANDIDATES_H

#include "study/advise/advise.h"
#include "study/advise/draws.h"
#include "study/advise/model_error.h"
#include "study/run/graph_rounds.h"
#include "study/run/job_again.h"

/* The request with one partition, or in one memory. */
struct candidates_job {
    struct job job;
    struct job_plans kept;
    char *words; /* the words of the workload */
    /* "metis", "staged"; NULL for the request as it is. */
    const char *set;
};

struct advice_candidate {
    size_t job;
    const struct choice *choice; /* the choice in a job */
    const char *strategy;        /* or algorithm, execution, runtime */
    char *name;                  /* "standard/staged, metis" */
    unsigned kind;               /* candidates of one strategy have one kind */
};

struct candidates {
    struct machine machine;
    struct parameters parameters;
    /* The request's options; NULL for exec_defaults. */
    const struct exec_options *exec;
    struct candidates_job *jobs;
    size_t njobs;
    struct advice_candidate *list;
    size_t n;
    unsigned nodes, gpus, ranks; /* numbers that the request uses */
    unsigned *kinds, *paths;     /* as in struct advise_options */
    struct model_error error;    /* the error of this decision */
    /* The reasons of partitions that cannot be made. */
    struct err *left_out;
    size_t nleft_out;
};

/*
 * Loads the request on its machine. A matrix is loaded with its partition or,
 * if none is named, with contiguous rows, METIS, and boxes if a grid is known;
 * a graph on hosts with each of its cuts; a collective between GPUs in GPU
 * memory, and staged through the host. Errors are those of job_load().
 * candidates_clear() frees all.
 */
int candidates_load(struct candidates *w, const struct request *r,
                    struct err *err) MUST_CHECK;
void candidates_clear(struct candidates *w);
/* candidates_keep_plans() makes the plans that do not depend on costs once
 * (job_keep_plans()), for candidates that are timed on many machines;
 * candidates_drop_plans() frees them. */
void candidates_keep_plans(struct candidates *w);
void candidates_drop_plans(struct candidates *w);

/* Returns the options for these candidates, with their kinds and paths. If the
 * model error is not given (NAN), it is that of the decision. The result
 * borrows w. */
struct advise_options candidates_options(const struct candidates *w,
                                         const struct advise_options *asked);

/* Returns the candidates for draws.h; the result borrows w. */
struct timed_candidates candidates_timed(const struct candidates *w,
                                         struct draws_how how);

#endif
