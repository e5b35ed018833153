/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h - a file of whole numbers, plain or gzipped, line by line: for files
 * of gigabytes. A line may have any length. */
#ifndef WORKLOADS_TEXT_H
#define WORKLOADS_TEXT_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct text {
    const char *path; /* borrowed, as err is */
    struct err *err;
    void *gz;
    char *block;
    size_t room;          /* of the block */
    const char *at, *end; /* read and not used yet; *end is 0 */
    uint64_t line;        /* that `at` is in, from 1 */
    bool all;             /* nothing comes after end */
    bool failed;          /* the file could not be read on: err says why */
};

/* Refuses what is empty: at[0] is the first byte of the file. */
int text_open(struct text *t, const char *path, struct err *err) MUST_CHECK;
void text_close(struct text *t);

/*
 * Goes to the first word of the next line that does not start with one of the
 * characters `comments`: 1, at the end of the file 0, -1.
 */
int text_line(struct text *t, const char *comments) MUST_CHECK;
/* The same, over blank lines. */
int text_data_line(struct text *t, const char *comments) MUST_CHECK;

/* Is there no word left in the line? LF and CR LF end it. */
bool text_line_ends(struct text *t);

/*
 * These step over the next word of the line when it is what is asked for. A
 * whole number too large for 64 bits is UINT64_MAX.
 */
bool text_number(struct text *t, uint64_t *out) MUST_CHECK;
bool text_value(struct text *t) MUST_CHECK; /* any number */
bool text_real(struct text *t, double *out) MUST_CHECK;
bool text_word(struct text *t, const char *word) MUST_CHECK;

/* What is left of the line without the blanks around it, which the caller
 * frees; NULL when that is nothing, over 4000 bytes, or no plain text. */
char *text_rest(struct text *t) MUST_CHECK;

/* fail() with the file and line in front. A read error, if there is one, is
 * reported instead. */
#define text_fail(t, ...)                                                      \
    ((t)->failed                                                               \
         ? -1                                                                  \
         : (err_set((t)->err, ERR_INPUT, __FILE__, __LINE__, __VA_ARGS__),     \
            err_widen((t)->err, "%s:%llu", (t)->path,                          \
                      (unsigned long long)(t)->line),                          \
            -1))

#endif
