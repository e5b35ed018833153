/* SPDX-License-Identifier: GPL-3.0-or-later */
/* claims_shared.h - the simulated times for the claims of Faraji and Afsahi
 * 2018. */
#ifndef RESULTS_PAPERS_CLAIMS_SHARED_H
#define RESULTS_PAPERS_CLAIMS_SHARED_H

#include "results/papers/shared_study.h"

struct lab;
/* Returns the lab's study, opened at the first call; NULL with err if that
 * fails. */
struct shared_study *claim_shared(struct lab *lab, struct err *err);
/* Returns the time of a case; NAN with err if the simulation failed. */
double claim_shared_s(struct lab *lab, struct shared_case c, struct err *err);

#endif
