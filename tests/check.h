/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.h - checks that print both values with file:line and continue. A test's
 * main ends with `return check_result();`. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <math.h>
#include <stdio.h>
#include <string.h>

static int check_failures, check_count;

#define CHECK(cond)                                                            \
    do {                                                                       \
        check_count++;                                                         \
        if (!(cond)) {                                                         \
            check_failures++;                                                  \
            fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__,       \
                    #cond);                                                    \
        }                                                                      \
    } while (0)

/* Checks that both are equal within a relative tolerance, which is absolute if
 * the wanted value is 0. */
#define CHECK_NEAR(got, want, tolerance)                                       \
    do {                                                                       \
        double got_ = (double)(got), want_ = (double)(want);                   \
        double scale_ = want_ != 0 ? fabs(want_) : 1;                          \
        check_count++;                                                         \
        if (!(fabs(got_ - want_) <= (tolerance)*scale_)) {                     \
            check_failures++;                                                  \
            fprintf(stderr, "%s:%d: %s is %.17g, expected %.17g (off %.3g)\n", \
                    __FILE__, __LINE__, #got, got_, want_,                     \
                    fabs(got_ - want_) / scale_);                              \
        }                                                                      \
    } while (0)

#define CHECK_EQ(got, want)                                                    \
    do {                                                                       \
        long long got_ = (long long)(got), want_ = (long long)(want);          \
        check_count++;                                                         \
        if (got_ != want_) {                                                   \
            check_failures++;                                                  \
            fprintf(stderr, "%s:%d: %s is %lld, expected %lld\n", __FILE__,    \
                    __LINE__, #got, got_, want_);                              \
        }                                                                      \
    } while (0)

/* Checks that the text contains the wanted part. */
#define CHECK_HAS(text, part)                                                  \
    do {                                                                       \
        const char *text_ = (text), *part_ = (part);                           \
        check_count++;                                                         \
        if (!strstr(text_, part_)) {                                           \
            check_failures++;                                                  \
            fprintf(stderr, "%s:%d: expected \"%s\" in \"%s\"\n", __FILE__,    \
                    __LINE__, part_, text_);                                   \
        }                                                                      \
    } while (0)

static inline int check_result(void)
{
    if (check_failures)
        fprintf(stderr, "%d of %d checks failed\n", check_failures,
                check_count);
    else
        printf("%d checks\n", check_count);
    return check_failures != 0 || check_count == 0;
}

#endif
