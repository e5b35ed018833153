/* SPDX-License-Identifier: GPL-3.0-or-later */
/* notes.h - values with the numbers of their sources, which are listed at the
 * end because they are long. */
#ifndef CLI_NOTES_H
#define CLI_NOTES_H

#include "base/err.h"
#include "platforms/provenance.h"

#include <stddef.h>

/* The sources so far, borrowed; all 0 is an empty list. The user frees
 * `texts`. */
struct notes {
    const char **texts;
    size_t n;
};

/* Returns the number of a source, from 1 on; adds the source if it is new. */
size_t notes_number(struct notes *notes, const struct number_source *source);
/* Prints a line: a value with its unit, and the number of its source, if that
 * is not NULL. */
void notes_value(struct notes *notes, const char *name,
                 const struct number_source *source, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
/* Prints words with line breaks before the last column, and `indent` blanks
 * before further lines; `used` columns are printed already. */
void notes_wrapped(const char *text, size_t used, int indent);
/* Prints the sources by number. */
void notes_print(const struct notes *notes);

#endif
