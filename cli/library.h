/* SPDX-License-Identifier: GPL-3.0-or-later */
/* library.h - the objects and errors that the files of libsluice share. */
#ifndef CLI_LIBRARY_H
#define CLI_LIBRARY_H

#include "cli/sluice.h"
#include "study/run/run.h"
#include "study/run/shapes.h"

struct sluice_machine {
    struct machine m;
    struct texts executions; /* --set execution.KEY=VALUE, each owned */
};

struct sluice_workload {
    struct job job;
    struct exec_options exec;
};

/* Copies an error to the caller, who may pass NULL. */
void library_tell(struct sluice_error *out, const struct err *err);
/* Fails because the caller passed NULL for a required argument. */
int library_lacks(const char *what, struct err *err);

#endif
