/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claims.h - the claims of the papers, each as an experiment that can fail. */
#ifndef RESULTS_PAPERS_CLAIMS_H
#define RESULTS_PAPERS_CLAIMS_H

#include "base/err.h"

#include <stddef.h>

/* NOT_RUN: cells that it needs have not been simulated at full size. */
enum claim_status {
    REPRODUCED,
    NOT_REPRODUCED,
    NOT_RUN,
    NOT_TESTABLE,
    NSTATUSES
};
extern const char *const claim_status_names[NSTATUSES];

/*
 * What a line of evidence rests on. INPUT: numbers that a platform was given
 * are read back. FITTED: they were fitted to what the claim tells. MODEL: the
 * claim is about the paper's closed forms, which are evaluated. PREDICTED: a
 * simulation, or a law of the simulator, of what nothing was fitted to.
 * ANALYSIS: measurements or traces are counted, without a model. CONSTRUCTION:
 * it follows from how the simulator is built and says nothing of its numbers.
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

/* Lines that hold or fail, and those that hold. */
struct claim_lines {
    unsigned lines, held;
};

struct claim_result {
    const char *id;
    char *text; /* the claim, of results/claims/ */
    enum claim_status status;
    unsigned parts, held; /* what was tested, and what of it holds */
    struct claim_lines of[NEVIDENCES];
    char *evidence; /* lines: what was run, the numbers, what they say */
};

struct claim_request {
    const char *const *ids; /* of claims, or names of papers; none: all */
    size_t nids;
    const char *const *sets; /* changes of the machines (see platform_load) */
    size_t nsets;
    /* A file of sluice study; where no claim of Chen et al. is wanted, one of
     * results/lci/make.sh; NULL: the project's own. */
    const char *cells;
};

/*
 * Checks claims in the order of their table; the caller frees. Equal arguments
 * give equal results. Fails on an unknown id and where an experiment cannot be
 * run.
 */
int claims_check(struct claim_result **results, size_t *n,
                 const struct claim_request *request,
                 struct err *err) MUST_CHECK;
/* The i-th id of the table; NULL after the last. */
const char *claims_id(size_t i);
void claims_free(struct claim_result *results, size_t n);

#endif
