/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_run.h - simulates what a database lacks of a space, in a child process:
 * a point that ends it, for want of memory, is told and left behind. */
#ifndef CLI_SWEEP_RUN_H
#define CLI_SWEEP_RUN_H

#include "strategies/explore/explore.h"

struct sweep_run {
    const struct space *space;
    const struct exec_options *exec;
    const char *how;      /* what the database says of exec */
    const char *database; /* its path */
    const char *unkept; /* what it is called where it is not kept; else NULL */
    unsigned part, parts; /* of the points: the part-th of so many */
    unsigned jobs;
    bool retry;    /* points without a result once more */
    bool progress; /* on standard error */
};

int sweep_carry_out(const struct sweep_run *r, struct err *err) MUST_CHECK;

#endif
