/* SPDX-License-Identifier: GPL-3.0-or-later */
/* waits.h - what the operations of a plan waited for: a few of them for each, a
 * million of them in all, so that each is chained to the one before it. */
#ifndef SIM_PLAN_WAITS_H
#define SIM_PLAN_WAITS_H

#include <stddef.h>
#include <stdint.h>

/* A wait that is over: which operation ended it, by its end or by giving the
 * resource back on its own way. */
struct op_wait {
    double over_s;
    uint64_t whom : 29;   /* an operation has no more bits: DEP_OP */
    uint64_t cause : 4;   /* enum cause */
    uint64_t before : 31; /* the same operation's, + 1; 0: this is its first */
};

struct op_waits {
    struct op_wait *list; /* of all operations, in order of time */
    uint32_t n, room;
    uint32_t *last; /* of each operation, + 1; 0: it has not waited */
};

/* None yet, of so many operations. */
void waits_init(struct op_waits *w, size_t nops);
void waits_clear(struct op_waits *w);

/* The operation has waited: `wait.before` is filled here. */
void waits_add(struct op_waits *w, uint32_t op, struct op_wait wait);

/* The operation's last wait that was over by then; NULL: none was. */
const struct op_wait *waits_until(const struct op_waits *w, uint32_t op,
                                  double then);

#endif
