/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h - a job in simulated time: each way of carrying it out, ranked. */
#ifndef STRATEGIES_RUN_RUN_H
#define STRATEGIES_RUN_RUN_H

#include "sim/plan/exec_loop.h"
#include "sim/plan/report.h"
#include "sim/plan/timeline_kept.h"
#include "strategies/replay/report.h"
#include "strategies/run/job.h"

/* What a rank or a GPU sent and received. */
struct traffic {
    uint64_t sent_B, received_B;
};

/* What came of one way. */
struct outcome {
    const char *name;   /* the choice's */
    struct err *why;    /* it cannot be done on this machine; NULL: it was */
    const char *untold; /* the choice's */
    double time_s;
    double times_best; /* as long as the fastest of the job takes */
    double accuracy;   /* of the engine, 0: exact */
    double in_place_s; /* of a collective in both places; NAN: of none */
    double given_s;    /* of a trace: as given; NAN: not simulated */
    double model_s;    /* the closed form, corrected reading; NAN: none */
    /* What it took here: to plan, to simulate, to compare with a plain
     * computation. */
    double plan_wall_s, run_wall_s, check_wall_s;
    struct solver_work work;   /* of a plan, by the fluid engine */
    struct link_use *links;    /* that carried anything, most utilised first */
    size_t nlinks, links_used; /* listed, and how many there are */
    struct traffic *ends;      /* of each rank of a plan, each GPU of a graph */
    uint32_t nends;

    /* Of a plan. */
    struct report report;
    char path[REPORT_STEPS][96]; /* of report.path */
    struct durations durations;
    struct match_counts *queues; /* of matching, by rank and communicator */
    size_t nqueues;
    /* Of a runtime with a communication thread: of each rank; NULL: of none. */
    struct host_counts *hosts;
    uint32_t nhosts;
    double windows_s; /* apart from time_s: the creation of its windows */
    struct plan_origin *origin; /* of a trace; NULL: of none */
    struct replay_times *ranks; /* likewise */
    struct op_times *ops;       /* when each operation was; NULL: not kept */
    size_t nops;
    struct kept_timeline *timeline; /* NULL: not kept */
    /* Of a plan in steps: ends, ops, durations but for the messages that were
     * simulated, and of the report all but messages, bytes and copies are not
     * known. */
    bool in_steps;
    bool rounded; /* a collective's blocks, up to those of the largest */
    struct loop_result loop; /* its links are the outcome's */

    struct traverse_result *graph; /* of a graph; NULL: of a plan */
};

struct run_options {
    const char *timeline; /* a file to write; NULL: none. Of one way only */
    bool keep_times;      /* of every operation */
    /* Of plans that are not in steps, of so many operations; 0: none. */
    unsigned timeline_ops;
    bool queues; /* their lengths also where matching takes no time */
};

/*
 * Every way of the job, the fastest first; those that the machine cannot do,
 * where none was named, come last. Fails when none can be done. The outcomes
 * borrow from the job; outcomes_free() before job_clear(). The job's
 * exec_options say how many are done at a time: outcomes and errors are those
 * of one after the other, and memory is that of each at a time added up.
 */
int job_run(struct outcome **list, size_t *n, const struct job *j,
            const struct run_options *o, struct err *err) MUST_CHECK;
/*
 * The same of several jobs on one machine, side by side. -1: none has anything
 * to clear. The exec_options are those of the first.
 */
struct job_runs {
    const struct job *job;
    struct outcome *list; /* as of job_run() */
    size_t n;
    struct err *why; /* none of its ways can be done; NULL: one can */
};
int jobs_run_all(struct job_runs *of, size_t n,
                 const struct run_options *options, struct err *err) MUST_CHECK;
void job_runs_clear(struct job_runs *of);
/* One way. What the machine cannot do is an error. */
int job_run_one(struct outcome *o, const struct job *j, const struct choice *c,
                const struct run_options *options, struct err *err) MUST_CHECK;
/* The fastest of the ways under the partition to compare with, if there is one
 * (load.compared). best->name stays valid as long as the job. */
struct compared {
    const char *name; /* NULL: there is none */
    double time_s;
    struct err why; /* there is none */
};
int job_run_compared(struct compared *best, const struct job *j,
                     struct err *err) MUST_CHECK;
/* Whether there is a halo to compare with; if not, why. */
bool compared_is_made(struct compared *best, const struct load *l);
/* -1 when it was asked for; else it is left out, and why. */
int compared_failed(struct compared *best, const struct load *l,
                    struct err *err) MUST_CHECK;
/* How many of n ranked outcomes, from the first on, take as long as the fastest
 * but for rounding: more than 1 is a tie. */
size_t outcomes_tied(const struct outcome *list, size_t n);
void outcome_clear(struct outcome *o);
void outcomes_free(struct outcome *list, size_t n);

#endif
