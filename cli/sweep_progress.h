/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_progress.h - reports the progress of a sweep on standard error. */
#ifndef CLI_SWEEP_PROGRESS_H
#define CLI_SWEEP_PROGRESS_H

#include "cli/progress.h"
#include "study/explore/explore.h"

struct sweep_progress {
    struct progress points; /* points to do, and done */
    size_t runs, failed;
    bool unkept;    /* the database is temporary */
    uint64_t first; /* the first point that failed */
    char *why;      /* its error; NULL if none failed, or it is printed */
};

/* Begins the report; `there` is the number of points that the database already
 * has. */
void sweep_progress_init(struct sweep_progress *p, const char *name,
                         size_t todo, size_t there, bool asked);
/* Adds a point that is done, with all its runs. */
void sweep_progress_add(struct sweep_progress *p,
                        const struct point_runs *runs);
/* sweep_progress_due() returns whether enough time has passed since the last
 * line; the caller prints the line after it has stored the results. The first
 * failure is reported even if progress is not. */
bool sweep_progress_due(const struct sweep_progress *p);
void sweep_progress_say(struct sweep_progress *p);
/* Prints the last line; failures are always reported. */
void sweep_progress_end(struct sweep_progress *p, bool whole);

#endif
