/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.h - numbers as text, from options and files. They are decimal: without
 * blanks or + in front, not hexadecimal, not inf or nan, not too large, and not
 * rounded to another whole number. If a text is refused, *out is unchanged. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Whole numbers below this are exact as doubles. It is excluded, because the
 * number after it rounds to it. */
#define NUMBER_EXACT_END (UINT64_C(1) << 53)

/* Reads a text that is all digits, of a number that fits into 64 bits. */
bool number_whole(const char *text, uint64_t *out);
/* Reads the digits at the beginning of a text, and returns the text after them,
 * or NULL. */
const char *number_take_whole(const char *text, uint64_t *out);

/* Reads a text that is a number such as -12.5, .5 or 1e-6, finite as a
 * double. */
bool number_real(const char *text, double *out);
/* Does the same at the beginning of a text, and returns the text after it, or
 * NULL. */
const char *number_take_real(const char *text, double *out);
/* Does the same without the value. */
const char *number_skip_real(const char *text);

/* Read a size in bytes: a whole number that may end in k, K or KiB, M or MiB,
 * G or GiB (2^10, 2^20, 2^30). number_take_bytes() returns the text after it,
 * or NULL. */
bool number_bytes(const char *text, uint64_t *out);
const char *number_take_bytes(const char *text, uint64_t *out);

/* Returns a number rounded to four significant digits. */
double number_four_digits(double v);

/* Reads a whole number, 0 or above, also as 1e9 or 3.0; it is exact, or
 * refused. */
bool number_count(const char *text, uint64_t *out);

#endif
