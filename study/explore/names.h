/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h - checks for unknown names in a space. */
#ifndef STUDY_EXPLORE_NAMES_H
#define STUDY_EXPLORE_NAMES_H

#include "study/explore/space.h"

/* Returns -1 if a value of some axis (a strategy, an algorithm, a runtime,
 * ...), or a name of the base, is valid with no workload of the space, because
 * it is then not known. */
int names_check(const struct space *s, struct err *err) MUST_CHECK;

#endif
