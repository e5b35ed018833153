/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refuses plans that neither GOAL nor a time-independent trace can express. */
#include "sim/export/export.h"
#include "sim/plan/plan_check.h"

/* Returns the part of an operation that would be lost, NULL if there is
 * none. */
static const char *lost_part(const struct op *o)
{
    if (o->kind == OP_SEND && o->synced)
        return "a send that is complete only when it is received";
    if (o->kind == OP_PROBE)
        return "a probe";
    return NULL;
}

int export_check(const struct plan *p, const char *format, struct err *err)
{
    if (p->runtime != RUNTIME_MPI)
        return fail(err, "%s: messages of %s, which %s cannot say", p->name,
                    runtime_words[p->runtime], format);
    for (size_t i = 0; i < p->nops; i++) {
        const char *lost = lost_part(&p->ops[i]);
        if (lost)
            return fail(err, "%s: operation %zu: %s cannot say %s", p->name, i,
                        format, lost);
    }
    return plan_check_ranks(p, err);
}
