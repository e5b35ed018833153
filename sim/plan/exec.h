/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec.h - runs a plan in simulated time: protocols, servers, shared links. */
#ifndef SIM_PLAN_EXEC_H
#define SIM_PLAN_EXEC_H

#include "sim/network/engine.h"
#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/plan.h"
#include "sim/plan/waits.h"
#include "sim/transport/match_queues.h"
#include "sim/transport/cause.h"
#include "sim/transport/host_counts.h"

/*
 * Options of a simulation. NULL stands everywhere for exec_defaults: the fluid
 * engine, ACCURACY_AUTO, 10^10 events (some hours).
 */
struct exec_options {
    enum engine_kind engine;
    /* The fluid engine's tolerance (fluid.h; 0: exact), or ACCURACY_AUTO:
     * exact, but AUTO_TOLERANCE for a plan of more than AUTO_EXACT messages
     * and copies (results/bench). */
    double accuracy;
    uint64_t max_events; /* more, and a simulation is taken for endless */
    /* The ways inside the machine's nodes (node_ways.h), borrowed, for many
     * runs on one machine; NULL: found anew for each. */
    const struct node_ways *ways;
    /* With details so many links are told of, the most utilised; 0: all. */
    unsigned most_links;
    /* With details, the rates of links over time are kept in at most so many
     * bins, an even number (engine_keep_rates()); 0: they are not. */
    unsigned rate_bins;
    /* So many of several plans are simulated at a time, in threads; 0: one.
     * Each takes as much memory as it would alone. */
    unsigned jobs;
};
#define ACCURACY_AUTO (-1.0)
#define AUTO_TOLERANCE 0.01
#define AUTO_EXACT 20000
extern const struct exec_options exec_defaults;
/* Sets the options from the words of --engine and --accuracy; NULL leaves the
 * value that is there. */
int exec_options_read(struct exec_options *exec, const char *engine,
                      const char *accuracy, struct err *err) MUST_CHECK;

struct op_times {
    double ready_s; /* its dependencies were finished */
    double start_s; /* its first resource was free */
    double end_s;
};

#define NO_OP UINT32_MAX

/* A run keeps results, from little to much memory. */
enum exec_keep {
    EXEC_MAKESPAN, /* when the last operation ended */
    EXEC_TIMES,    /* when each operation was */
    EXEC_SENT,     /* and when its buffer might be used again */
    /* The waits of each operation, and the bytes of links. */
    EXEC_DETAILS,
    /* And the lengths of queues also where matching takes no time. */
    EXEC_QUEUES,
};

struct exec_result {
    double time_s;        /* when the last operation ended */
    double accuracy;      /* the tolerance that was used, 0: exact */
    struct op_times *ops; /* EXEC_MAKESPAN: NULL */
    /* With EXEC_SENT: when the sender might use the buffer of a message again,
     * or a copy returned to its rank; else NULL. */
    double *sent_s;
    /* If the plan has sends and receives: the operation that each was matched
     * with. */
    uint32_t *partner;
    /* With EXEC_DETAILS; else none. */
    struct op_waits waits;
    struct link_use *links; /* that carried anything, most utilised first */
    size_t nlinks;
    size_t links_used;           /* how many there are, told of or not */
    struct link_rates rates;     /* of none: they were not kept */
    struct solver_work work;     /* of the fluid engine */
    struct match_counts *queues; /* of matching; NULL: nothing was matched */
    size_t nqueues;
    bool counts_queues; /* EXEC_QUEUES */
    /* With a runtime that has a communication thread, else NULL: each rank's
     * counts, and the time of creating its windows, before the plan begins. */
    struct host_counts *hosts;
    uint32_t nhosts;
    double windows_s;
};
void exec_result_clear(struct exec_result *r);

/*
 * Simulates the plan, which starts with every rank at time 0. It can be called
 * again and again, with other machines too, and, with the fluid engine, by
 * several threads at once; SimGrid runs in a child process each time. Equal
 * arguments give equal results, bit for bit, whatever is kept.
 */
int exec_plan(struct exec_result *r, const struct machine *m,
              const struct plan *p, const struct exec_options *o,
              enum exec_keep keep, struct err *err) MUST_CHECK;

/* The options' own, or those of exec_defaults. */
enum engine_kind exec_engine(const struct exec_options *o);
/* The tolerance that a run of this plan has, or of none (NULL); 0 with
 * SimGrid. */
double exec_accuracy(const struct exec_options *o, const struct plan *p);
/* The same of a run of so many messages and copies. */
double exec_accuracy_of(const struct exec_options *o, size_t flows);
/* Gives the engine the options for a run of this plan, or of none: exact then
 * unless a tolerance was chosen. */
void exec_settle(struct engine *e, const struct exec_options *o,
                 const struct plan *p);

/* One of many plans; measure makes a number of its times, NULL: the makespan.
 */
struct timed_plan {
    const struct plan *plan;
    double (*measure)(const struct plan *p, const struct op_times *ops);
};

/* Simulates many plans, one after the other on one machine, for one number
 * each: cheaper than exec_plan() for each. A number may differ from
 * exec_plan()'s by rounding, and by the order that rounding gives to things
 * that happen at once. The fluid engine takes o->jobs at a time; with SimGrid,
 * whose clock goes on from one plan to the next, they stay one after the
 * other. */
int exec_times(double *times_s, const struct machine *m,
               const struct timed_plan *plans, size_t nplans,
               const struct exec_options *o, struct err *err) MUST_CHECK;

#endif
