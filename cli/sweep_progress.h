/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_progress.h - how far a sweep is, on standard error. */
#ifndef CLI_SWEEP_PROGRESS_H
#define CLI_SWEEP_PROGRESS_H

#include "cli/progress.h"
#include "strategies/explore/explore.h"

struct sweep_progress {
    struct progress points; /* that are to do, and done */
    size_t runs, failed;
    bool unkept;    /* the database: is not kept */
    uint64_t first; /* the point of the first that failed, */
    char *why;      /* and its error; NULL: none did, or it is said */
};

/* `there`: points that were there. */
void sweep_progress_init(struct sweep_progress *p, const char *name,
                         size_t todo, size_t there, bool asked);
/* A point is done, with all its runs. */
void sweep_progress_add(struct sweep_progress *p,
                        const struct point_runs *runs);
/* It is time to say something, after what was done is in the file. The first
 * failure is said also where progress is not. */
bool sweep_progress_due(const struct sweep_progress *p);
void sweep_progress_say(struct sweep_progress *p);
/* The last line; failures are always told. */
void sweep_progress_end(struct sweep_progress *p, bool whole);

#endif
