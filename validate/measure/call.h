/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call.h - calls of collectives: the plans, and functions that the rows of
 * several benchmarks share. */
#ifndef VALIDATE_MEASURE_CALL_H
#define VALIDATE_MEASURE_CALL_H

#include "validate/measure/measured_rows.h"

/* Returns the operation that the call requests. */
struct collective experiment_call(const struct experiment *x);

/* Makes the plan of one call, after a barrier. */
experiment_planner call_plan;
/* Makes the plan of call after call, without a barrier. */
experiment_planner call_loop_plan;
/* Makes such a plan of an operation, or of a phase of it (NULL for all), whose
 * ranks begin spread over spread_s. */
int call_loop(struct plan *p, const struct machine *m,
              const struct experiment *x, const struct collective_phase *phase,
              struct collective c, double spread_s, struct err *err) MUST_CHECK;
/* Returns the time of one call of such a plan. */
experiment_measure call_loop_measure;

/* Returns why the algorithm does not apply, or NULL. */
const char *call_refusal(const struct experiment *x);
/* Finds the algorithm that a library takes for the call. Returns 1 if sluice
 * has no plan of it. */
struct collective_library;
int call_by_library(struct row *r, struct experiment *x,
                    const struct collective_library *library,
                    enum collective_kind kind);
/* Sets the ranks of a node and all ranks. Returns 1 if the machine has not so
 * many cores, or GPUs. */
int call_gpu_ranks(struct row *r, struct experiment *x, unsigned per_node);
/* Names the point and its decision: the kind of call by a candidate `how`. */
void call_gpu_name(struct measured_point *out, const char *kind,
                   const char *how);

#endif
