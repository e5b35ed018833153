/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h - a job in simulated time: simulates each candidate and ranks them. */
#ifndef STUDY_RUN_RUN_H
#define STUDY_RUN_RUN_H

#include "sim/plan/exec.h"
#include "sim/plan/report.h"
#include "sim/plan/timeline_kept.h"
#include "apps/replay/report.h"
#include "study/run/job.h"

/* The bytes that a rank or a GPU sent and received. */
struct traffic {
    uint64_t sent_B, received_B;
};

/* A round of a graph algorithm on hosts. */
struct outcome_round {
    uint64_t active, messages; /* proxies whose arcs are visited */
    double bytes, time_s;
    double compute_s; /* of the busiest host */
};

/* The outcome of one candidate. */
struct outcome {
    const char *name; /* borrowed from the choice */
    struct err *why; /* why it cannot be done on this machine; NULL if it was */
    const char *untold; /* borrowed from the choice */
    double time_s;
    double times_best; /* time_s divided by that of the fastest */
    double accuracy;   /* the engine's; 0 if exact */
    /* The time of a collective in place, if both places are simulated;
     * otherwise NAN. */
    double in_place_s;
    double given_s; /* The time of the trace as it is; NAN if not simulated. */
    /* The closed form's corrected reading; NAN if there is none. */
    double model_s;
    /* Seconds of real time: to plan, to simulate, to compare with a plain
     * computation. */
    double plan_wall_s, run_wall_s, check_wall_s;
    struct solver_work work;   /* the fluid engine's, for a plan */
    struct link_use *links;    /* links with traffic, most utilised first */
    size_t nlinks, links_used; /* length of `links`, and all that had traffic */
    struct traffic *ends; /* one per rank of a plan or per GPU of a graph */
    uint32_t nends;

    /* For a plan. */
    struct report report;
    char path[REPORT_STEPS][96]; /* descriptions of report.path */
    struct durations durations;
    /* Counts of matching, by rank and communicator. */
    struct match_counts *queues;
    size_t nqueues;
    /* One per rank, if the runtime has a communication thread; otherwise
     * NULL. */
    struct host_counts *hosts;
    uint32_t nhosts;
    double windows_s;           /* time to create its windows, not in time_s */
    struct plan_origin *origin; /* the trace's; otherwise NULL */
    struct replay_times *ranks; /* the trace's; otherwise NULL */
    struct op_times *ops;       /* times of each operation; NULL if not kept */
    size_t nops;
    struct kept_timeline *timeline; /* NULL if not kept */
    /* For a plan in steps `ends` and `ops` are not known, durations are those
     * of the simulated messages, and the report has only messages, bytes and
     * copies. */
    bool in_steps;
    bool rounded; /* a collective's blocks are rounded up to the largest */
    struct exec_steps loop; /* if it is in steps */

    struct traverse_result *graph; /* for a graph; NULL for a plan */
    /* For a graph on hosts, which is a plan. */
    struct rounds_times *on_hosts; /* graph_rounds.h */
    struct outcome_round *rounds;  /* on_hosts has them */
    size_t nrounds;
};

struct run_options {
    /* A file to write; NULL for none; one candidate only. */
    const char *timeline;
    bool keep_times; /* keep the times of every operation */
    /* Operations of a timeline to keep, for plans that are not in steps; 0 for
     * none. */
    unsigned timeline_ops;
    /* It is an error if a graph on hosts has too many operations to keep. */
    bool needs_ops;
    bool queues; /* count queue lengths even if matching costs no time */
    /* For a graph on hosts: the outcome has only times and the list of its
     * rounds; and only those of the scaled graph if one is asked for. */
    bool times_only, asked_only;
};

/* Simulates every candidate of the job and lists them, the fastest first; those
 * that the machine cannot do come last, if the user named none. Fails if none
 * can be done. The outcomes borrow from the job: outcomes_free() comes before
 * job_clear(). The job's exec_options say how many candidates are simulated at
 * a time; outcomes and errors are the same as one after the other, and the
 * memory is the sum of those that run at a time. */
int job_run(struct outcome **list, size_t *n, const struct job *j,
            const struct run_options *o, struct err *err) MUST_CHECK;
/* The same for several jobs on one machine, in parallel. If it returns -1, none
 * has anything to clear. The exec_options are those of the first job. */
struct job_runs {
    const struct job *job;
    struct outcome *list; /* as from job_run() */
    size_t n;
    /* The reason if no candidate can be done; otherwise NULL. */
    struct err *why;
};
int jobs_run_all(struct job_runs *of, size_t n,
                 const struct run_options *options, struct err *err) MUST_CHECK;
/* Fails unless there is one job, the first, and it has one candidate, as a
 * timeline needs. */
int job_check_timeline(const struct job *first, size_t n,
                       struct err *err) MUST_CHECK;
void job_runs_clear(struct job_runs *of);
/* Simulates one candidate. It is an error if the machine cannot do it. */
int job_run_one(struct outcome *o, const struct job *j, const struct choice *c,
                const struct run_options *options, struct err *err) MUST_CHECK;
/* The fastest candidate under the partition to compare with, if there is one
 * (load.compared). best->name is valid as long as the job. */
struct compared {
    const char *name; /* NULL if there is none */
    double time_s;
    struct err why; /* why there is none */
};
int job_run_compared(struct compared *best, const struct job *j,
                     struct err *err) MUST_CHECK;
/* Returns whether there is a halo to compare with; if not, best->why is the
 * reason. */
bool compared_is_made(struct compared *best, const struct load *l);
/* Handles a failed comparison: -1 if the user asked for it; otherwise 0, and
 * best->why is the reason. */
int compared_failed(struct compared *best, const struct load *l,
                    struct err *err) MUST_CHECK;
/* Returns how many of n ranked outcomes, from the first on, are as fast as the
 * first except for rounding: more than 1 is a tie. */
size_t outcomes_tied(const struct outcome *list, size_t n);
/* Makes an outcome of which nothing is known; it borrows the name. */
void outcome_init(struct outcome *o, const char *name);
/* Sets the results of a plan that was simulated with details; links, counts
 * and, if asked to, the times of operations are moved out of the result. */
void outcome_take(struct outcome *o, const struct machine *m,
                  const struct plan *p, struct exec_result *x, bool keep_times);
/* Writes the timeline of a simulated plan. */
int run_save_timeline(const char *path, const struct machine *m,
                      const struct plan *p, const struct exec_result *x,
                      struct err *err) MUST_CHECK;
void outcome_clear(struct outcome *o);
void outcomes_free(struct outcome *list, size_t n);

#endif
