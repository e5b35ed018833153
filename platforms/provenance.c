/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads from the words of a source whether a number is measured, fitted,
 * specified, published, taken over or assumed. */
#include "platforms/provenance.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

const char *const provenance_names[NPROVENANCES] = {
    "measured", "fit", "specification", "published", "taken_over",
    "assumed",  "set"};

/* A part of a source, between its semicolons. */
struct clause {
    const char *text;
    size_t n;
};

static bool next_clause(struct clause *c, const char **rest)
{
    if (!**rest)
        return false;
    c->text = *rest + strspn(*rest, " ");
    c->n = strcspn(c->text, ";");
    *rest = c->text + c->n;
    *rest += **rest == ';';
    return true;
}

static bool clause_has(struct clause c, const char *word)
{
    return memmem(c.text, c.n, word, strlen(word)) != NULL;
}

static bool clause_begins(struct clause c, const char *word)
{
    size_t n = strlen(word);

    return c.n >= n && !strncmp(c.text, word, n);
}

/* What follows "alpha" in "alpha: ..." and "alpha assumed: ...", but not in
 * "alpha shares ...". */
static bool clause_of(struct clause *c, const char *number)
{
    size_t n = strlen(number);
    struct clause rest = {c->text + n, c->n - n};

    if (!clause_begins(*c, number) || c->n == n ||
        isalnum((unsigned char)*rest.text))
        return false;
    while (rest.n && strchr(": ", *rest.text)) {
        rest.text++;
        rest.n--;
    }
    if (clause_begins(rest, "shares"))
        return false;
    *c = rest;
    return true;
}

static enum provenance clause_provenance(struct clause c)
{
    static const struct {
        const char *word;
        enum provenance is;
    } first[] = {{"fit", PROVENANCE_FIT},
                 {"measured", PROVENANCE_MEASURED},
                 {"specification", PROVENANCE_SPECIFICATION},
                 {"assumed", PROVENANCE_ASSUMED},
                 {"taken over", PROVENANCE_TAKEN_OVER},
                 {"--set", PROVENANCE_SET}},
      /* "279 GB/s (measured: ...)" */
        within[] = {{"assumed", PROVENANCE_ASSUMED},
                    {"taken over", PROVENANCE_TAKEN_OVER},
                    {"measured", PROVENANCE_MEASURED},
                    {"fit", PROVENANCE_FIT},
                    {"specification", PROVENANCE_SPECIFICATION}};

    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        if (clause_begins(c, first[i].word))
            return first[i].is;
    for (size_t i = 0; i < sizeof within / sizeof within[0]; i++)
        if (clause_has(c, within[i].word))
            return within[i].is;
    return PROVENANCE_PUBLISHED;
}

enum provenance provenance_of(const char *source, const char *number)
{
    if (!source)
        return PROVENANCE_ASSUMED;
    struct clause c, head = {source, strcspn(source, ";")};
    const char *rest = source;

    /* "taken over from NAME: its source" is all NAME's. */
    static const char taken[] = "taken over from ";
    if (clause_begins(head, taken)) {
        const char *name = source + strlen(taken);
        size_t n = strcspn(name, " ;");
        if (n > 0 && name[n - 1] == ':')
            return PROVENANCE_TAKEN_OVER;
    }
    if (clause_begins(head, "--set"))
        return PROVENANCE_SET;
    while (number && next_clause(&c, &rest))
        if (clause_of(&c, number))
            return clause_provenance(c);
    return clause_provenance(head);
}

struct provenance_words provenance_words_of(const char *source,
                                            const char *number)
{
    struct clause c;
    const char *rest = source ? source : "";

    while (number && next_clause(&c, &rest))
        if (clause_of(&c, number))
            return (struct provenance_words){c.text, c.n};
    source = source ? source : "";
    return (struct provenance_words){source, strcspn(source, ";")};
}

bool provenance_split_assumed(const char *source)
{
    struct clause c;
    const char *rest = source;

    while (next_clause(&c, &rest))
        if ((clause_has(c, "shares") && clause_has(c, "assumed")) ||
            clause_begins(c, "ends: assumed") ||
            clause_begins(c, "ends: taken over"))
            return true;
    return false;
}
