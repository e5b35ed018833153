/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the numbers of a platform that are assumed or taken over, by their
 * sources. */
#include "cli/calibrate_sources.h"

#include "platforms/provenance.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { WIDEST = 78 };

struct counts {
    size_t all, of[NPROVENANCES];
};

static bool is_source(const char *key)
{
    size_t n = key ? strlen(key) : 0;

    return n >= 6 && !strcmp(key + n - 6, "source");
}

/* Where in its clause, of n letters, what the word at `found` is said of
 * begins: the clause, or, in a long one, behind the last comma. */
static const char *said_of(const char *clause, const char *found, size_t *n)
{
    const char *from = found;

    if (*n <= WIDEST)
        return clause;
    while (from > clause && from[-1] != ',')
        from--;
    from += *from == ' ';
    *n -= (size_t)(from - clause);
    return from;
}

/* The first clause with one of the words, or NULL. */
static const char *doubtful(const char *source, size_t *n)
{
    static const char *const words[] = {"assumed", "taken over"};

    for (const char *at = source; *at;) {
        *n = strcspn(at, ";");
        for (size_t i = 0; i < 2; i++) {
            const char *found = strstr(at, words[i]);
            if (found && found < at + *n)
                return said_of(at, found, n);
        }
        at += *n + (at[*n] == ';');
        at += strspn(at, " ");
    }
    return NULL;
}

static void undetermined_count(struct counts *c, const struct json *v,
                               const char *path, bool print)
{
    size_t i = 0;

    if (json_is_string(v) && is_source(json_key(v))) {
        const char *source = json_string(v);
        size_t n;
        const char *why = doubtful(source, &n);
        c->all++;
        c->of[provenance_of(source, NULL)]++;
        if (print && why)
            printf("  %-46s %.*s%s\n", path, (int)(n > WIDEST ? WIDEST : n),
                   why, n > WIDEST ? " ..." : "");
        return;
    }
    if (!json_is_object(v) && !json_is_array(v))
        return;
    for (struct json *o = json_at(v, 0); o; o = json_next(o), i++) {
        const char *key = json_is_array(v) ? NULL : json_key(o);
        char place[160];
        if (key && !strcmp(key, "source"))
            snprintf(place, sizeof place, "%s", path);
        else if (key)
            snprintf(place, sizeof place, "%s%s%s", path, *path ? "." : "",
                     key);
        else
            snprintf(place, sizeof place, "%s.%zu", path, i);
        undetermined_count(c, o, place, print);
    }
}

void undetermined_print(const struct json *doc)
{
    struct counts c = {0};

    undetermined_count(&c, doc, "", false);
    printf("\n%zu sources:", c.all);
    for (int p = 0; p < NPROVENANCES; p++)
        if (c.of[p])
            printf(" %zu %s%s", c.of[p], provenance_names[p],
                   p + 1 < NPROVENANCES ? "," : "");
    printf(" by what begins them; assumed or taken over, in whole or in "
           "part:\n");
    undetermined_count(&c, doc, "", true);
}
