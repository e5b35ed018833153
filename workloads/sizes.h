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
    size_t n;        /* 0: the words have no range */
};

enum { SIZES_MOST = 1000 };

/*
 * "bytes=FIRST..LAST", each twice the one before, or "FIRST..LAST*F": F times
 * it, or "FIRST..LAST+S": S bytes more. FIRST, LAST and S may have k, M or G
 * behind them. LAST is one of them where the steps come to it. Errors: no
 * number above 0, LAST below FIRST, a factor below 2, more than SIZES_MOST.
 */
int sizes_read(struct sizes *s, const char *words, struct err *err) MUST_CHECK;
void sizes_clear(struct sizes *s);

bool sizes_are_given(const char *words);
/* The words with one size for the range; the caller frees. */
char *sizes_words(const char *words, uint64_t bytes);

#endif
