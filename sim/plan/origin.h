/* SPDX-License-Identifier: GPL-3.0-or-later */
/* origin.h - where the operations of a plan come from: lines or bytes of the
 * files that a trace's ranks are in, and what its planner has to say. */
#ifndef SIM_PLAN_ORIGIN_H
#define SIM_PLAN_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_PLACE UINT32_MAX

/* Operations that several ranks do together, a collective's: numbers from begin
 * to before end. Who takes part comes in with what its operations wait for that
 * is before begin. */
struct plan_together {
    uint32_t begin, end;
};

struct plan_origin {
    uint32_t ranks;
    char **file;       /* of each rank */
    bool lines;        /* places are lines, not bytes */
    uint32_t *rank_at; /* of each of the plan's: the trace's rank, or
                          UINT32_MAX; NULL: they are the same */
    uint32_t *place;   /* of each operation, in its rank's file; NO_PLACE */
    size_t nplaces, room;
    uint64_t events; /* that were read */
    bool cut_off;    /* ranks do not come to their end */
    bool graph;      /* ranks have no order of their own but dependencies */
    struct plan_together *together; /* in their order */
    size_t ntogether, together_room;
    /* What was left out, or taken for granted: a sentence each. */
    char **remarks;
    size_t nremarks;
};

struct plan_origin *plan_origin_new(uint32_t ranks);
void plan_origin_free(struct plan_origin *o);
/* All operations up to n that have no place yet have this one. */
void plan_origin_place(struct plan_origin *o, size_t n, uint64_t place);
void plan_origin_together(struct plan_origin *o, uint32_t begin, uint32_t end);
void plan_origin_remark(struct plan_origin *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The trace's rank that is the plan's. */
uint32_t plan_origin_rank(const struct plan_origin *o, uint32_t rank);
/* "FILE:LINE" or "FILE: byte N", the file without its folder, of an operation
 * of this rank of the plan; "" where nothing is known. */
void plan_origin_say(char *text, size_t room, const struct plan_origin *o,
                     size_t op, uint32_t rank);

#endif
