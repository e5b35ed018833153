/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.h - a request made ready: machine, workload and the ways to carry it
 * out. What loads and plans is here; what simulates is in run.h, so that
 * programs without a simulator can link this. */
#ifndef STRATEGIES_RUN_JOB_H
#define STRATEGIES_RUN_JOB_H

#include "base/json.h"
#include "platforms/machine.h"
#include "sim/plan/loop.h"
#include "sim/plan/placement.h"
#include "strategies/agents/traverse.h"
#include "strategies/collective/libraries/library.h"
#include "strategies/replay/replay.h"
#include "strategies/run/request.h"
#include "workloads/load/load.h"

/* One way. Of a halo it is a strategy, of a graph an execution, of a collective
 * an algorithm, and messages that are given are what they are: then all are
 * NULL. */
struct choice {
    const char *name;
    const struct strategy *strategy;
    struct execution *execution;
    const struct collective_algorithm *algorithm;
    const char *untold;   /* of an algorithm: why no library of the machine can
                             be told to take it; NULL: one can */
    enum runtime runtime; /* that its messages are carried by */
    char *own_name;       /* "standard/lci": where one was named; NULL */
};

/* What is kept of a way (job_again.h): its plan, or the loop that it is done
 * in; without operations and steps: they are made each time. */
struct kept_plan {
    struct plan plan;
    struct loop loop;
    bool rounded; /* of the loop: run_steps */
};

/* One for each way of a job. */
struct job_plans {
    struct kept_plan *of;
    size_t n;
};

struct job {
    const struct machine *machine; /* the caller's, or own */
    struct machine own;
    struct placement placement; /* slot NULL: nothing is said */
    struct machine placed;      /* the machine by it, that borrows both */
    const struct workload *workload;
    char *words; /* the workload as it was written */
    struct load load;
    struct choice *choices;
    size_t nchoices;
    /* Of a collective: whose choice is looked at, and whether it is the one
     * that was asked for; all are run. */
    const struct collective_library *library;
    bool automatic;
    bool all;  /* none was named: those that the machine can do */
    bool told; /* and that its libraries can be told to take */
    struct strategy_options options;
    const char *no_packing;   /* why options.pack is not set: "--no-packing", or
                                 the key that the machine lacks; NULL: it is */
    enum algorithm algorithm; /* of a graph */
    double edge_s;            /* likewise: --edge-ns; 0: not given */
    struct replay_options
        replay;                 /* of a trace: but for how phases are brought */
    struct trace_phases phases; /* of a trace, where a strategy is tried */
    const struct exec_options *exec;
    unsigned repeat; /* job_repeat()'s; 0: once */
    bool every_step; /* simulate all of them, though the state repeats */
    const struct job_plans *kept; /* borrowed; NULL: none */
};

/* The machine that a request is for. */
int job_machine(struct machine *m, const struct request *r,
                struct err *err) MUST_CHECK;
/* Its document, with what the request sets (platform_json()). */
struct json *job_machine_json(const struct request *r, struct err *err);
/* Whether the names of the request, of its workload, ways, runtimes, partition
 * and options, can stand together; nothing is loaded. -1: a name is not known;
 * 1: the workload does not take what is said (err says what). */
int job_check_names(const struct request *r, struct err *err) MUST_CHECK;
/* "mpi,lci"; NULL: none. */
int job_check_runtimes(const char *names, struct err *err) MUST_CHECK;
/* Refuses a range of sizes (sweep.h), and options that neither the workload nor
 * any of the ways looks at. On -1 there is nothing to clear. */
int job_load(struct job *j, const struct request *r,
             struct err *err) MUST_CHECK;
/* The same on a machine that is loaded: that of the request, and what it sets
 * of it, is not looked at. The job borrows the machine. */
int job_load_on(struct job *j, const struct machine *m, const struct request *r,
                struct err *err) MUST_CHECK;
void job_clear(struct job *j);

/* From now on a run is this often done, one step after the other (loop.h). -1:
 * not for such a workload. */
int job_repeat(struct job *j, unsigned steps, struct err *err) MUST_CHECK;

/* What the job asks of all ranks, and what the library takes then: of a
 * collective. */
struct library_choice job_library_choice(const struct job *j);
struct collective job_collective(const struct job *j);

/* NULL: nothing is. */
const struct kept_plan *job_kept(const struct job *j, const struct choice *c);

/* The plan of one way: made in *room, or the workload's own, or one that is
 * kept; plan_clear(room)
 * after its last use. NULL and an error when it cannot be made, and for a
 * graph, whose messages depend on when. */
const struct plan *job_plan(struct plan *room, const struct job *j,
                            const struct choice *c, struct err *err) MUST_CHECK;

#endif
