/* SPDX-License-Identifier: GPL-3.0-or-later */
/* notes.h - values with the numbers of their sources, which are long, so that
 * they stand at the end. */
#ifndef CLI_NOTES_H
#define CLI_NOTES_H

#include "base/err.h"
#include "platforms/provenance.h"

#include <stddef.h>

/* The sources so far, borrowed; all 0: none. The user frees texts. */
struct notes {
    const char **texts;
    size_t n;
};

/* Its number, from 1 on. */
size_t notes_number(struct notes *notes, const struct number_source *source);
/* A line: a value with its unit, and the number of its source (NULL: none). */
void notes_value(struct notes *notes, const char *name,
                 const struct number_source *source, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* Words, broken before the last column; `used` columns are printed already. */
void notes_wrapped(const char *text, size_t used, int indent);
/* The sources by number. */
void notes_print(const struct notes *notes);

#endif
