/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - a file of whole numbers, plain or gzipped, line by line, for files
 * of gigabytes. A line may have any length. */
#ifndef WORKLOADS_TEXT_H
#define WORKLOADS_TEXT_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct text {
    const char *path; /* borrowed, as is err */
    struct err *err;
    void *gz;
    char *block;
    size_t room;          /* size of the block */
    const char *at, *end; /* bytes that are not used yet; *end is 0 */
    uint64_t line;        /* number of the line of `at`, from 1 */
    bool all;             /* nothing comes after end */
    bool failed;          /* reading failed, with an error in err */
};

/* Opens a file, which must not be empty: at[0] is its first byte. */
int text_open(struct text *t, const char *path, struct err *err) MUST_CHECK;
void text_close(struct text *t);

/* Goes to the first word of the next line that does not begin with one of the
 * characters `comments`. Returns 1, 0 at the end of the file, or -1. */
int text_line(struct text *t, const char *comments) MUST_CHECK;
/* Does the same, and skips blank lines. */
int text_data_line(struct text *t, const char *comments) MUST_CHECK;

/* Returns whether no word is left in the line. LF and CR LF end it. */
bool text_line_ends(struct text *t);

/* Read the next word of the line, and move after it if it is of this kind. A
 * whole number that is too large for 64 bits is UINT64_MAX. */
bool text_number(struct text *t, uint64_t *out) MUST_CHECK;
bool text_value(struct text *t) MUST_CHECK; /* skips any number */
bool text_real(struct text *t, double *out) MUST_CHECK;
bool text_word(struct text *t, const char *word) MUST_CHECK;

/* Returns the rest of the line without the blanks around it, which the caller
 * frees; NULL if it is empty, longer than 4000 bytes, or not plain text. */
char *text_rest(struct text *t) MUST_CHECK;

/* Fails with the file and line in front of the message. If reading failed, that
 * error is reported instead. */
#define text_fail(t, ...)                                                      \
    ((t)->failed                                                               \
         ? -1                                                                  \
         : (err_set((t)->err, ERR_INPUT, __FILE__, __LINE__, __VA_ARGS__),     \
            err_widen((t)->err, "%s:%llu", (t)->path,                          \
                      (unsigned long long)(t)->line),                          \
            -1))

#endif
