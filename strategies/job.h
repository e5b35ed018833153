/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.h - what `run` and its like work on: a machine, a halo, strategies. */
#ifndef STRATEGIES_JOB_H
#define STRATEGIES_JOB_H

#include "base/opts.h"
#include "platforms/machine.h"
#include "sim/plan/exec.h"
#include "strategies/strategy.h"
#include "workloads/halo.h"

/* As the user says it; an experiment file says the same. */
struct job_request {
    const char *platform, *workload, *partition, *strategy;
    struct texts sets;
    unsigned gpus, nodes; /* 0: not said; at most one of them */
    uint64_t value_bytes; /* 0: not said */
    struct strategy_options options;
    const struct exec_options *exec; /* NULL: exec_defaults */
};

/* The same of graph algorithms (run_traverse.h). */
struct traverse_request {
    const char *source;
    char number[24];                    /* a source that a file says */
    double damping, threshold, edge_ns; /* NAN: not said */
};

struct job {
    struct machine machine;
    struct halo halo;
    char *workload, *partition;
    const struct strategy **strategies;
    size_t nstrategies;
    bool all; /* no strategy was named: all that the machine can do */
    struct strategy_options options;
    const struct exec_options *exec; /* the request's */
};

#define JOB_OPTIONS(r)                                                         \
    {"platform", OPT_TEXT, &(r).platform, "NAME",                              \
     "the machine: a name or a file (lassen)"},                                \
        {"workload", OPT_TEXT, &(r).workload, "W",                             \
         "spmv:FILE, stencil:9pt:2000x2000, ... (sluice list workloads)"},     \
        {"gpus", OPT_COUNT, &(r).gpus, "N", "GPUs to spread the rows over"},   \
        {"nodes", OPT_COUNT, &(r).nodes, "N",                                  \
         "or nodes, with all their GPUs (16)"},                                \
        {"partition", OPT_TEXT, &(r).partition, "HOW",                         \
         "contiguous or metis (contiguous)"},                                  \
        {"value-bytes", OPT_BYTES, &(r).value_bytes, "BYTES",                  \
         "of a value that is exchanged (8); 8 k: of k vectors at once"},       \
        {"strategy", OPT_TEXT, &(r).strategy, "S,...",                         \
         "only these (see sluice list strategies)"},                           \
        {"keep-duplicates", OPT_FLAG, &(r).options.keep_duplicates, NULL,      \
         "send a value once for each GPU that needs it"},                      \
        {"message-cap", OPT_BYTES, &(r).options.message_cap_B, "BYTES",        \
         "of the split strategies (the largest eager message)"},               \
        {"ranks-per-node", OPT_COUNT, &(r).options.ranks_per_node, "N",        \
         "CPU processes on a node (every core)"},                              \
    {                                                                          \
        "set", OPT_TEXTS, &(r).sets, "KEY=VALUE",                              \
            "override a platform value; may be given again"                    \
    }

/*
 * Reads EXPERIMENT.json into the requests where the command line says nothing;
 * *doc owns the texts: json_free() it after the job is done.
 */
struct json;
int job_read_experiment(struct job_request *r, struct traverse_request *t,
                        struct json **doc, const char *path,
                        struct err *err) MUST_CHECK;
/* As many GPUs as are asked for, by --gpus or --nodes, or those of so many
 * nodes. */
int job_count_gpus(unsigned *gpus, const struct machine *m,
                   const struct job_request *r, unsigned default_nodes,
                   struct err *err) MUST_CHECK;
int job_load(struct job *j, const struct job_request *r,
             struct err *err) MUST_CHECK;
void job_clear(struct job *j);

#endif
