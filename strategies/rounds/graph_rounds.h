/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_rounds.h - a graph algorithm in rounds on the hosts of clusters: it is
 * run once, and its rounds are simulated on every platform under every runtime.
 */
#ifndef STRATEGIES_ROUNDS_GRAPH_ROUNDS_H
#define STRATEGIES_ROUNDS_GRAPH_ROUNDS_H

#include "strategies/rounds/analytics.h"
#include "strategies/rounds/round_plan.h"
#include "sim/transport/host_counts.h"
#include "strategies/run/request.h"

/* Of each host under a runtime with a communication thread, in all rounds. */
struct host_use {
    double most_B;     /* of buffers of messages under way, in any round */
    double reserved_B; /* packets, windows */
    uint64_t retries;  /* that found no packet or buffer */
    double waited_s;   /* for them */
    double comm_s;     /* its communication thread was busy */
};

/* All rounds of one runtime on one platform. */
struct rounds_time {
    double time_s;
    double compute_s; /* of the busiest host in each round, added up */
    double bytes;
    double windows_s; /* the creation of windows, apart from time_s */
    double *round_s, *round_compute_s; /* of each round */
    struct host_use *use;              /* NULL: the runtime has none */
};

struct rounds_cell {
    const struct machine *machine;
    enum runtime runtime;
    struct round_costs costs; /* as counted */
    struct err *why;          /* it cannot be done; NULL: it was */
    struct rounds_time as_run;
    struct rounds_time scaled; /* round_s NULL: not asked for */
};

struct graph_rounds {
    const struct workload *workload;
    const struct analytics *algorithm;
    char *words;
    struct graph graph;              /* or of `like` */
    const struct graph_rounds *like; /* whose graph it is; NULL: its own */
    struct hosts hosts;
    uint32_t *weight; /* of its arcs; NULL: none are asked for, or given */
    struct analytics_input in;
    struct analytics_result result;
    /* What it took here: to divide the graph and to run, and to simulate. */
    double run_wall_s, simulate_wall_s;
    unsigned threads;       /* of a host; 0: one on each core */
    const char *exhaustion; /* the request's; NULL: the platform's */
    /* Bytes and labels, and arcs, are as many times those of the run in
     * `scaled`; 0: not asked for. The rounds are those of the run. */
    double vertices_x, arcs_x;
    struct machine *machines;
    size_t nmachines;
    struct rounds_cell
        *cells; /* by platform, then runtime, as they are named */
    size_t ncells;
};

/* Whether the request is for hosts: a graph algorithm with --runtime. */
bool graph_rounds_asked(const struct request *r);
/* Of such a request, as job_check_names(). */
int graph_rounds_check_names(const struct request *r,
                             struct err *err) MUST_CHECK;
/* Loads, divides and runs. -1: nothing is to be cleared. */
int graph_rounds_load(struct graph_rounds *g, const struct request *r,
                      struct err *err) MUST_CHECK;
/* The same request but for its partition: borrows the graph of `like`, which
 * outlives it. */
int graph_rounds_load_like(struct graph_rounds *g,
                           const struct graph_rounds *like,
                           const struct request *r, struct err *err) MUST_CHECK;
/* The machine that a request is for, where it names none. */
extern const char *const graph_rounds_platform;
/* Simulates; fails when no cell can be done. */
int graph_rounds_run(struct graph_rounds *g, const struct exec_options *exec,
                     struct err *err) MUST_CHECK;
/* The time of the runtime of one cell on another machine, which is what
 * graph_rounds_run() finds there; of the scaled graph, where one is asked for.
 * 1: the machine cannot do it (err says why), and there is nothing to clear. */
int graph_rounds_time(struct rounds_time *t, const struct graph_rounds *g,
                      size_t cell, const struct machine *m,
                      const struct exec_options *exec,
                      struct err *err) MUST_CHECK;
/* What the request says of hosts, whatever the machine's file does. */
void graph_rounds_settle(struct machine *m, const struct graph_rounds *g);
void graph_rounds_clear(struct graph_rounds *g);
void rounds_time_clear(struct rounds_time *t);

#endif
