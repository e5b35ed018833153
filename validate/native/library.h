/* SPDX-License-Identifier: GPL-3.0-or-later */
/* library.h - the MPI library's own collectives, to be timed beside plans. */
#ifndef VALIDATE_NATIVE_LIBRARY_H
#define VALIDATE_NATIVE_LIBRARY_H

#include "strategies/collective/collective.h"
#include "validate/native/repeat.h"

/* Whether it takes memory of that kind. */
bool library_can(const struct native *n, const struct collective *c);
/* As repeat() does; every element of the result is checked, or all ranks end.
 */
int library_repeat(struct samples *s, const struct native *n,
                   const struct collective *c, const struct repeat *how,
                   struct err *err) MUST_CHECK;

#endif
