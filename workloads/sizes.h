/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sizes.h - a range of sizes in the words of a workload: "bytes=8..1G". */
#ifndef WORKLOADS_SIZES_H
#define WORKLOADS_SIZES_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sizes {
    uint64_t *bytes; /* ascending */
    size_t n;        /* 0 if the words have no range */
};

enum { SIZES_MOST = 1000 };

/*
 * Reads "bytes=FIRST..LAST", in which each size is twice the one before, or
 * "FIRST..LAST*F", F times that, or "FIRST..LAST+S", S bytes more. FIRST, LAST
 * and S may end in k, M or G. LAST is a size only if the steps reach it. It is
 * an error if a number is not above 0, LAST is below FIRST, the factor is below
 * 2, or there are more than SIZES_MOST sizes.
 */
int sizes_read(struct sizes *s, const char *words, struct err *err) MUST_CHECK;
void sizes_clear(struct sizes *s);

/* Returns whether the words have a range. */
bool sizes_are_given(const char *words);
/* Returns the words with one size in place of the range; the caller frees
 * them. */
char *sizes_words(const char *words, uint64_t bytes);

#endif
