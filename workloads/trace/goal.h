/* SPDX-License-Identifier: GPL-3.0-or-later */
/* goal.h - the block of one rank of a GOAL schedule, which is read as a whole
 * because its operations may require later ones. */
#ifndef WORKLOADS_TRACE_GOAL_H
#define WORKLOADS_TRACE_GOAL_H

#include "workloads/trace/scan.h"
#include "workloads/trace/trace.h"

/* A position in a schedule, from which goal_line() reads lines that are not
 * empty, without comments. */
struct goal_lines {
    const char *at, *end;
    uint64_t line; /* number of the last line */
    bool too_long; /* whether the last line is too long */
    /* These describe the next operation; `sluice export --goal` writes them as
     * comments. */
    bool in_gpu;
    /* Duration of a calc that is not a whole number of ns, else NAN. */
    double exact_s;
};

/* Reads the next line into *out. Returns 1 if there is one, 0 at the end, -1 if
 * it is wrong; goal_line_wrong() then returns the reason. */
int goal_line(struct goal_lines *l, struct scan *out);
const char *goal_line_wrong(const struct goal_lines *l);

struct goal_op {
    uint64_t size; /* bytes; ns for a calc */
    double exact_s;
    uint64_t line;
    uint32_t peer, tag;
    uint8_t call; /* enum trace_call */
    uint8_t cpu;
    bool in_gpu;
};

/* Operation `before` must have ended, or if `begun` must have begun, before
 * operation `op` begins. */
struct goal_edge {
    uint32_t op, before;
    bool begun;
};

struct goal_block {
    struct goal_op *ops;
    uint32_t nops;
    /* Sorted by op; those of one op are in the order of the file. */
    struct goal_edge *edges;
    uint32_t nedges;
    uint32_t *first; /* the edges of op begin at first[op]; nops + 1 of them */
    /* The operations in an order in which each comes after those that it
     * requires; NULL if the order of the file is such an order. */
    uint32_t *order;
};

/* Reads the lines from after "rank R {" to "}". Returns NULL after an error;
 * the caller frees the block. */
struct goal_block *goal_block_read(const struct trace *t, uint32_t rank,
                                   const char *begin, const char *end,
                                   uint64_t line, struct err *err);
/* Finds b->order. Returns -1 if operations require each other in a circle. */
int goal_block_order(const struct trace *t, uint32_t rank, struct goal_block *b,
                     struct err *err);
void goal_block_free(struct goal_block *b);

#endif
