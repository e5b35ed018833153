/* SPDX-License-Identifier: GPL-3.0-or-later */
/* all_to_all.h - BenchPress' all_to_all_v and all_to_all: every GPU sends to
 * every GPU, itself included, in four ways. For a call of the MPI library stand
 * all its messages at once, from the own rank on; in GPU memory it copies to
 * the host and back. */
#ifndef VALIDATE_MEASURE_ALL_TO_ALL_H
#define VALIDATE_MEASURE_ALL_TO_ALL_H

#include "validate/measure/experiment.h"

/* So many operations follow each other in the plan. */
enum { ALL_TO_ALL_ROUNDS = 5 };

int all_to_all_plan(struct plan *p, const struct machine *m,
                    const struct experiment *x, struct err *err) MUST_CHECK;
/* The time of an operation, of several that follow each other. */
experiment_measure all_to_all_measure;

#endif
