/* SPDX-License-Identifier: GPL-3.0-or-later */
/* progress.h - how far something long is, on standard error: a line that is
 * written over on a terminal. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

struct progress {
    const char *name, *unit; /* "points"; borrowed */
    size_t todo, done;       /* the caller's to change */
    double begin_s, said_s;
    bool shown;
    bool terminal; /* lines are written over */
};

/* Shown where standard error is a terminal, or where it is asked for. */
void progress_init(struct progress *p, const char *name, const char *unit,
                   size_t todo, bool asked);
/* It is time to say something. */
bool progress_due(const struct progress *p);
/* "NAME: 3 of 10 UNIT, MORE; 2 UNIT/s, done in 4 s"; more: ", MORE", or "". */
void progress_say(struct progress *p, const char *more);
/* The line goes, before something else is printed. */
void progress_wipe(const struct progress *p);
/* The last line, which stays. */
void progress_end(const struct progress *p, const char *more);

#endif
