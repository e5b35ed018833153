/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses "key=number,key=number", the parameters of generated workloads. */
#include "workloads/words.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 16 };

/* Digits, and nothing after them. */
static bool whole_number(const char *text, uint64_t *out)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *out = strtoull(text, &end, 10);
    return !errno && !*end;
}

/* strtod() alone would take spaces, signs, hexadecimal, "inf" and "nan". */
static bool plain_number(const char *text, size_t length, double *out)
{
    char *end;

    if (!length || strspn(text, "0123456789.e-") < length || *text == 'e' ||
        *text == '-')
        return false;
    *out = strtod(text, &end);
    return end == text + length && isfinite(*out);
}

static bool real_number(const char *text, double *out)
{
    size_t length = strcspn(text, "/");
    double below = 1;

    if (!plain_number(text, length, out))
        return false;
    if (text[length] &&
        !plain_number(text + length + 1, strlen(text + length + 1), &below))
        return false;
    *out /= below;
    return isfinite(*out);
}

static int read_value(const struct word *w, const char *text, struct err *err)
{
    uint64_t whole;
    double real;

    switch (w->kind) {
    case WORD_COUNT:
    case WORD_SEED:
        if (!whole_number(text, &whole) || (w->kind == WORD_COUNT && !whole))
            return fail(err, "%s: expected a whole number%s, got '%s'", w->key,
                        w->kind == WORD_COUNT ? " above 0" : "", text);
        *(uint64_t *)w->target = whole;
        return 0;
    case WORD_SHARE:
        if (!real_number(text, &real) || real > 1)
            return fail(err, "%s: expected a number from 0 to 1, got '%s'",
                        w->key, text);
        break;
    default:
        if (!real_number(text, &real) || real <= 0)
            return fail(err, "%s: expected a number above 0, got '%s'", w->key,
                        text);
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

/* `item` is one KEY=NUMBER and is taken apart. */
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
