/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pattern.h - known bytes in host or GPU memory, to check that messages have
 * arrived. All functions end the ranks if they fail. */
#ifndef VALIDATE_NATIVE_PATTERN_H
#define VALIDATE_NATIVE_PATTERN_H

#include "validate/native/native.h"

#include <stdint.h>

/* Fills memory: equal seeds give equal bytes; other seeds, or a shift, other
 * bytes. */
void pattern_fill(const struct native *n, void *to, size_t bytes,
                  uint64_t seed);
/* Overwrites bytes that a check would accept. */
void pattern_wipe(const struct native *n, void *to, size_t bytes);
/* Compares the bytes with a seed's. If they differ, the error names the data by
 * the last argument ("from rank 3"). */
void pattern_check(const struct native *n, const void *from, size_t bytes,
                   uint64_t seed, const char *what);

#endif
