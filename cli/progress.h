/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - reports the progress of a long computation on standard error: a
 * line that is overwritten on a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    const char *name, *unit; /* "points"; borrowed */
    size_t todo, done;       /* updated by the caller */
    double begin_s, said_s;
    bool shown;
    bool terminal; /* lines are overwritten */
};

/* Begins the report; it is shown if standard error is a terminal, or if it is
 * asked for. */
void progress_init(struct progress *p, const char *name, const char *unit,
                   size_t todo, bool asked);
/* Returns whether enough time has passed since the last line. */
bool progress_due(const struct progress *p);
/* Prints "NAME: 3 of 10 UNIT, MORE; 2 UNIT/s, done in 4 s". `more` is ", MORE",
 * or "". */
void progress_say(struct progress *p, const char *more);
/* Wipes the line, before anything else is printed. */
void progress_wipe(const struct progress *p);
/* Prints the last line, which stays. */
void progress_end(const struct progress *p, const char *more);

#endif
