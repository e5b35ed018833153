/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h - numbers for the names of calls, from 0 in the order in which they
 * first come. */
#ifndef WORKLOADS_TRACE_NAMES_H
#define WORKLOADS_TRACE_NAMES_H

#include <stddef.h>

/* All 0: empty. */
struct names {
    char **text; /* n; owned */
    size_t n;
    size_t *table, room; /* by hash; SIZE_MAX: free */
};

size_t names_number(struct names *names, const char *name);
void names_clear(struct names *names);

#endif
