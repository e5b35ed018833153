/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joins known words to a hint of one line. */
#include "base/known.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_LIST = 120 }; /* characters */

static char *joined(const char *const *names, size_t n)
{
    char *text = xstrdup(n ? names[0] : "none");

    for (size_t i = 1; i < n; i++) {
        char *longer = xasprintf("%s, %s", text, names[i]);
        free(text);
        text = longer;
    }
    return text;
}

char *known_hint(const char *word, const char *const *names, size_t n,
                 const char *command)
{
    const char *near = nearest_word(word, names, n);
    char *list = joined(names, n);
    bool fits = strlen(list) <= LONGEST_LIST;
    char *hint = xasprintf("%s%s%s; %s: %s", near ? " (did you mean " : "",
                           near ? near : "", near ? "?)" : "",
                           fits ? "known" : "all", fits ? list : command);

    free(list);
    return hint;
}
