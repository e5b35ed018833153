/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distinguishes printable UTF-8 from control characters and broken bytes, and
 * shows these as \xNN. */
#include "base/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Decodes the code point at `c`. Returns its number of bytes; 0 if it is not
 * UTF-8. */
static size_t decode(const unsigned char *c, uint32_t *point)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = *c < 0x80           ? 1
               : (*c >> 5) == 0x06 ? 2
               : (*c >> 4) == 0x0e ? 3
               : (*c >> 3) == 0x1e ? 4
                                   : 0;

    *point = n == 1 ? *c : n ? *c & (0x7fu >> n) : 0;
    for (size_t i = 1; i < n; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        *point = *point << 6 | (c[i] & 0x3fu);
    }
    bool surrogate = *point >= 0xd800 && *point < 0xe000;
    return n && *point >= least[n] && *point <= 0x10ffff && !surrogate ? n : 0;
}

/* Returns the number of bytes of the printable character at `text`; 0 if there
 * is none. */
static size_t printable_bytes(const char *text)
{
    uint32_t point;
    size_t n = decode((const unsigned char *)text, &point);

    /* 0x80 to 0x9f are controls, too, because U+009B begins a sequence as ESC [
     * does. */
    return point < 0x20 || (point >= 0x7f && point < 0xa0) ? 0 : n;
}

const char *skip_byte_order_mark(const char *text)
{
    static const char mark[] = "\xef\xbb\xbf";

    return strncmp(text, mark, sizeof mark - 1) ? text : text + sizeof mark - 1;
}

const char *printable_fault(const char *text)
{
    while (*text) {
        size_t n = printable_bytes(text);
        if (!n)
            return text;
        text += n;
    }
    return NULL;
}

int printable_check(const char *text, const char *where, struct err *err)
{
    const char *bad = printable_fault(text);
    uint32_t point;

    if (!bad)
        return 0;
    unsigned byte = (unsigned char)*bad;
    if (!decode((const unsigned char *)bad, &point))
        return fail(err, "%s: not UTF-8: \\x%02x", where, byte);
    return fail(err, "%s: control character \\x%02x", where, point);
}

char *printable_escape(char *buf, size_t size, const char *text)
{
    size_t used = 0;

    while (*text) {
        size_t n = printable_bytes(text);
        if (used + (n ? n : 4) >= size)
            break;
        if (n)
            memcpy(buf + used, text, n);
        else
            snprintf(buf + used, size - used, "\\x%02x", (unsigned char)*text);
        used += n ? n : 4;
        text += n ? n : 1;
    }
    buf[used] = 0;
    return buf;
}

char *printable_copy(const char *text)
{
    size_t size = 4 * strlen(text) + 1;

    return printable_escape(xmalloc(size), size, text);
}
