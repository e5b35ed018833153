/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claims_matching.h - the study that the claims of Klenk et al. 2017 share. */
#ifndef RESULTS_PAPERS_CLAIMS_MATCHING_H
#define RESULTS_PAPERS_CLAIMS_MATCHING_H

#include "results/papers/claim_lab.h"

/* Returns the lab's study, opened at the first call; NULL with err if that
 * fails. */
struct matching_study *claim_matching(struct lab *lab, struct err *err);

#endif
