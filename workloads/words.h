/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - "key=number,key=number": the parameters of a generated workload. */
#ifndef WORKLOADS_WORDS_H
#define WORKLOADS_WORDS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum word_kind {
    WORD_COUNT, /* uint64_t *, a whole number above 0 */
    WORD_SEED,  /* uint64_t *, a whole number */
    WORD_SHARE, /* double *, from 0 to 1, as 0.25 or 1/4 */
    WORD_REAL,  /* double *, above 0 */
    WORD_REAL_OR_0,
    WORD_BYTES,  /* uint64_t *, above 0, may end in k, M or G (2^10) */
    WORD_CHOICE, /* struct word_choice *, one of its names */
};

struct word_choice {
    const char *const *names; /* ended by NULL */
    unsigned chosen;
};

struct word {
    const char *key;
    enum word_kind kind;
    void *target;
    bool optional; /* if it is missing, the target keeps its value */
};

/* Parses the text into the targets of `words`. Every key may come once, in any
 * order, and there is nothing else. Errors name the key and the expected value;
 * the caller adds the workload in front. */
int words_read(const char *text, const struct word *words, size_t n,
               struct err *err) MUST_CHECK;

#endif
