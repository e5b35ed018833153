/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pattern.h - known bytes in host or GPU memory, to check that what was sent
 * has arrived. All of these end the ranks when they fail. */
#ifndef VALIDATE_NATIVE_PATTERN_H
#define VALIDATE_NATIVE_PATTERN_H

#include "validate/native/native.h"

#include <stdint.h>

/* Equal seeds give equal bytes; different ones, or a shift, different bytes. */
void pattern_fill(const struct native *n, void *to, size_t bytes,
                  uint64_t seed);
/* Overwrites what a check would take for received. */
void pattern_wipe(const struct native *n, void *to, size_t bytes);
/* `what`: of the message when they differ ("from rank 3"). */
void pattern_check(const struct native *n, const void *from, size_t bytes,
                   uint64_t seed, const char *what);

#endif
