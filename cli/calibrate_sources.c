/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the numbers of a platform that are assumed or taken over, by their
 * sources. */
#include "cli/calibrate_sources.h"

#include "platforms/provenance.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 78 };

struct counts {
    size_t all, of[NPROVENANCES];
};

/* Returns the first statement of a source that is assumed or taken over, or
 * NULL. */
static const struct json *doubtful(const struct json *source)
{
    const struct json *c = json_is_array(source) ? json_at(source, 0) : source;

    for (; c; c = json_is_array(source) ? json_next(c) : NULL) {
        const char *kind = json_string(json_member(c, "kind"));
        if (kind && (!strcmp(kind, provenance_names[PROVENANCE_ASSUMED]) ||
                     !strcmp(kind, provenance_names[PROVENANCE_TAKEN_OVER])))
            return c;
    }
    return NULL;
}

/* Prints a line such as "beta_ns_per_byte: assumed: as there", shortened. */
static void print_doubtful(const struct json *statement, const char *path)
{
    const char *of = json_string(json_at(json_member(statement, "of"), 0));
    char *text = source_phrase(statement);
    char *line = xasprintf("%s%s%s", of ? of : "", of ? ": " : "", text);

    printf("  %-46s %.*s%s\n", path, WIDEST, line,
           strlen(line) > WIDEST ? " ..." : "");
    free(line);
    free(text);
}

static void count_source(struct counts *c, const struct json *source)
{
    const char *kind =
        json_string(json_member(source_at(source, NULL), "kind"));

    c->all++;
    for (int p = 0; kind && p < NPROVENANCES; p++)
        c->of[p] += !strcmp(kind, provenance_names[p]);
}

static void undetermined_count(struct counts *c, const struct json *v,
                               const char *path, bool print)
{
    size_t i = 0;

    if (source_is_key(json_key(v))) {
        const struct json *why = doubtful(v);
        count_source(c, v);
        if (print && why)
            print_doubtful(why, path);
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
    printf(" of numbers that are not named apart; assumed or taken over, in "
           "whole or in part:\n");
    undetermined_count(&c, doc, "", true);
}
