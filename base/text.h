/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - the endings of names. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <string.h>

/* Returns the bytes of `text` before this ending; 0 if it ends otherwise, or
 * has nothing else. */
static inline size_t text_before(const char *text, const char *ending)
{
    size_t len = strlen(text), n = strlen(ending);

    return len > n && !strcmp(text + len - n, ending) ? len - n : 0;
}

#endif
