/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claims_shared.h - the times that the claims of Faraji and Afsahi 2018 are
 * about. */
#ifndef RESULTS_PAPERS_CLAIMS_SHARED_H
#define RESULTS_PAPERS_CLAIMS_SHARED_H

#include "results/papers/shared_study.h"

struct lab;
/* The lab's study, opened at the first call; NULL: it cannot be. */
struct shared_study *claim_shared(struct lab *lab, struct err *err);
/* A time of it; NAN: the simulation failed. */
double claim_shared_s(struct lab *lab, struct shared_case c, struct err *err);

#endif
