/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printable.h - text from outside that is shown or becomes a name: UTF-8
 * without control characters, among them newline, tab and ESC. */
#ifndef BASE_PRINTABLE_H
#define BASE_PRINTABLE_H

#include "base/err.h"

#include <stddef.h>

/* Returns the text after the byte order mark that editors of some systems put
 * at the beginning of a file; the text itself if there is none. */
const char *skip_byte_order_mark(const char *text);

/* Returns the first byte of `text` that begins no printable UTF-8 character, or
 * NULL if all of it is printable. */
const char *printable_fault(const char *text);

/* Fails with "WHERE: control character \x0a" (or "not UTF-8: \xff") unless all
 * of `text` is printable. */
int printable_check(const char *text, const char *where,
                    struct err *err) MUST_CHECK;

/* Writes the text with each byte that is not printable as \xNN, cut to fit;
 * returns `buf`. */
char *printable_escape(char *buf, size_t size, const char *text);
/* Returns the same uncut; the caller frees it. */
char *printable_copy(const char *text);

#endif
