/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_execution.h - the executions of graph algorithms on real GPUs, each
 * a table of functions in a file of its own. */
#ifndef VALIDATE_NATIVE_CUDA_TRAVERSE_EXECUTION_H
#define VALIDATE_NATIVE_CUDA_TRAVERSE_EXECUTION_H

#include "validate/native/cuda/traverse_team.h"

/* An algorithm's execution: a table of functions. */
struct traverse_execution {
    const char *name, *algorithm; /* algorithm: as of --workload */
    bool levels, deltas;          /* has rows per level; takes --delta */
    unsigned transfers;           /* a bit for each between GPUs */
    /* GPU memory beyond the graph's own. */
    uint64_t (*bytes)(const struct graph_share *share, unsigned gpus);
    /* Once for a case, by one thread, GPU after GPU. */
    int (*begin)(struct traverse_side *s, struct err *err);
    /* Before each run, not timed: the values and queues as they begin. All
     * sides' are done before the first run(). */
    void (*reset)(struct traverse_side *s);
    /* NULL or, when all have begun: what it needs of the other GPUs'. */
    void (*connect)(struct traverse_side *s);
    /* A run; its thread's part. */
    void (*run)(struct traverse_side *s);
    /* NULL or, not timed: its counts. */
    void (*collect)(struct traverse_side *s);
    void (*end)(struct traverse_side *s);
    /* The values of the own vertices, in GPU memory. */
    const uint32_t *(*values)(const struct traverse_side *s);
};

/* All, ended by NULL. */
extern const struct traverse_execution *const traverse_executions[];

#define EXECUTION(x) extern const struct traverse_execution x##_execution;
#include "validate/native/cuda/traverse_executions.def"
#undef EXECUTION

#endif
