/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the first and the last operations of each rank in a plan. */
#include "sim/plan/ends.h"

#include <stdlib.h>

/* The ends of an operation: for its sender, and for its receiver. */
enum { END_SENT = 1, END_THERE = 2 };

static bool has_two_ends(const struct op *o)
{
    return o->kind == OP_MSG;
}

/* Returns the END_ bits of each operation that have no successor on their rank;
 * the caller frees it. */
static uint8_t *last_ends(const struct plan *p, size_t from)
{
    uint8_t *last = xcalloc(p->nops - from, sizeof *last);

    for (size_t i = from; i < p->nops; i++) {
        const struct op *o = &p->ops[i];
        last[i - from] = has_two_ends(o) ? END_SENT | END_THERE : END_THERE;
        for (uint32_t d = plan_first_dep(p, i); d < plan_end_dep(p, i); d++) {
            uint32_t dep = p->deps[d], before = dep & DEP_OP;
            bool sent = dep & AFTER_SENT && has_two_ends(&p->ops[before]);
            if (before >= from && plan_waits_on(o, dep) == plan_ends_on(p, dep))
                last[before - from] &= (uint8_t) ~(sent ? END_SENT : END_THERE);
        }
    }
    return last;
}

struct rank_ends rank_ends_list(const struct plan *p, size_t from)
{
    uint32_t ranks = p->nodes * p->ranks_per_node;
    uint8_t *last = last_ends(p, from);
    struct rank_ends l = {xcalloc((size_t)ranks + 2, sizeof *l.first),
                          xcalloc(2 * (p->nops - from), sizeof *l.ends)};

    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = from; i < p->nops; i++)
            for (int e = END_SENT; e <= END_THERE; e++) {
                uint32_t dep =
                    e == END_SENT ? (uint32_t)i | AFTER_SENT : (uint32_t)i;
                uint32_t rank = plan_ends_on(p, dep);
                if (!(last[i - from] & e))
                    continue;
                if (pass)
                    l.ends[l.first[rank + 1]++] = dep;
                else
                    l.first[rank + 2]++;
            }
        for (uint32_t r = 0; !pass && r < ranks; r++)
            l.first[r + 2] += l.first[r + 1];
    }
    free(last);
    return l;
}

void rank_ends_clear(struct rank_ends *l)
{
    free(l->first);
    free(l->ends);
    *l = (struct rank_ends){0};
}

bool plan_is_held(const struct plan *p, size_t from, size_t op, bool receive)
{
    for (uint32_t d = plan_first_dep(p, op); d < plan_end_dep(p, op); d++) {
        uint32_t dep = p->deps[d];
        if ((dep & DEP_OP) >= from && !!(dep & FOR_RECEIVE) == receive &&
            plan_waits_on(&p->ops[op], dep) == plan_ends_on(p, dep))
            return true;
    }
    return false;
}
