/* SPDX-License-Identifier: GPL-3.0-or-later */
/* constraint.h - conditions on the points of a space; points that violate one
 * are left out. */
#ifndef STUDY_EXPLORE_CONSTRAINT_H
#define STUDY_EXPLORE_CONSTRAINT_H

#include "base/json.h"

/* Returns the value of an axis, or of a key of the base, at a point; NULL if
 * there is none of that name. The value is valid until the next call. */
typedef const struct json *constraint_value(void *arg, const char *name);

/* Evaluates a constraint: [LEFT, COMPARISON, RIGHT], such as ["nodes", "<=",
 * 64], or {"any": [CONSTRAINT, ...]}, which holds if one of them does. A side
 * is a number, the name of an axis or of a key of the base, or {"product":
 * [SIDE, ...]}; a name whose value is a text can be compared, by == and !=,
 * with {"text": "lassen"} on the right side. Returns 1 if it holds, 0 if not;
 * -1 if it is not a constraint, or compares a number with a text. */
int constraint_holds(const struct json *c, constraint_value *value, void *arg,
                     struct err *err) MUST_CHECK;

#endif
