/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shapes.h - the table of the shapes of workloads: the functions that choose
 * the candidates of each, make it ready on a machine, and plan a candidate.
 * The table is list.c; run.c has the functions that simulate one. */
#ifndef STUDY_RUN_SHAPES_H
#define STUDY_RUN_SHAPES_H

#include "study/run/job.h"

/* The relation of --runtime to the candidates. */
enum job_runtimes {
    NO_RUNTIMES,      /* there is no such option, or it is the executions' */
    RUNTIMES_OF_EACH, /* each candidate under each runtime is one */
    RUNTIMES_ALONE,   /* the runtimes are the candidates */
};

struct job_shape {
    const char *platform; /* the default; NULL for the workload's */
    /* The reason why --strategy is refused; NULL if it is not, or is refused as
     * any other option. */
    const char *no_strategy;
    enum job_runtimes runtimes;
    bool executions;   /* --set execution.KEY changes its candidates */
    bool closed_forms; /* strategies have closed forms for it */
    bool as_given;     /* its messages are given; a candidate may add some */
    bool on_hosts;     /* it takes workload.round_options, several platforms */
    const char *no_repeat; /* the reason why --repeat is refused; NULL if not */
    /* Adds the candidates that are named, or all; NULL if there is one, which
     * is the workload as it is given. */
    int (*choose)(struct job *j, const struct request *r, struct err *err);
    /* Checks --partition; NULL if the workload has none. */
    int (*partition)(const char *how, struct err *err);
    /* Makes the load on j->machine. */
    int (*make)(struct job *j, const struct request *r, struct err *err);
    const char *no_plan; /* the reason why no candidate has a plan */
    /* Plans a candidate, in *room or elsewhere; NULL and an error if it
     * cannot. The function is NULL if the load has the plan, or if there is
     * none. */
    const struct plan *(*plan)(struct plan *room, const struct job *j,
                               const struct choice *c, struct err *err);
};
extern const struct job_shape job_shapes[NSHAPES];

static inline const struct job_shape *job_shape(const struct job *j)
{
    return &job_shapes[j->load.shape];
}

#endif
