/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claims.h - the claims of the papers, each as an experiment that can fail. */
#ifndef RESULTS_PAPERS_CLAIMS_H
#define RESULTS_PAPERS_CLAIMS_H

#include "base/err.h"
#include "base/json.h"

#include <stddef.h>

/* A claim is NOT_RUN if it needs cells that were not simulated at full size. */
enum claim_status {
    REPRODUCED,
    NOT_REPRODUCED,
    NOT_RUN,
    NOT_TESTABLE,
    NSTATUSES
};

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

struct claim_result {
    char *id, *text; /* the claim, from results/claims/ */
    enum claim_status status;
    /* Lines: the runs, their numbers, the conclusion. NULL if nothing is
     * simulated for the claim, because its evidence is in files; it is judged
     * by results/claims/claims.py, and has no status here. */
    char *evidence;
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

/* Reads all claims, none of them checked, in the order of the papers and their
 * files. The caller frees them by claims_free(). */
int claims_read(struct claim_result **claims, size_t *n,
                struct err *err) MUST_CHECK;
/*
 * Checks claims in that order. Equal arguments give equal results. Fails if an
 * id is unknown or an experiment cannot be run. The caller frees the results by
 * claims_free().
 */
int claims_check(struct claim_result **results, size_t *n,
                 const struct claim_request *request,
                 struct err *err) MUST_CHECK;
/* Checks claims and fills in the document that results/claims/claims.py reads:
 * the papers, the claims with their evidence, and the cells for those without.
 */
int claims_add_to(struct json *doc, const struct claim_request *request,
                  struct err *err) MUST_CHECK;
void claims_free(struct claim_result *results, size_t n);

#endif
