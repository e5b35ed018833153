/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of workloads, and the functions that find one by its words. */
#include "workloads/workload.h"
#include "base/known.h"

#include <stdlib.h>
#include <string.h>

#define WORKLOAD(x) &x##_workload,
const struct workload *const workloads[] = {
#include "workloads/list.def"
};
#undef WORKLOAD
enum { NWORKLOADS = sizeof workloads / sizeof workloads[0] };
const size_t nworkloads = NWORKLOADS;

static const struct workload *unknown(const char *words, struct err *err)
{
    const char *names[NWORKLOADS];
    const char *colon = strchr(words, ':');
    char *kind = xstrdup(words);

    for (size_t i = 0; i < NWORKLOADS; i++)
        names[i] = workloads[i]->prefix;
    if (colon)
        kind[colon - words + 1] = '\0';
    char *hint = known_hint(kind, names, NWORKLOADS, "sluice list workloads");
    err_set(err, ERR_INPUT, __FILE__, __LINE__, "%s: unknown workload%s", words,
            hint);
    free(kind);
    free(hint);
    return NULL;
}

/* Returns whether the words are of a workload. The prefix of a collective may
 * end in a key, which may then be anywhere in the words. */
static bool workload_matches(const struct workload *w, const char *words)
{
    size_t length = strlen(w->prefix), kind = strcspn(w->prefix, ":") + 1;

    if (!strncmp(words, w->prefix, length))
        return true;
    if (!w->collective || length == kind || strncmp(words, w->prefix, kind))
        return false;
    for (const char *at = words; (at = strchr(at, ',')); at++)
        if (!strncmp(at + 1, w->prefix + kind, length - kind))
            return true;
    return false;
}

const struct workload *workload_find(const char *words, struct err *err)
{
    const struct workload *best = NULL;

    for (size_t i = 0; i < nworkloads; i++) {
        const char *prefix = workloads[i]->prefix;
        if (workload_matches(workloads[i], words) &&
            (!best || strlen(prefix) > strlen(best->prefix)))
            best = workloads[i];
    }
    return best ? best : unknown(words, err);
}

enum shape workload_shape(const struct workload *w)
{
    return w->matrix || w->traffic  ? SHAPE_HALO
           : w->collective          ? SHAPE_COLLECTIVE
           : w->trace               ? SHAPE_TRACE
           : w->messages || w->loop ? SHAPE_PLAN
                                    : SHAPE_GRAPH;
}

int matrix_from_workload(struct matrix *m, const char *words, struct err *err)
{
    const struct workload *w = workload_find(words, err);

    if (!w)
        return -1;
    if (!w->matrix)
        return fail(err,
                    "%s: no matrix: expected spmv:, stencil:, random: or "
                    "surrogate:",
                    words);
    if (w->matrix(m, words + strlen(w->prefix), err) < 0)
        return -1;
    if (!m->name)
        m->name = xstrdup(words);
    return 0;
}
