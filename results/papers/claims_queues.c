/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims of Klenk et al. 2017 about applications, on the traces at hand: K17 to
 * K21. Only traces of the collection that the paper analysed count for or
 * against a claim; others are only noted. */
#include "results/papers/claim_lab.h"

#include "results/papers/claims_matching.h"
#include "results/papers/matching_study.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool of_paper(const struct queue_trace *t)
{
    return !strcmp(t->origin, "paper");
}

/* Returns whether the trace has sends or receives. */
static bool communicates(const struct queue_trace *t)
{
    return t->messages > 0 || t->receives > 0;
}

/* Returns text such as "AMG-27, 27 ranks", with the origin if that is not the
 * paper's collection. The caller frees it. */
static char *trace_text(const struct queue_trace *t)
{
    char *ranks = t->missing ? xasprintf("%u of %u ranks", t->n, t->ranks)
                             : xasprintf("%u ranks", t->ranks);
    char *text = xasprintf(
        "%s, %s%s%s%s", t->name, ranks,
        of_paper(t) ? "" : " (not of the paper: ", of_paper(t) ? "" : t->origin,
        of_paper(t) ? "" : ")");

    free(ranks);
    return text;
}

static const char *const absent =
    "MOCFE, NEKBONE, CNS, MultiGrid (EXACT), LULESH, CMC, AMR Boxlib, MiniAMR, "
    "Fill Boundary, MultiGrid (DF), MiniFE, SNAP, PARTISN: traces not at hand";

typedef bool trace_check(const struct queue_trace *t, char **text);

/* Checks each trace that communicates; with `whole` only those with all of
 * their ranks. */
static int check_traces(struct lab *lab, struct verdict *v, bool whole,
                        trace_check *check, struct err *err)
{
    struct matching_study *s = claim_matching(lab, err);

    if (!s)
        return -1;
    v->from = EVIDENCE_ANALYSIS;
    for (size_t i = 0; i < s->ntraces; i++) {
        const struct queue_trace *t = &s->traces[i];
        if (!communicates(t) || (whole && t->missing))
            continue;
        char *name = trace_text(t), *text = NULL;
        bool holds = check(t, &text);
        if (of_paper(t))
            verdict_part(v, holds, "%s: %s", name, text);
        else
            verdict_note(v, "%s: %s", name, text);
        free(name);
        free(text);
    }
    verdict_open(v, "%s", absent);
    return 0;
}

static bool check_wildcards(const struct queue_trace *t, char **text)
{
    bool wild = !strncmp(t->name, "MiniDFT", 7);

    *text = xasprintf("%.0f of %.0f receives of any source (wanted %s), %.0f "
                      "of any tag (wanted none)",
                      t->any_source, t->receives, wild ? "some" : "none",
                      t->any_tag);
    return t->any_tag <= 0 && (t->any_source > 0) == wild;
}

int claim_trace_wildcards(struct lab *lab, struct verdict *v, struct err *err)
{
    return check_traces(lab, v, false, check_wildcards, err);
}

static bool check_communicators(const struct queue_trace *t, char **text)
{
    bool many = !strncmp(t->name, "MiniDFT", 7);

    *text = xasprintf("%u communicators with messages (wanted %s)",
                      t->communicators, many ? "about 7" : "1");
    return many ? t->communicators >= 4 && t->communicators <= 14
                : t->communicators == 1;
}

int claim_trace_communicators(struct lab *lab, struct verdict *v,
                              struct err *err)
{
    return check_traces(lab, v, false, check_communicators, err);
}

static bool check_peers(const struct queue_trace *t, char **text)
{
    *text = xasprintf("at most %u peers (wanted 10 to 30, of AMG at most 79)",
                      t->peers);
    return strncmp(t->name, "AMG", 3) ? t->peers >= 10 && t->peers <= 30
                                      : t->peers <= 79;
}

int claim_trace_peers(struct lab *lab, struct verdict *v, struct err *err)
{
    return check_traces(lab, v, true, check_peers, err);
}

static double mean_of(const double *values, unsigned n)
{
    double sum = 0;

    for (unsigned i = 0; i < n; i++)
        sum += values[i];
    return sum / n;
}

static bool check_lengths(const struct queue_trace *t, char **text)
{
    double umq = mean_of(t->umq, t->n), prq = mean_of(t->prq, t->n);

    *text = xasprintf("longest UMQ %.0f, mean of the ranks %.1f; PRQ %.0f, "
                      "%.1f (wanted below 512, and means alike within a "
                      "factor of 2)",
                      t->umq[t->n - 1], umq, t->prq[t->n - 1], prq);
    return t->umq[t->n - 1] < 512 && t->prq[t->n - 1] < 512 && umq <= 2 * prq &&
           prq <= 2 * umq;
}

int claim_trace_lengths(struct lab *lab, struct verdict *v, struct err *err)
{
    return check_traces(lab, v, true, check_lengths, err);
}

static bool check_tuples(const struct queue_trace *t, char **text)
{
    double median = matching_quantile(t->share, t->n, 0.5);

    *text =
        xasprintf("the most frequent source and tag has %.1f to %.1f %% of "
                  "a rank's messages, median %.1f (wanted below 10)",
                  100 * t->share[0], 100 * t->share[t->n - 1], 100 * median);
    return median < 0.1;
}

int claim_trace_tuples(struct lab *lab, struct verdict *v, struct err *err)
{
    return check_traces(lab, v, true, check_tuples, err);
}
