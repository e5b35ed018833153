/* SPDX-License-Identifier: GPL-3.0-or-later */
/* goal.h - a rank's block of a GOAL schedule, whole: its operations may require
 * some that stand behind them. */
#ifndef WORKLOADS_TRACE_GOAL_H
#define WORKLOADS_TRACE_GOAL_H

#include "workloads/trace/scan.h"
#include "workloads/trace/trace.h"

/* Lines that are not empty, without comments. */
struct goal_lines {
    const char *at, *end;
    uint64_t line; /* number of the last */
    bool too_long; /* it is */
    /* `sluice export --goal` says these of the next operation in comments. */
    bool in_gpu;
    double exact_s; /* of a calc: not a whole number of ns; else NAN */
};

/* The next line: 1, 0 at the end, -1 where goal_line_wrong() says why. */
int goal_line(struct goal_lines *l, struct scan *out);
const char *goal_line_wrong(const struct goal_lines *l);

struct goal_op {
    uint64_t size; /* bytes, or ns */
    double exact_s;
    uint64_t line;
    uint32_t peer, tag;
    uint8_t call; /* enum trace_call */
    uint8_t cpu;
    bool in_gpu;
};

/* `before` is to have ended, or begun, before `op` begins. */
struct goal_edge {
    uint32_t op, before;
    bool begun;
};

struct goal_block {
    struct goal_op *ops;
    uint32_t nops;
    struct goal_edge *edges; /* sorted by operation, otherwise as in the file */
    uint32_t nedges;
    uint32_t *first; /* edge of each operation; nops + 1 */
    uint32_t
        *order; /* each behind those that it requires; NULL: as they stand */
};

/* The lines from behind "rank R {" to "}". Returns NULL after an error. */
struct goal_block *goal_block_read(const struct trace *t, uint32_t rank,
                                   const char *begin, const char *end,
                                   uint64_t line, struct err *err);
/* Finds its order; -1: operations require each other in a circle. */
int goal_block_order(const struct trace *t, uint32_t rank, struct goal_block *b,
                     struct err *err);
void goal_block_free(struct goal_block *b);

#endif
