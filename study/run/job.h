/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.h - a request made ready: machine, workload and the candidates that can
 * carry it out. Loading and planning are here; simulation is in run.h, so that
 * programs without a simulator can link this. */
#ifndef STUDY_RUN_JOB_H
#define STUDY_RUN_JOB_H

#include "base/json.h"
#include "platforms/machine.h"
#include "sim/plan/loop.h"
#include "sim/plan/placement.h"
#include "apps/agents/traverse.h"
#include "strategies/collective/libraries/library.h"
#include "apps/replay/replay.h"
#include "study/run/request.h"
#include "workloads/load/load.h"

/* A candidate: a strategy for a halo, an execution for a graph, an algorithm
 * for a collective. All three are NULL for messages that are given, and for a
 * graph on hosts, whose candidates are runtimes. */
struct choice {
    const char *name;
    const struct strategy *strategy;
    struct execution *execution;
    const struct collective_algorithm *algorithm;
    /* An algorithm: the reason why no library of the machine can be told to use
     * it; NULL if one can. */
    const char *untold;
    enum runtime runtime; /* carries its messages */
    char *own_name; /* "standard/lci" if a runtime was named; otherwise NULL */
};

/* The part of a candidate that is kept (job_again.h): its plan, or the loop of
 * its steps. If the plan has no operations and the loop no steps, nothing is
 * kept, and the plan is made anew each time. */
struct kept_plan {
    struct plan plan;
    struct loop loop;
    bool rounded; /* as in run_steps */
};

/* The kept plans of a job, in the order of its choices. */
struct job_plans {
    struct kept_plan *of;
    size_t n;
};

struct job {
    const struct machine *machine; /* the caller's, or `own` */
    struct machine own;
    struct placement placement; /* slot is NULL if none is given */
    struct machine placed; /* the machine with the placement; borrows both */
    const struct workload *workload;
    char *words;       /* the workload as the user wrote it */
    char *plain_words; /* the same without options (own_words.h) */
    struct load load;
    struct choice *choices;
    size_t nchoices;
    /* For a collective: the library whose choice is compared with the others,
     * and whether its choice is the one that was asked for; all candidates are
     * run in any case, unless it is `alone`. */
    const struct collective_library *library;
    bool automatic;
    bool alone; /* it is not compared: automatic, on more than 512 ranks */
    bool all;   /* none was named: all that the machine can do */
    bool told;  /* and that its libraries can be told to use */
    struct strategy_options options;
    /* The reason why options.pack is not set: "--no-packing", or the key that
     * the machine lacks; NULL if it is set. */
    const char *no_packing;
    enum algorithm algorithm; /* the algorithm of a graph */
    double edge_s; /* --edge-ns in seconds, for a graph; 0 if not given */
    /* For a graph on hosts: its rounds, which may be those of another job. */
    const struct graph_rounds *rounds;
    struct graph_rounds *own_rounds;
    /* For a trace; the members about phases are not set here. */
    struct replay_options replay;
    struct trace_phases phases; /* for a trace, if a strategy is tried */
    const struct exec_options *exec;
    unsigned repeat; /* steps of job_repeat(); 0 for one */
    bool every_step; /* Simulate each step, even if the state repeats. */
    const struct job_plans *kept; /* borrowed; NULL if none are kept */
    bool cap_moved; /* Messages are split at another size than in `kept`. */
};

/* Loads the machine that the request names, with the values that the request
 * sets. The caller clears it. */
int job_machine(struct machine *m, const struct request *r,
                struct err *err) MUST_CHECK;
/* Returns the document of that machine, with the values that the request sets
 * (platform_json()); NULL and an error if it cannot be read. The caller frees
 * it. */
struct json *job_machine_json(const struct request *r, struct err *err);
/* Checks whether the names in the request, of its workload, candidates,
 * runtimes, partition and options, can be combined; it loads nothing. Returns
 * -1 if a name is not known, 1 if the workload does not take one of them (err
 * says which and why). */
int job_check_names(const struct request *r, struct err *err) MUST_CHECK;
/* Checks "mpi,lci"; NULL is accepted. */
int job_check_runtimes(const char *names, struct err *err) MUST_CHECK;
/* Loads all that the request names. Refuses a range of sizes (sweep.h), and
 * options that neither the workload nor any candidate uses. If it returns -1
 * there is nothing to clear. */
int job_load(struct job *j, const struct request *r,
             struct err *err) MUST_CHECK;
/* Does the same on a machine that is loaded already, which the job borrows: the
 * request's machine, and the values that it sets on it, are ignored. */
int job_load_on(struct job *j, const struct machine *m, const struct request *r,
                struct err *err) MUST_CHECK;
void job_clear(struct job *j);

/* Makes every run repeat the workload this many times, one step after the other
 * (loop.h). Returns -1 if the workload cannot be repeated. */
int job_repeat(struct job *j, unsigned steps, struct err *err) MUST_CHECK;

/* For a collective: returns the library's own choice, and the operation that
 * the job asks of all ranks. */
struct library_choice job_library_choice(const struct job *j);
struct collective job_collective(const struct job *j);

/* Returns the kept plan of a candidate; NULL if none is kept, or if its
 * strategy splits messages at a limit that has moved. */
const struct kept_plan *job_kept(const struct job *j, const struct choice *c);

/* Returns the plan of one candidate: made in *room, or the workload's own, or
 * one that is kept. The caller calls plan_clear(room) after its last use.
 * Returns NULL and an error if it cannot be made, and for a graph, because its
 * messages depend on simulated times. */
const struct plan *job_plan(struct plan *room, const struct job *j,
                            const struct choice *c, struct err *err) MUST_CHECK;

#endif
