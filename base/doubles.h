/* SPDX-License-Identifier: GPL-3.0-or-later */
/* doubles.h - sorts numbers, and finds their median. */
#ifndef BASE_DOUBLES_H
#define BASE_DOUBLES_H

#include <stddef.h>

/* Sorts in rising order. No number is NAN. */
void doubles_sort(double *values, size_t n);
/* Sorts and returns the median; NAN if there are none. */
double doubles_median(double *values, size_t n);

#endif
