/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_loop.h - one way of a job that is done in steps: a plan that is repeated,
 * or a workload of regular steps. */
#ifndef STRATEGIES_RUN_RUN_LOOP_H
#define STRATEGIES_RUN_RUN_LOOP_H

#include "strategies/run/run.h"

/* 1: the machine cannot do it (err says why). RUN_LOOP_PLANNED: it is to be
 * planned; nothing was done. */
enum { RUN_LOOP_PLANNED = 2 };
int run_loop(struct outcome *o, const struct job *j, const struct choice *c,
             const struct run_options *options, struct err *err) MUST_CHECK;

#endif
