/* SPDX-License-Identifier: GPL-3.0-or-later */
/* constraint.h - which points of a space are left out. */
#ifndef STRATEGIES_EXPLORE_CONSTRAINT_H
#define STRATEGIES_EXPLORE_CONSTRAINT_H

#include "base/json.h"

/* The value of an axis, or of a key of the base, at a point; NULL: there is
 * none of that name. The value stays valid until the next call. */
typedef const struct json *constraint_value(void *arg, const char *name);

/*
 * A constraint is [LEFT, COMPARISON, RIGHT], such as ["nodes", "<=", 64], or
 * {"any": [CONSTRAINT, ...]}: one of them holds. A side is a number, the name
 * of an axis or of a key of the base, or {"product": [SIDE, ...]}; of a name
 * whose value is a text, with == and !=, the right side is {"text": "lassen"}.
 * 1: it holds, 0: it does not; -1: it is none, or compares a number with a
 * text. */
int constraint_holds(const struct json *c, constraint_value *value, void *arg,
                     struct err *err) MUST_CHECK;

#endif
