/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traverse_check.h - checks whether a run of a graph algorithm can be
 * simulated. */
#ifndef APPS_AGENTS_TRAVERSE_CHECK_H
#define APPS_AGENTS_TRAVERSE_CHECK_H

#include "apps/agents/traverse.h"

/* Returns -1 if the machine lacks GPUs, or a number or a message table that the
 * algorithm and its execution need. */
int traverse_check(const struct traverse_input *in, struct err *err) MUST_CHECK;

#endif
