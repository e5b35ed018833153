/* SPDX-License-Identifier: GPL-3.0-or-later */
/* jobs.h - independent tasks, several at a time in threads of this process,
 * with the same outcome as one after the other. */
#ifndef BASE_JOBS_H
#define BASE_JOBS_H

#include "base/err.h"

#include <stddef.h>

/* Returns the number of cores on which this process may run, at least 1. */
unsigned jobs_cores(void);

/* Runs task i. Calls that run at the same time have different workers, from 0
 * on. Shared data must be constant, and each call writes to a place of its own,
 * or of its worker. */
typedef int jobs_work(void *arg, unsigned worker, size_t i, struct err *err);

/*
 * Calls `work` for every i below n, at most `most` at a time (0 counts as 1),
 * in the order of i. No more tasks begin once one has failed; it then returns
 * -1 and the error of the lowest i that failed. This is the same for any
 * `most`, because all tasks below it have begun. If threads cannot be created,
 * there are fewer workers.
 */
int jobs_run(size_t n, unsigned most, jobs_work *work, void *arg,
             struct err *err) MUST_CHECK;

#endif
