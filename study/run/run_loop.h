/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run_loop.h - a candidate that runs in steps: a plan that is repeated, a
 * workload of regular steps, or a long collective in steps that are alike. */
#ifndef STUDY_RUN_RUN_LOOP_H
#define STUDY_RUN_RUN_LOOP_H

#include "study/run/run.h"

struct run_steps {
    /* The workload's, a kept one, `room` or `under`; NULL if it does not run in
     * steps. */
    const struct loop *loop;
    struct loop room;
    /* A loop under another runtime; borrows its operations. */
    struct loop under;
    bool rounded; /* as set by collective_loop() */
    double wall_s;
};

/* Makes the steps, and says in s->loop whether there are any. Returns 1 if the
 * machine cannot do it (err says why). The caller calls run_steps_clear(). */
int run_steps_make(struct run_steps *s, const struct job *j,
                   const struct choice *c, const struct run_options *options,
                   struct err *err) MUST_CHECK;
void run_steps_clear(struct run_steps *s);

int run_loop(struct outcome *o, const struct job *j, const struct run_steps *s,
             struct err *err) MUST_CHECK;

#endif
