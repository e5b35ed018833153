/* SPDX-License-Identifier: GPL-3.0-or-later */
/* supersteps.h - bulk-synchronous execution of a traversal. */
#ifndef APPS_AGENTS_SUPERSTEPS_H
#define APPS_AGENTS_SUPERSTEPS_H

#include "base/err.h"

struct traversal;

/* Runs supersteps: all GPUs work, wait for each other, exchange, and begin the
 * next step together, until none has anything to do. */
int supersteps_run(struct traversal *t, struct err *err) MUST_CHECK;

#endif
