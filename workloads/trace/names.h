/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.h - numbers for the names of calls, from 0 in the order in which they
 * first occur. */
#ifndef WORKLOADS_TRACE_NAMES_H
#define WORKLOADS_TRACE_NAMES_H

#include <stddef.h>

/* A table of names. It is empty if it is all 0. */
struct names {
    char **text; /* the n names, owned */
    size_t n;
    size_t *table, room; /* table[] has a number or SIZE_MAX (free), by hash */
};

/* Returns the number of a name; copies the name if it is new. */
size_t names_number(struct names *names, const char *name);
/* Frees the names; the table is empty again. */
void names_clear(struct names *names);

#endif
