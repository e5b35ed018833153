/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known.h - violations of a property that are right: a test lists them, each
 * with its reason and a bound, and fails if one exceeds its bound or if one
 * that is listed occurs no more. */
#ifndef TESTS_KNOWN_H
#define TESTS_KNOWN_H

#include "tests/check.h"

/* A test's table has rows that contain one of these and say which violations
 * it covers. */
struct known {
    double most; /* the bound: the largest violation that is right */
    const char *why;
    unsigned seen; /* how often it occurred */
};

/* Counts a violation that the row covers; false: it exceeds the bound. */
static inline bool known_covers(struct known *k, double violation)
{
    k->seen++;
    return violation <= k->most;
}

/* Fails if the row's violation has not occurred: the list is stale. */
static inline void known_check_seen(const struct known *k, const char *what)
{
    if (!k->seen)
        fprintf(stderr, "%s: listed (%s), but it does not occur\n", what,
                k->why);
    CHECK(k->seen > 0);
}

/* Checks all rows of a table; they have the members `known` and `what`, a name
 * for the errors. */
#define KNOWN_CHECK_SEEN(rows)                                                 \
    do {                                                                       \
        for (size_t row_ = 0; row_ < sizeof(rows) / sizeof *(rows); row_++)    \
            known_check_seen(&(rows)[row_].known, (rows)[row_].what);          \
    } while (0)

#endif
