/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_rounds.h - a graph algorithm in rounds on the hosts of a cluster: it is
 * executed once, when its job is loaded, and its rounds are simulated under
 * each runtime. */
#ifndef STUDY_RUN_GRAPH_ROUNDS_H
#define STUDY_RUN_GRAPH_ROUNDS_H

#include "apps/rounds/analytics.h"
#include "study/run/run.h"

/* The sum of all rounds under one runtime on one platform. */
struct rounds_time {
    double time_s;
    double compute_s; /* busiest host of each round, summed up */
    double bytes;
    double windows_s; /* time to create windows, not in time_s */
    struct outcome_round *rounds;
    /* Counts of each host; NULL if the runtime has no communication thread. */
    struct host_counts *use;
};

/* The times of a candidate: as the rounds were executed, and on the scaled
 * graph, whose rounds are NULL if it is not asked for. */
struct rounds_times {
    struct rounds_time as_run, scaled;
};

/* The executed algorithm, which is the same on all machines. */
struct graph_rounds {
    const struct analytics *algorithm;
    struct graph graph;              /* its own, or that of `like` */
    const struct graph_rounds *like; /* lender of the graph; NULL if its own */
    struct hosts hosts;
    uint32_t *weight; /* one per arc; NULL if not asked for, or given */
    struct analytics_input in;
    struct analytics_result result;
    /* Real time to divide the graph and to run the algorithm. */
    double wall_s;
    unsigned threads; /* per host; 0 for one on each core */
    /* Whether exhaustion is an error; otherwise, if it is asked for, sends
     * wait; or else the platform says. */
    bool exhaustion_asked, exhaustion_fails;
    /* Factors of bytes and labels, and of arcs, in `scaled` relative to the
     * run; 0 if not asked for. The rounds are those of the run. */
    double vertices_x, arcs_x;
};

/* Loads and divides the graph of a job whose machine is loaded, and runs the
 * algorithm; takes what it can from request.like. */
int graph_rounds_load(struct job *j, const struct request *r,
                      struct err *err) MUST_CHECK;
void graph_rounds_free(struct graph_rounds *g); /* NULL is allowed */

/* Simulates one candidate. Returns 1 if the machine cannot run it (err says
 * why). */
int run_rounds(struct outcome *o, const struct job *j, const struct choice *c,
               const struct run_options *options, struct err *err) MUST_CHECK;

/* Returns the times of the job's graph, which is the scaled one if there is
 * one. */
static inline const struct rounds_time *rounds_asked(const struct outcome *o)
{
    const struct rounds_times *t = o->on_hosts;

    return t->scaled.rounds ? &t->scaled : &t->as_run;
}

#endif
