/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claims.h - the claims of the papers, each as an experiment that can fail. */
#ifndef RESULTS_PAPERS_CLAIMS_H
#define RESULTS_PAPERS_CLAIMS_H

#include "base/err.h"

#include <stddef.h>

/* A claim is NOT_RUN if it needs cells that were not simulated at full size. */
enum claim_status {
    REPRODUCED,
    NOT_REPRODUCED,
    NOT_RUN,
    NOT_TESTABLE,
    NSTATUSES
};
extern const char *const claim_status_names[NSTATUSES];

/*
 * The ground of a line of evidence. INPUT: it reads back numbers that a
 * platform was given. FITTED: numbers were fitted to the very cells of the
 * claim. MODEL: it evaluates the paper's closed forms, because the claim is
 * about them. PREDICTED: a simulation, or a law of the simulator, gives it, and
 * no number was fitted to it. ANALYSIS: it counts measurements or traces,
 * without a model. CONSTRUCTION: it follows from the construction of the
 * simulator, and so says nothing about its numbers.
 */
enum evidence {
    EVIDENCE_INPUT,
    EVIDENCE_FITTED,
    EVIDENCE_MODEL,
    EVIDENCE_PREDICTED,
    EVIDENCE_ANALYSIS,
    EVIDENCE_CONSTRUCTION,
    NEVIDENCES
};
extern const char *const evidence_names[NEVIDENCES];

/* Counts the lines that hold or fail, and those that hold. */
struct claim_lines {
    unsigned lines, held;
};

struct claim_result {
    const char *id;
    char *text; /* the claim, from results/claims/ */
    enum claim_status status;
    unsigned parts, held; /* number of parts, and of those that hold */
    struct claim_lines of[NEVIDENCES];
    char *evidence; /* lines: the runs, their numbers, the conclusion */
};

/* A paper: the letter with which its claims' ids begin, the word by which the
 * command takes it, its authors and year, and the file of its claims. */
struct claim_paper {
    char letter;
    const char *name, *title, *file;
};
enum { NCLAIM_PAPERS = 5 };
extern const struct claim_paper claim_papers[NCLAIM_PAPERS];

struct claim_request {
    const char *const *ids; /* ids of claims, or names of papers; all if none */
    size_t nids;
    const char *const *sets; /* changes of the machines (see platform_load) */
    size_t nsets;
    /* A file of sluice study or, if no claim of Chen et al. is asked for, of
     * results/lci/make.sh. NULL stands for the project's own files. */
    const char *cells;
};

/*
 * Checks claims in the order of their table. Equal arguments give equal
 * results. Fails if an id is unknown or an experiment cannot be run. The caller
 * frees the results by claims_free().
 */
int claims_check(struct claim_result **results, size_t *n,
                 const struct claim_request *request,
                 struct err *err) MUST_CHECK;
/* Returns the i-th id of the table; NULL after the last. */
const char *claims_id(size_t i);
void claims_free(struct claim_result *results, size_t n);

#endif
