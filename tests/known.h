/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known.h - violations of a property that are right: a test lists them, each
 * with its reason and a bound, and fails if one exceeds its bound or if one
 * that is listed occurs no more. */
#ifndef TESTS_KNOWN_H
#define TESTS_KNOWN_H

#include "tests/check.h"

#include <stdbool.h>

/* Returns whether a list, whose words single blanks separate, has the word. */
static inline bool has_word(const char *words, const char *word)
{
    size_t n = strlen(word);

    for (const char *at = words; (at = strstr(at, word)); at += n)
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return true;
    return false;
}

static inline unsigned words_of(const char *words)
{
    unsigned n = *words != 0;

    for (; *words; words++)
        n += *words == ' ';
    return n;
}

/* A test's table has rows that contain one of these and say which violations
 * it covers. */
struct known {
    double most; /* the bound: the largest violation that is right */
    const char *why;
    unsigned seen; /* its number of occurrences */
};

/* Counts a violation that the row covers; false: it exceeds the bound. */
static inline bool known_covers(struct known *k, double violation)
{
    k->seen++;
    return violation <= k->most;
}

/* Fails if the row's violation has not occurred so often: the list is stale. */
static inline void known_check_seen(const struct known *k, const char *what,
                                    unsigned times)
{
    if (k->seen < times)
        fprintf(stderr, "%s: listed (%s), but it occurs %u times, not %u\n",
                what, k->why, k->seen, times);
    CHECK(k->seen >= times);
}

/* Checks that every row of a table has occurred; a row has the members `known`
 * and `what`, its name in errors. */
#define KNOWN_CHECK_SEEN(rows)                                                 \
    do {                                                                       \
        for (size_t row_ = 0; row_ < sizeof(rows) / sizeof *(rows); row_++)    \
            known_check_seen(&(rows)[row_].known, (rows)[row_].what, 1);       \
    } while (0)

#endif
