/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exec.h - runs a plan in simulated time: protocols, servers, shared links. */
#ifndef SIM_PLAN_EXEC_H
#define SIM_PLAN_EXEC_H

#include "sim/network/engine.h"
#include "base/err.h"
#include "platforms/machine.h"
#include "sim/plan/plan.h"

/* What an operation waits for. */
enum cause {
    CAUSE_NONE, /* nothing: it can start at once */
    CAUSE_DEPENDENCY,
    CAUSE_CPU,    /* a rank's CPU was busy with another operation */
    CAUSE_ENGINE, /* a GPU's copy engine was */
    CAUSE_NIC,    /* a NIC sent as many messages as it can at once */
    CAUSE_MATCH,  /* a receive: its message; a message: its receive */
};
extern const char *const cause_names[];

/* A wait that is over: which operation ended it, by its end or by giving the
 * resource back on its own way. */
struct op_wait {
    double over_s;
    uint32_t whom;
    uint8_t cause; /* enum cause */
};
/* A message's: dependencies, the sender's CPU, its receive, the NIC, the
 * receiver's CPU. */
#define MAX_WAITS 5

struct op_times {
    double ready_s; /* its dependencies were finished */
    double start_s; /* its first resource was free */
    double end_s;
};

struct op_waits {
    struct op_wait list[MAX_WAITS]; /* in order of time */
    uint8_t n;
};
#define NO_OP UINT32_MAX

struct exec_result {
    double time_s;   /* when the last operation ended */
    double accuracy; /* the tolerance that was used, 0: exact */
    struct op_times *ops;
    /* Of plans with sends and receives: who was matched with whom. */
    uint32_t *partner;
    /* With details; else NULL and none. */
    struct op_waits *waits; /* of each operation */
    struct link_use *links; /* that carried anything, most utilised first */
    size_t nlinks;
};
void exec_result_clear(struct exec_result *r);

/*
 * Simulates the plan, which starts with every rank at time 0. The engine's
 * process-wide state stays in a child process, so this can be called again and
 * again, with other machines too. Equal arguments give equal results, bit for
 * bit. Details: what each operation waited for, and what the links carried.
 */
int exec_plan(struct exec_result *r, const struct machine *m,
              const struct plan *p, bool details, struct err *err) MUST_CHECK;

/* The engine of all simulations from now on: chosen once, when a program
 * begins. */
void exec_use_engine(enum engine_kind kind);
enum engine_kind exec_engine(void);
/*
 * The fluid engine's tolerance (fluid.h; 0: exact). Until one is chosen, and
 * with ACCURACY_AUTO: exact, but AUTO_TOLERANCE for a plan of more than
 * AUTO_EXACT messages and copies (results/bench).
 */
#define ACCURACY_AUTO (-1.0)
#define AUTO_TOLERANCE 0.01
#define AUTO_EXACT 20000
void exec_use_accuracy(double tolerance);
/* What a run of this plan has; 0 with SimGrid. */
double exec_accuracy(const struct plan *p);
/* An engine for a run of this plan, or of none: exact then unless a tolerance
 * was chosen. */
void exec_settle(struct engine *e, const struct plan *p);
/* How many events a simulation may have before it is taken for one that never
 * ends: 10^10 until chosen, some hours. */
void exec_use_max_events(uint64_t most);

/* One of many plans; measure makes a number of its times, NULL: the makespan.
 */
struct timed_plan {
    const struct plan *plan;
    double (*measure)(const struct plan *p, const struct op_times *ops);
};

/* One number each of many plans, one after the other on one machine: cheaper
 * than exec_plan() for each. A number may differ from exec_plan()'s by
 * rounding, and by what rounding decides where things happen at once. */
int exec_times(double *times_s, const struct machine *m,
               const struct timed_plan *plans, size_t nplans,
               struct err *err) MUST_CHECK;

#endif
