/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - how names end. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stddef.h>
#include <string.h>

/* The bytes of `text` before this ending; 0 where it does not end so, or is
 * nothing else. */
static inline size_t text_before(const char *text, const char *ending)
{
    size_t len = strlen(text), n = strlen(ending);

    return len > n && !strcmp(text + len - n, ending) ? len - n : 0;
}

#endif
