/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_run.h - simulates the points of a space that a database lacks, in a
 * child process. A point that ends the child, for want of memory, is reported
 * and skipped. */
#ifndef CLI_SWEEP_RUN_H
#define CLI_SWEEP_RUN_H

#include "study/explore/explore.h"

struct sweep_run {
    const struct space *space;
    const struct exec_options *exec;
    const char *how;      /* the database's words for exec */
    const char *database; /* its path */
    const char *lists;    /* names of lists to keep; NULL as in store_open() */
    const char *unkept;   /* its name if it is temporary; else NULL */
    unsigned part, parts; /* the part-th of `parts` parts of the points */
    unsigned jobs;
    bool retry;    /* points without a result are run again */
    bool progress; /* on standard error */
};

int sweep_carry_out(const struct sweep_run *r, struct err *err) MUST_CHECK;

#endif
