/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h - names in a space that nothing knows. */
#ifndef STRATEGIES_EXPLORE_NAMES_H
#define STRATEGIES_EXPLORE_NAMES_H

#include "strategies/explore/space.h"

/* -1: a value of some axis (a strategy, an algorithm, a runtime, ...), or a
 * name of the base, can be carried out with no workload of the space: it is not
 * known. */
int names_check(const struct space *s, struct err *err) MUST_CHECK;

#endif
