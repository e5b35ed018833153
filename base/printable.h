/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printable.h - text from outside that is shown or becomes a name: UTF-8
 * without control characters. Newline, tab and ESC are control characters. */
#ifndef BASE_PRINTABLE_H
#define BASE_PRINTABLE_H

#include "base/err.h"

#include <stddef.h>

/* Behind the byte order mark that editors of some systems put at the beginning
 * of a file; the text itself when there is none. */
const char *skip_byte_order_mark(const char *text);

/* The first byte of `text` that begins no printable UTF-8 character, or NULL
 * when all of it is printable. */
const char *printable_fault(const char *text);

/* -1 and "WHERE: control character \x0a" (or "not UTF-8: \xff") unless all of
 * `text` is printable. */
int printable_check(const char *text, const char *where,
                    struct err *err) MUST_CHECK;

/* The text with each byte that is not printable as \xNN, cut to fit; returns
 * `buf`. */
char *printable_escape(char *buf, size_t size, const char *text);
/* The same, whole; the caller frees. */
char *printable_copy(const char *text);

#endif
