/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.h - numbers as text, from options and files. Decimal only: no blanks
 * or
 * + in front, no hexadecimal, no inf and nan, nothing too large, and nothing
 * that would be rounded to another whole number. What is refused leaves *out.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* The whole text is digits, of a number that 64 bits hold. */
bool number_whole(const char *text, uint64_t *out);
/* The digits at the beginning of the text: what follows them, or NULL. */
const char *number_take_whole(const char *text, uint64_t *out);

/* The whole text is a number such as -12.5, .5 or 1e-6, finite as a double. */
bool number_real(const char *text, double *out);
/* The same at the beginning of the text: what follows it, or NULL. */
const char *number_take_real(const char *text, double *out);
/* The same without the value. */
const char *number_skip_real(const char *text);

/* A size in bytes: whole, with k or K, M, G (2^10, 2^20, 2^30) or none behind
 * it. number_take_bytes() returns what follows it, or NULL. */
bool number_bytes(const char *text, uint64_t *out);
const char *number_take_bytes(const char *text, uint64_t *out);

/* Whole and not below 0, also as 1e9 or 3.0; exact, or refused. */
bool number_count(const char *text, uint64_t *out);

#endif
