/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list_columns.h - prints the lists of an outcome (study/run/lists.h),
 * such as its hosts or its GPUs, as text, CSV and JSON. */
#ifndef CLI_LIST_COLUMNS_H
#define CLI_LIST_COLUMNS_H

#include "base/json.h"
#include "cli/print_run.h"
#include "study/run/lists.h"

#include <stddef.h>

/* Print the headings and an entry to the end of a line that has begun. */
void list_print_head(enum run_list list);
void list_print_entry(enum run_list list, const struct outcome *o, size_t i);
/* Prints an entry to the end of such a line, each number before its heading. */
void list_print_line(enum run_list list, const struct outcome *o, size_t i);
/* Writes the numbers of an entry alone. */
void list_entry_text(char *text, size_t size, enum run_list list,
                     const struct outcome *o, size_t i);

/* Adds the numbers of an entry; a key is missing if its number is not known. */
void list_add_entry(struct json *x, enum run_list list, const struct outcome *o,
                    size_t i);
/* Returns an array of the entries, whose first key names them if it is
 * labelled. */
struct json *list_array(enum run_list list, const struct outcome *o,
                        bool labelled);
/* Returns an object of the entries by their names. */
struct json *list_object(enum run_list list, const struct outcome *o);

/* Print one list of all outcomes, with the place of each: a table of text, and
 * CSV, whose head is printed apart. */
void print_list(const struct run_results *r, const struct list *l);
void print_list_csv_head(const struct list *l);
void print_list_csv_rows(const struct run_results *r, const struct list *l);

#endif
