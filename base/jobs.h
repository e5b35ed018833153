/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.h - pieces of work that do not depend on each other, several at a time
 * in threads of this process, with the outcome of one after the other. */
#ifndef BASE_JOBS_H
#define BASE_JOBS_H

#include "base/err.h"

#include <stddef.h>

/* The cores that this process may run on, at least 1. */
unsigned jobs_cores(void);

/* The i-th piece; calls that run at the same time have different workers, from
 * 0 on. What they share must be constant, and each writes to a place of its
 * own, or of its worker. */
typedef int jobs_work(void *arg, unsigned worker, size_t i, struct err *err);

/*
 * Calls `work` for every i below n, at most `most` at a time (0: as 1), begun
 * in the order of i. Once one failed no more are begun; -1 then, and the error
 * of the lowest i that failed: the same whatever `most` is, since all below it
 * have been begun. Where no thread can be had there are fewer workers.
 */
int jobs_run(size_t n, unsigned most, jobs_work *work, void *arg,
             struct err *err) MUST_CHECK;

#endif
