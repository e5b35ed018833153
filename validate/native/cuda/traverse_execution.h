/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_execution.h - the executions of graph algorithms on real GPUs, each
 * a table of functions in a file of its own. */
#ifndef VALIDATE_NATIVE_CUDA_TRAVERSE_EXECUTION_H
#define VALIDATE_NATIVE_CUDA_TRAVERSE_EXECUTION_H

#include "validate/native/cuda/traverse_group.h"

/* The execution of an algorithm: a table of functions. */
struct traverse_execution {
    const char *name, *algorithm; /* algorithm: as in --workload */
    bool levels, deltas;          /* it has rows per level; it takes --delta */
    unsigned transfers;           /* a bit for each transfer between GPUs */
    /* Returns the bytes of GPU memory beyond the graph's own. */
    uint64_t (*bytes)(const struct graph_share *share, unsigned gpus);
    /* Called once for a case, by one thread, GPU after GPU; allocates s->state
     * and sets s->values. */
    int (*begin)(struct traverse_side *s, struct err *err);
    /* Sets values and queues before each run; not timed. It is called for all
     * sides before the first run(). */
    void (*reset)(struct traverse_side *s);
    /* Called once all have begun, to find the memory of other GPUs; may be
     * NULL. */
    void (*connect)(struct traverse_side *s);
    /* Does a side's part of a run, in its thread. */
    void (*run)(struct traverse_side *s);
    /* Reads the counts; not timed; may be NULL. */
    void (*collect)(struct traverse_side *s);
    /* Frees what is neither state nor a piece; may be NULL. */
    void (*end)(struct traverse_side *s);
};

/* All executions, ended by NULL. */
extern const struct traverse_execution *const traverse_executions[];

#define EXECUTION(x) extern const struct traverse_execution x##_execution;
#include "validate/native/cuda/traverse_executions.def"
#undef EXECUTION

#endif
