/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remarks.h - sentences about a library's choice that a user should know: it is
 * another library's, or that of another version, or there is none, or its plan
 * is coarse, or a setting has no effect on it. */
#ifndef STRATEGIES_COLLECTIVE_LIBRARIES_REMARKS_H
#define STRATEGIES_COLLECTIVE_LIBRARIES_REMARKS_H

#include "strategies/collective/collective.h"

enum { MOST_REMARKS = 4 };
/* Stores the remarks on a collective and returns their number. The caller frees
 * each. */
size_t library_remarks(char *list[MOST_REMARKS], const struct machine *m,
                       const struct collective *c);

/* Returns a sentence with the settings by which NCCL has no algorithm, or NULL
 * if it has one or no setting is the cause. The caller frees it. */
char *nccl_leaves_nothing(const struct machine *m, const struct collective *c);

#endif
