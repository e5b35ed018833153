/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_platform.h - the parts of `sluice show platform`. */
#ifndef CLI_SHOW_PLATFORM_H
#define CLI_SHOW_PLATFORM_H

#include "platforms/machine.h"
#include "platforms/keys.h"

struct notes;

/* Prints a line for each value of an object of a case, unless it stands in
 * columns (up to a NULL; or NULL), is 0, or is as if left out. Its name is its
 * key after `under`, such as "access.". */
void show_platform_values(const struct key_table *table, const void *of,
                          unsigned in_case, const char *under,
                          const char *const *columns, struct notes *notes);
/* Returns the same on one line, "KEY VALUE, KEY VALUE", which the caller
 * frees. */
char *show_platform_line(const struct key_table *table, const void *of,
                         const char *const *columns);
/* Prints the values of some keys in columns as wide as the keys, but at least
 * 8; prints the headings if `of` is NULL. */
void show_platform_columns(const struct key_table *table, const void *of,
                           const char *const *columns);
void show_platform_messages(const struct machine *m, struct notes *notes);
/* Prints nothing if the machine has no costs of the runtime. */
void show_platform_runtime(const struct machine *m, enum runtime by,
                           struct notes *notes);
void show_platform_matching(const struct matching *l, struct notes *notes);

/* Prints the channels that NCCL finds on so many nodes. */
int show_platform_nccl_on(const struct machine *m, unsigned nodes,
                          struct err *err) MUST_CHECK;

#endif
