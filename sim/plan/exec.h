/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec.h - runs a plan, or a loop of steps, in simulated time: protocols,
 * servers, shared links. */
#ifndef SIM_PLAN_EXEC_H
#define SIM_PLAN_EXEC_H

#include "sim/network/engine.h"
#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/loop.h"
#include "sim/plan/plan.h"
#include "sim/plan/waits.h"
#include "sim/transport/match_queues.h"
#include "sim/transport/cause.h"
#include "sim/transport/host_counts.h"

/* Options of a simulation. NULL stands everywhere for exec_defaults: the fluid
 * engine, ACCURACY_AUTO, 10^10 events (some hours). */
struct exec_options {
    enum engine_kind engine;
    /* The fluid engine's tolerance (fluid.h; 0: exact), or ACCURACY_AUTO:
     * exact, but AUTO_TOLERANCE if the plan has more than AUTO_EXACT messages
     * and copies (results/bench). */
    double accuracy;
    uint64_t max_events; /* more, and a simulation counts as endless */
    /* The routes inside the machine's nodes (node_routes.h), borrowed, for many
     * runs on one machine; NULL if each run is to find them. */
    const struct node_routes *node_routes;
    /* With details, the number of links reported, the most utilised first; 0
     * for all. */
    unsigned most_links;
    /* With details, the rates of links over time are kept in at most this many
     * bins, an even number (engine_keep_rates()); 0 if they are not kept. */
    unsigned rate_bins;
    /* Number of plans simulated at the same time, in threads; 0 for one. Each
     * needs as much memory as it would alone. */
    unsigned jobs;
    /* Simulates all operations of all steps of a loop, even if the state
     * repeats or operations are alike. */
    bool every_step;
};
#define ACCURACY_AUTO (-1.0)
#define AUTO_TOLERANCE 0.01
#define AUTO_EXACT 20000
extern const struct exec_options exec_defaults;
/* Sets the options from the words of --engine and --accuracy; NULL leaves the
 * value unchanged. */
int exec_options_read(struct exec_options *exec, const char *engine,
                      const char *accuracy, struct err *err) MUST_CHECK;

struct op_times {
    double ready_s; /* its dependencies were finished */
    double start_s; /* its first resource was free */
    double end_s;
};

#define NO_OP UINT32_MAX

/* The results that a run keeps, from little to much memory: each row keeps
 * those above it, too, so a run with times also collects and sorts the links.
 */
enum exec_keep {
    EXEC_MAKESPAN, /* the end of the last operation */
    EXEC_LINKS,    /* also the bytes of links */
    EXEC_TIMES,    /* also the times of each operation */
    /* Also the time at which its buffer could be reused. */
    EXEC_SENT,
    /* Also the waits of each operation. */
    EXEC_DETAILS,
    /* Also the lengths of queues, even if matching takes no time. */
    EXEC_QUEUES,
};

/* The steps of a loop; a plan is one step. */
struct exec_steps {
    /*
     * For repeated plans, if the state at the beginning of a step was that of
     * `period` steps before, period_s ago, first in step repeats_from: the
     * steps of whole periods were then skipped. The period is 0 if the state
     * was not seen to repeat, or if there was nothing to skip. If the loop has
     * several parts, this is the part of which most steps were skipped.
     */
    uint32_t steps, simulated; /* all steps, and the simulated ones */
    uint32_t period, repeats_from;
    double period_s;
    /* The operations of a step of the first part, and those of them that were
     * simulated, one of each class of those that are alike (fold.h). */
    size_t ops, simulated_ops;
    /* The most steps and operations that were under way at one time. */
    uint32_t most_steps;
    size_t most_ops;
};

struct exec_result {
    double time_s;   /* the end of the last operation */
    double accuracy; /* the tolerance that was used, 0 if exact */
    struct exec_steps steps;
    /* With EXEC_TIMES, otherwise NULL; by the operations' numbers in the plan
     * of all steps. */
    struct op_times *ops;
    /* With EXEC_SENT: the time at which the sender could reuse the buffer of a
     * message, or a copy returned to its rank; otherwise NULL. */
    double *sent_s;
    /* If the plan has sends and receives: the operation that each was matched
     * with. */
    uint32_t *partner;
    /* With EXEC_LINKS; otherwise empty. */
    struct link_use *links; /* links with traffic, most utilised first */
    size_t nlinks;
    size_t links_used; /* number of such links, reported or not */
    /* With EXEC_DETAILS; otherwise empty. */
    struct op_waits waits;
    struct link_rates rates; /* has no links if rates were not kept */
    struct solver_work work; /* work of the fluid engine */
    /* Counts of matching; NULL if none was matched. */
    struct match_counts *queues;
    size_t nqueues;
    bool counts_queues; /* EXEC_QUEUES */
    /* If the runtime has a communication thread, otherwise NULL: each rank's
     * counts, and the time to create its windows, before the plan begins. */
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
 * exec_result_clear() frees r; on an error there is nothing to free.
 */
int exec_plan(struct exec_result *r, const struct machine *m,
              const struct plan *p, const struct exec_options *o,
              enum exec_keep keep, struct err *err) MUST_CHECK;

/*
 * Simulates all steps of a loop, with the same result to the last digit as
 * exec_plan() of the unrolled plan, in the memory of the steps under way. If
 * operations are alike (fold.h), only one of each class is simulated: the
 * result is the same but for rounding, and for the order of messages that ask
 * for a NIC at the same time. With SimGrid, and for plans with sends and
 * receives of their own, it does unroll the plan. ACCURACY_AUTO counts the
 * messages of all steps if they turn, otherwise those of one step. It keeps
 * EXEC_TIMES at the most; then it simulates every step.
 */
int exec_loop(struct exec_result *r, const struct machine *m,
              const struct loop *l, const struct exec_options *o,
              enum exec_keep keep, struct err *err) MUST_CHECK;

/* Returns the options' engine, or that of exec_defaults. */
enum engine_kind exec_engine(const struct exec_options *o);
/* Returns the tolerance of a run of `flows` messages and copies; 0 with
 * SimGrid. */
double exec_accuracy(const struct exec_options *o, size_t flows);
/* Makes an engine of that kind for `nodes` nodes of the machine. */
struct engine *exec_engine_for(const struct machine *m,
                               const struct exec_options *o, unsigned nodes,
                               struct err *err) MUST_CHECK;
/* Gives the engine the options, and the accuracy that one of the above
 * returned. */
void exec_prepare(struct engine *e, const struct exec_options *o,
                  double accuracy);

/* One of many plans; measure() reduces its times to a number; NULL for the
 * makespan. */
struct timed_plan {
    const struct plan *plan;
    double (*measure)(const struct plan *p, const struct op_times *ops);
};

/*
 * Simulates many plans, one after the other on one machine, for one number
 * each; this is cheaper than exec_plan() for each. A number may differ from
 * exec_plan()'s by rounding, and by the order that rounding gives to
 * simultaneous events. The fluid engine runs o->jobs at a time; with SimGrid
 * they run one after the other, because its clock continues from one plan to
 * the next.
 */
int exec_times(double *times_s, const struct machine *m,
               const struct timed_plan *plans, size_t nplans,
               const struct exec_options *o, struct err *err) MUST_CHECK;

#endif
