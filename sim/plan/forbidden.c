/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refuses plans whose receives need a guarantee that a relaxed matching
 * drops. */
#include "sim/plan/forbidden.h"

#include "sim/plan/describe.h"
#include "sim/transport/matcher.h"

#include <stdio.h>

/* Fails with the operation, the rule that it breaks and the matching that
 * forbids it. */
static int forbidden_op(const struct plan *p, const struct machine *m,
                        uint32_t op, enum forbidden what, const char *does,
                        struct err *err)
{
    const struct matching *l = &m->matching;
    char text[256];

    op_describe(text, sizeof text, m, p, op);
    return fail(err,
                "rank %u: operation %u (%s): %s, which %s %s "
                "(matching.forbids: %s)",
                p->ops[op].dst, op, text, does,
                l->name ? l->name : matcher_names[l->engine],
                l->forbids >> what & 1 ? "forbids" : "cannot match",
                forbidden_names[what]);
}

int forbidden_wildcards(const struct plan *p, const struct machine *m,
                        struct err *err)
{
    const struct match_engine *engine = matchers[m->matching.engine];
    unsigned forbids = m->matching.forbids | (engine ? engine->forbids : 0);

    if (!(forbids & (1u << FORBID_ANY_SOURCE | 1u << FORBID_ANY_TAG)))
        return 0;
    for (uint32_t i = 0; i < p->nops; i++) {
        if (!op_matches(p->ops[i].kind))
            continue;
        if (forbids >> FORBID_ANY_SOURCE & 1 && p->match[i].peer == ANY_RANK)
            return forbidden_op(p, m, i, FORBID_ANY_SOURCE,
                                "a receive from any rank", err);
        if (forbids >> FORBID_ANY_TAG & 1 && p->match[i].tag == ANY_TAG)
            return forbidden_op(p, m, i, FORBID_ANY_TAG, "a receive of any tag",
                                err);
    }
    return 0;
}

int forbidden_in_run(const struct plan *p, const struct machine *m,
                     struct match_broken broken, struct err *err)
{
    char does[320], other[256];

    if (!broken.is_broken)
        return 0;
    if (broken.rule == FORBID_UNEXPECTED)
        return forbidden_op(p, m, broken.op, broken.rule,
                            "it comes before its receive is posted", err);
    op_describe(other, sizeof other, m, p, broken.other);
    snprintf(does, sizeof does, "operation %u (%s) like it is under way",
             broken.other, other);
    return forbidden_op(p, m, broken.op, broken.rule, does, err);
}
