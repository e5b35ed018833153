/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses "key=number,key=number", the parameters of generated workloads. */
#include "workloads/words.h"

#include "base/number.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 16 };

static bool real_number(const char *text, double *out)
{
    double above, below = 1;
    const char *end = number_take_real(text, &above);

    if (!end || *text == '-' || (*end && *end != '/'))
        return false;
    if (*end && (end[1] == '-' || !number_real(end + 1, &below)))
        return false;
    *out = above / below;
    return isfinite(*out);
}

static int read_choice(const char *key, struct word_choice *choice,
                       const char *text, struct err *err)
{
    char known[256] = "";

    for (unsigned i = 0; choice->names[i]; i++) {
        if (!strcmp(text, choice->names[i])) {
            choice->chosen = i;
            return 0;
        }
        strncat(known, i ? ", " : "", sizeof known - strlen(known) - 1);
        strncat(known, choice->names[i], sizeof known - strlen(known) - 1);
    }
    return fail(err, "%s: expected one of %s, got '%s'", key, known, text);
}

static int read_value(const struct word *w, const char *text, struct err *err)
{
    uint64_t whole;
    double real;

    switch (w->kind) {
    case WORD_CHOICE:
        return read_choice(w->key, w->target, text, err);
    case WORD_COUNT:
    case WORD_SEED:
        if (!number_whole(text, &whole) || (w->kind == WORD_COUNT && !whole))
            return fail(err, "%s: expected a whole number%s, got '%s'", w->key,
                        w->kind == WORD_COUNT ? " above 0" : "", text);
        *(uint64_t *)w->target = whole;
        return 0;
    case WORD_BYTES:
        if (!number_bytes(text, &whole) || !whole)
            return fail(err,
                        "%s: expected bytes above 0 such as 8192 or 8k, got "
                        "'%s'",
                        w->key, text);
        *(uint64_t *)w->target = whole;
        return 0;
    case WORD_SHARE:
        if (!real_number(text, &real) || real > 1)
            return fail(err, "%s: expected a number from 0 to 1, got '%s'",
                        w->key, text);
        break;
    default:
        if (!real_number(text, &real) || (real <= 0 && w->kind == WORD_REAL))
            return fail(err, "%s: expected a number%s 0, got '%s'", w->key,
                        w->kind == WORD_REAL ? " above" : " of at least", text);
    }
    *(double *)w->target = real;
    return 0;
}

static int words_unknown(const char *key, const struct word *words, size_t n,
                         struct err *err)
{
    char known[256] = "";

    for (size_t i = 0; i < n; i++) {
        strncat(known, i ? ", " : "", sizeof known - strlen(known) - 1);
        strncat(known, words[i].key, sizeof known - strlen(known) - 1);
    }
    return fail(err, "'%s': expected KEY=NUMBER with one of %s", key, known);
}

/* Parses one KEY=NUMBER, and modifies `item`. */
static int read_item(char *item, const struct word *words, size_t n, bool *seen,
                     struct err *err)
{
    char *equals = strchr(item, '=');

    if (!equals)
        return words_unknown(item, words, n, err);
    *equals = 0;
    for (size_t i = 0; i < n; i++)
        if (!strcmp(item, words[i].key)) {
            if (seen[i])
                return fail(err, "%s: stands twice", item);
            seen[i] = true;
            return read_value(&words[i], equals + 1, err);
        }
    return words_unknown(item, words, n, err);
}

int words_read(const char *text, const struct word *words, size_t n,
               struct err *err)
{
    bool seen[MAX_WORDS] = {false};
    char *copy = xstrdup(text);
    char *rest = *copy ? copy : NULL;
    int rc = 0;

    assert(n <= MAX_WORDS);
    while (rest && rc == 0)
        rc = read_item(strsep(&rest, ","), words, n, seen, err);
    for (size_t i = 0; i < n && rc == 0; i++)
        if (!seen[i] && !words[i].optional)
            rc =
                fail(err, "%s: expected %s=NUMBER", words[i].key, words[i].key);
    free(copy);
    return rc;
}
