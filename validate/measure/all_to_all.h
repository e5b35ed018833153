/* SPDX-License-Identifier: GPL-3.0-or-later */
/* all_to_all.h - BenchPress' all_to_all_v and all_to_all: every GPU sends to
 * every GPU, itself included, by one of four strategies. A call of the MPI
 * library is represented by all its messages at once, from the own rank on; in
 * GPU memory it copies to the host and back. */
#ifndef VALIDATE_MEASURE_ALL_TO_ALL_H
#define VALIDATE_MEASURE_ALL_TO_ALL_H

#include "validate/measure/experiment.h"

/* Operations that follow each other in the plan. */
enum { ALL_TO_ALL_ROUNDS = 5 };

int all_to_all_plan(struct plan *p, const struct machine *m,
                    const struct experiment *x, struct err *err) MUST_CHECK;
/* Returns the time of one operation, of several that follow each other. */
experiment_measure all_to_all_measure;

#endif
