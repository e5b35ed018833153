/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the runtimes that a request names, and makes a candidate of each
 * candidate under each of them. */
#include "study/run/job_parts.h"
#include "study/run/message_runtimes.h"
#include "study/run/shapes.h"

#include <stdlib.h>
#include <string.h>

const enum runtime message_runtimes[] = {
    RUNTIME_MPI, RUNTIME_LCI, RUNTIME_MPI_PROBE, RUNTIME_MPI_RMA, RUNTIME_PEER};
enum { KNOWN = sizeof message_runtimes / sizeof message_runtimes[0] };
const size_t nmessage_runtimes = KNOWN;

int job_runtime(enum runtime *by, const char *word, struct err *err)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (!strcmp(runtime_words[message_runtimes[i]], word)) {
            *by = message_runtimes[i];
            return 0;
        }
    return fail(err,
                "--runtime: expected mpi, lci, mpi-probe, mpi-rma or peer, got "
                "'%.40s'",
                word);
}

bool job_can_exhaust(enum runtime by)
{
    return by == RUNTIME_LCI || by == RUNTIME_MPI_PROBE;
}

/* Fails if none of the runtimes has packets or buffers that can be
 * exhausted. */
static int any_can_exhaust(const char *runtimes, struct err *err)
{
    char *list = xstrdup(runtimes), *rest = list;
    bool any = false;
    int result = 0;

    for (char *word; result == 0 && (word = strsep(&rest, ","));) {
        enum runtime by;
        result = job_runtime(&by, word, err);
        any |= result == 0 && job_can_exhaust(by);
    }
    free(list);
    if (result == 0 && !any)
        result = fail(err,
                      "--runtime-exhaustion: nothing of %s can be exhausted: "
                      "expected lci or mpi-probe among --runtime",
                      runtimes);
    return result;
}

int job_check_exhaustion(const struct request *r, struct err *err)
{
    if (!r->exhaustion)
        return 0;
    if (!r->runtime)
        return fail(err, "--runtime-exhaustion: only with --runtime");
    if (strcmp(r->exhaustion, "error") != 0 &&
        strcmp(r->exhaustion, "wait") != 0)
        return fail(err,
                    "--runtime-exhaustion: expected wait or error, got "
                    "'%.40s'",
                    r->exhaustion);
    return any_can_exhaust(r->runtime, err);
}

/* Repeats the candidates for each runtime: all under the first in their order,
 * then all under the next. */
static void job_spread(struct job *j, const enum runtime *by, size_t n)
{
    size_t candidates = j->nchoices;
    struct choice *all = xcalloc(candidates * n, sizeof *all);

    for (size_t r = 0; r < n; r++)
        for (size_t i = 0; i < candidates; i++) {
            struct choice *c = &all[r * candidates + i];
            *c = j->choices[i];
            c->runtime = by[r];
            c->name = runtime_words[by[r]];
            if (job_shape(j)->runtimes == RUNTIMES_ALONE)
                continue;
            c->own_name = xasprintf("%s/%s", j->choices[i].name, c->name);
            c->name = c->own_name;
        }
    free(j->choices);
    j->choices = all;
    j->nchoices = candidates * n;
}

int job_find_runtimes(struct job *j, const struct request *r, struct err *err)
{
    enum runtime by[KNOWN];
    size_t n = 0;
    int result = 0;

    if (job_check_exhaustion(r, err) < 0)
        return -1;
    if (!r->runtime || job_shape(j)->runtimes == NO_RUNTIMES)
        return 0;
    char *list = xstrdup(r->runtime), *rest = list;
    for (char *word; result == 0 && (word = strsep(&rest, ","));) {
        enum runtime one;
        result = job_runtime(&one, word, err);
        if (result == 0 && one == RUNTIME_PEER && job_shape(j)->on_hosts)
            result = fail(err, "--runtime: peer is of GPUs, not of hosts");
        for (size_t i = 0; i < n && result == 0; i++)
            if (by[i] == one)
                result = fail(err, "--runtime: %s is named twice", word);
        if (result < 0)
            break;
        by[n++] = one;
    }
    if (result == 0)
        job_spread(j, by, n);
    free(list);
    return result;
}
