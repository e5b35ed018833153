/* SPDX-License-Identifier: GPL-3.0-or-later */
/* all_to_all.h - BenchPress' all_to_all_v, isend_irecv: every GPU sends to
 * every GPU, itself included, in four ways. */
#ifndef VALIDATE_MEASURE_ALL_TO_ALL_H
#define VALIDATE_MEASURE_ALL_TO_ALL_H

#include "validate/measure/experiment.h"

int all_to_all_plan(struct plan *p, const struct machine *m,
                    const struct experiment *x, struct err *err) MUST_CHECK;
/* The time of an operation, of several that follow each other. */
experiment_measure all_to_all_measure;

#endif
