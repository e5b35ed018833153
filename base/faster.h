/* SPDX-License-Identifier: GPL-3.0-or-later */
/* faster.h - compares two times that may be equal but for rounding. */
#ifndef BASE_FASTER_H
#define BASE_FASTER_H

#include <stdbool.h>

/* Returns whether `a_s` is less than `b_s` by more than rounding. If it is
 * false both ways round, the times are a tie; it is false, too, if one of them
 * is NAN. */
static inline bool faster(double a_s, double b_s)
{
    return a_s < b_s * (1 - 1e-9);
}

#endif
