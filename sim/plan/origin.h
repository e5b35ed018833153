/* SPDX-License-Identifier: GPL-3.0-or-later */
/* origin.h - the origin of a plan's operations: lines or bytes of the files of
 * a trace's ranks, and remarks of its planner. */
#ifndef SIM_PLAN_ORIGIN_H
#define SIM_PLAN_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_PLACE UINT32_MAX

/* Operations that several ranks do together, for a collective: numbers from
 * begin to before end. The ranks that take part enter it by dependencies on
 * operations before begin. */
struct plan_together {
    uint32_t begin, end;
};

struct plan_origin {
    uint32_t ranks;
    char **file; /* one per rank */
    bool lines;  /* places are lines, not bytes */
    /* The trace's rank for each rank of the plan, or UINT32_MAX; NULL if they
     * are the same. */
    uint32_t *rank_at;
    uint32_t *place; /* one per operation, in its rank's file; NO_PLACE */
    size_t nplaces, room;
    uint64_t events; /* events that were read */
    bool cut_off;    /* ranks do not reach their end */
    bool graph;      /* ranks have no order except dependencies */
    struct plan_together *together; /* in their order */
    size_t ntogether, together_room;
    /* Omissions and assumptions, one sentence each. */
    char **remarks;
    size_t nremarks;
};

struct plan_origin *plan_origin_new(uint32_t ranks);
void plan_origin_free(struct plan_origin *o);
/* Sets the place of all operations up to n that have none yet. */
void plan_origin_place(struct plan_origin *o, size_t n, uint64_t place);
void plan_origin_together(struct plan_origin *o, uint32_t begin, uint32_t end);
void plan_origin_remark(struct plan_origin *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns the rank of the trace for a rank of the plan. */
uint32_t plan_origin_rank(const struct plan_origin *o, uint32_t rank);
/* Writes the place of an operation of this rank of the plan as "FILE:LINE" or
 * "FILE: byte N", the file without its folder; "" if it is not known. */
void plan_origin_say(char *text, size_t room, const struct plan_origin *o,
                     size_t op, uint32_t rank);

#endif
