/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list_keys.h - the keys of a platform's file, for people. */
#ifndef CLI_LIST_KEYS_H
#define CLI_LIST_KEYS_H

#include "platforms/keys.h"

/* Returns the help of a key with what it is if it is left out; the caller frees
 * it. */
char *list_keys_help(const struct key *k);
/* Returns the benchmarks that measure it, "ring; off node mult_pong", or "";
 * the caller frees them. */
char *list_keys_benchmark(const struct key_table *table, const struct key *k);
/* Prints all tables as the page platforms/KEYS.md. */
void list_keys_page(void);

#endif
