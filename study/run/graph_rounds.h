/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_rounds.h - a graph algorithm in rounds on the hosts of clusters: it is
 * run once, and its rounds are simulated on every platform under every
 * runtime. */
#ifndef STRATEGIES_ROUNDS_GRAPH_ROUNDS_H
#define STRATEGIES_ROUNDS_GRAPH_ROUNDS_H

#include "apps/rounds/analytics.h"
#include "apps/rounds/round_plan.h"
#include "sim/transport/host_counts.h"
#include "study/run/request.h"
#include "study/run/run.h"

/* The use of each host under a runtime with a communication thread, over all
 * rounds. */
struct host_use {
    /* The most bytes in buffers of messages under way, in any round. */
    double most_B;
    double reserved_B; /* bytes of packets, windows */
    uint64_t retries;  /* attempts that found no packet or buffer */
    double waited_s;   /* seconds of waits for them */
    double comm_s;     /* seconds its communication thread was busy */
};

/* The sum of all rounds of one runtime on one platform. */
struct rounds_time {
    double time_s;
    double compute_s; /* busiest host of each round, summed up */
    double bytes;
    double windows_s; /* time to create windows, not in time_s */
    double *round_s, *round_compute_s; /* one per round */
    struct host_use *use;              /* NULL if the runtime has none */
    struct outcome *outcome;           /* NULL unless it is kept */
};

/* The results to keep beside times: the outcome of each cell, on the scaled
 * graph if one is asked for. */
struct rounds_keep {
    bool outcome;
    /* Operations of its timeline; 0 for none. If they are needed, it is an
     * error if all rounds have too many to keep. */
    unsigned timeline_ops;
    bool needs_ops;
    const char *timeline; /* a file to write, of one cell; NULL for none */
};

struct rounds_cell {
    const struct machine *machine;
    enum runtime runtime;
    struct round_costs costs; /* counts as in the run */
    struct err *why;          /* the reason why it cannot run; NULL if it did */
    struct rounds_time as_run;
    struct rounds_time scaled; /* round_s is NULL if not asked for */
};

struct graph_rounds {
    const struct workload *workload;
    const struct analytics *algorithm;
    char *words;        /* as the user wrote them */
    char *plain_words;  /* the same without options (own_words.h) */
    struct graph graph; /* its own, or that of `like` */
    const struct graph_rounds *like; /* lender of the graph; NULL if its own */
    struct hosts hosts;
    uint32_t *weight; /* one per arc; NULL if not asked for, or given */
    struct analytics_input in;
    struct analytics_result result;
    /* Real time to divide the graph and to run the algorithm, and to
     * simulate. */
    double run_wall_s, simulate_wall_s;
    unsigned threads;       /* per host; 0 for one on each core */
    const char *exhaustion; /* the request's; NULL to use the platform's */
    /* Factors of bytes and labels, and of arcs, in `scaled` relative to the
     * run; 0 if not asked for. The rounds are those of the run. */
    double vertices_x, arcs_x;
    const struct exec_options *exec; /* that of graph_rounds_run() */
    struct rounds_keep keep; /* the caller sets it after graph_rounds_load() */
    struct machine *machines;
    size_t nmachines;
    /* Ordered by platform, then runtime, as they are named. */
    struct rounds_cell *cells;
    size_t ncells;
};

/* Returns whether the request is for hosts: a graph algorithm with
 * --runtime. */
bool graph_rounds_asked(const struct request *r);
/* Checks the names of such a request, as job_check_names() does. */
int graph_rounds_check_names(const struct request *r,
                             struct err *err) MUST_CHECK;
/* Loads and divides the graph, and runs the algorithm. If it returns -1 there
 * is nothing to clear. */
int graph_rounds_load(struct graph_rounds *g, const struct request *r,
                      struct err *err) MUST_CHECK;
/* Does the same for a request that differs only in its partition: it borrows
 * the graph of `like`, which must outlive it. */
int graph_rounds_load_like(struct graph_rounds *g,
                           const struct graph_rounds *like,
                           const struct request *r, struct err *err) MUST_CHECK;
/* The machine of a request that names none. */
extern const char *const graph_rounds_platform;
/* Simulates the rounds; fails if no cell can run. */
int graph_rounds_run(struct graph_rounds *g, const struct exec_options *exec,
                     struct err *err) MUST_CHECK;
/* Returns the time of one cell's runtime on another machine, as
 * graph_rounds_run() would there; for the scaled graph, if one is asked for.
 * Returns 1 if the machine cannot run it (err has the reason), in which case
 * there is nothing to clear. */
int graph_rounds_time(struct rounds_time *t, const struct graph_rounds *g,
                      size_t cell, const struct machine *m,
                      const struct exec_options *exec,
                      struct err *err) MUST_CHECK;
/* Sets the options of the request for hosts, which override the machine's
 * file. */
void graph_rounds_settle(struct machine *m, const struct graph_rounds *g);
void graph_rounds_clear(struct graph_rounds *g);
void rounds_time_clear(struct rounds_time *t);

#endif
