/* SPDX-License-Identifier: GPL-3.0-or-later */
/* library.h - the MPI library's own collectives, timed for comparison with
 * plans. */
#ifndef VALIDATE_NATIVE_LIBRARY_H
#define VALIDATE_NATIVE_LIBRARY_H

#include "strategies/collective/collective.h"
#include "validate/native/repeat.h"

/* Returns whether the library can use memory of that kind. */
bool library_can(const struct native *n, const struct collective *c);
/* Times a collective as repeat() does. Checks every element of the result; ends
 * all ranks if one is wrong. */
int library_repeat(struct samples *s, const struct native *n,
                   const struct collective *c, const struct repeat *how,
                   struct err *err) MUST_CHECK;

#endif
