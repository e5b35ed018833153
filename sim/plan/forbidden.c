/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refuses plans whose receives need what a relaxed matching does without. */
#include "sim/plan/forbidden.h"

#include "sim/plan/report.h"
#include "sim/transport/matcher.h"

static int forbidden_receive(const struct plan *p, const struct machine *m,
                             uint32_t op, enum forbidden what, struct err *err)
{
    const struct matching *l = &m->matching;
    char text[96];

    op_describe(text, sizeof text, m, p, op);
    return fail(err,
                "%s: operation %u (%s): %s, which %s %s (matching.forbids: %s)",
                p->name, op, text,
                what == FORBID_ANY_SOURCE ? "a receive from any rank"
                                          : "a receive of any tag",
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
            return forbidden_receive(p, m, i, FORBID_ANY_SOURCE, err);
        if (forbids >> FORBID_ANY_TAG & 1 && p->match[i].tag == ANY_TAG)
            return forbidden_receive(p, m, i, FORBID_ANY_TAG, err);
    }
    return 0;
}
