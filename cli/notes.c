/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints values with the numbers of their sources. */
#include "cli/notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 110 };

size_t notes_number(struct notes *notes, const struct number_source *from)
{
    const char *source = source_text(from);

    for (size_t i = 0; i < notes->n; i++)
        if (!strcmp(notes->texts[i], source))
            return i + 1;
    notes->texts = xrealloc(notes->texts, notes->n + 1, sizeof(char *));
    notes->texts[notes->n] = source;
    return ++notes->n;
}

void notes_wrapped(const char *text, size_t used, int indent)
{
    while (*text) {
        size_t len = strcspn(text, " ");
        if (used + len + 1 > COLUMNS) {
            printf("\n%*s", indent - 1, "");
            used = (size_t)indent - 1;
        }
        printf(" %.*s", (int)len, text);
        used += len + 1;
        text += len;
        text += strspn(text, " ");
    }
    printf("\n");
}

void notes_print(const struct notes *notes)
{
    printf("\nsources\n");
    for (size_t i = 0; i < notes->n; i++) {
        int used = printf("  %4zu ", i + 1);
        notes_wrapped(notes->texts[i], (size_t)used, used + 1);
    }
}

void notes_value(struct notes *notes, const char *name,
                 const struct number_source *source, const char *fmt, ...)
{
    char text[160];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (source)
        printf("  %-26s %-50s [%zu]\n", name, text,
               notes_number(notes, source));
    else
        printf("  %-26s %s\n", name, text);
}
