/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints errors, and escapes their bytes that are not printable. */
#include "base/err.h"

#include "base/printable.h"

#include <stdio.h>
#include <string.h>

/* Escapes a text. Line breaks of our own come before indented lines, and stay
 * line breaks. */
static void err_escape(char *out, size_t room, const char *text)
{
    char part[sizeof((struct err *)0)->text];
    const char *end;

    do {
        end = strstr(text, "\n  ");
        size_t len = end ? (size_t)(end - text) : strlen(text);
        snprintf(part, sizeof part, "%.*s", (int)len, text);
        printable_escape(out, room, part);
        room -= strlen(out);
        out += strlen(out);
        text += len + 1;
        if (end && room > 1) {
            *out++ = '\n';
            room--;
        }
    } while (end);
    *out = 0;
}

int err_print(const struct err *err)
{
    char line[4 * sizeof err->text];

    if (err->kind == ERR_SAID)
        return 1;
    err_escape(line, sizeof line, err->text);
    if (err_debug() && err->file)
        fprintf(stderr, "sluice: %s [%s:%d]\n", line, err->file, err->line);
    else
        fprintf(stderr, "sluice: %s\n", line);
    return err->kind == ERR_INPUT ? 2 : 1;
}
