/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_loop.h - one way of a job that is done in steps: a plan that is repeated,
 * a workload of regular steps, or a long collective in steps that are alike. */
#ifndef STRATEGIES_RUN_RUN_LOOP_H
#define STRATEGIES_RUN_RUN_LOOP_H

#include "strategies/run/run.h"

struct run_steps {
    const struct loop *loop; /* the workload's, or room; NULL: not in steps */
    struct loop room;
    struct loop under; /* one of them under another runtime, that borrows */
    bool rounded;      /* collective_loop()'s */
    double wall_s;
};

/* 1: the machine cannot do it (err says why). */
int run_steps_make(struct run_steps *s, const struct job *j,
                   const struct choice *c, const struct run_options *options,
                   struct err *err) MUST_CHECK;
void run_steps_clear(struct run_steps *s);

int run_loop(struct outcome *o, const struct job *j, const struct run_steps *s,
             struct err *err) MUST_CHECK;

#endif
