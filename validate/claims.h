/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claims.h - the claims of the papers, each as an experiment that can fail. */
#ifndef VALIDATE_CLAIMS_H
#define VALIDATE_CLAIMS_H

#include "sim/err.h"

#include <stddef.h>

enum claim_status { REPRODUCED, NOT_REPRODUCED, NOT_TESTABLE, NSTATUSES };
extern const char *const claim_status_names[NSTATUSES];

struct claim_result {
    const char *id;
    char *text; /* the claim, of results/claims/lockhart.csv */
    enum claim_status status;
    unsigned parts, held; /* what was tested, and what of it holds */
    char *evidence;       /* lines: what was run, the numbers, what they say */
};

/*
 * Checks the claims named by `ids`, all when nids is 0, in the order of their
 * table; the caller frees. `sets` changes the machines before (see
 * platform_load). Equal arguments give equal results. Fails on an unknown id
 * and where an experiment cannot be run.
 */
int claims_check(struct claim_result **results, size_t *n,
                 const char *const *ids, size_t nids, const char *const *sets,
                 size_t nsets, struct err *err) MUST_CHECK;
/* The i-th id of the table; NULL after the last. */
const char *claims_id(size_t i);
void claims_free(struct claim_result *results, size_t n);

#endif
