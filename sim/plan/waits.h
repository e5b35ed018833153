/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waits.h - the waits of a plan's operations: a few for each operation, a
 * million in all, so each is chained to the one before it. */
#ifndef SIM_PLAN_WAITS_H
#define SIM_PLAN_WAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A wait that is over: the operation that ended it, by its end or because it
 * released the resource. */
struct op_wait {
    double over_s;
    uint64_t whom : 29; /* the bits of an operation's number: DEP_OP */
    uint64_t cause : 4; /* enum cause */
    /* The previous wait of the same operation, plus 1; 0 if this is its
     * first. */
    uint64_t before : 31;
};

/* The most waits of a plan, because `before` has 31 bits. */
#define WAITS_MOST ((UINT32_C(1) << 31) - 1)

struct op_waits {
    struct op_wait *list; /* waits of all operations, in order of time */
    uint32_t n, room;
    uint32_t most;  /* WAITS_MOST, but in a test */
    bool full;      /* there were more, which are not in the list */
    uint32_t *last; /* the last wait of each operation, plus 1; 0 if none */
};

/* Makes an empty list for `nops` operations. */
void waits_init(struct op_waits *w, size_t nops);
void waits_clear(struct op_waits *w);

/* Adds a wait of the operation and sets its `before`; if the list is full it
 * only sets `full`. */
void waits_add(struct op_waits *w, uint32_t op, struct op_wait wait);

/* Returns the operation's last wait that was over by then; NULL if there is
 * none. */
const struct op_wait *waits_until(const struct op_waits *w, uint32_t op,
                                  double then);

#endif
