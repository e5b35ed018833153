/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - "key=number,key=number": the parameters of a generated workload. */
#ifndef WORKLOADS_WORDS_H
#define WORKLOADS_WORDS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum word_kind {
    WORD_COUNT, /* uint64_t *: a whole number above 0 */
    WORD_SEED,  /* uint64_t *: a whole number */
    WORD_SHARE, /* double *: from 0 to 1, 0.25 or 1/4 */
    WORD_REAL,  /* double *: above 0 */
    WORD_REAL_OR_0,
    WORD_BYTES,  /* uint64_t *: above 0, with k, M, G (2^10) or none */
    WORD_CHOICE, /* struct word_choice *: one of its names */
};

struct word_choice {
    const char *const *names; /* NULL ends them */
    unsigned chosen;
};

struct word {
    const char *key;
    enum word_kind kind;
    void *target;
    bool optional; /* the target keeps what it has */
};

/*
 * Every key stands once, in any order, and nothing else. Errors name the key
 * and what was expected; the caller puts the workload in front.
 */
int words_read(const char *text, const struct word *words, size_t n,
               struct err *err) MUST_CHECK;

#endif
