/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list_columns.h - prints the entries of a list of an outcome, such as its
 * hosts or its GPUs, from one table of columns for text and JSON. */
#ifndef CLI_LIST_COLUMNS_H
#define CLI_LIST_COLUMNS_H

#include "base/json.h"
#include "strategies/run/fields.h"

#include <stddef.h>

struct list_column {
    const char *key; /* in JSON; NULL if only text has it */
    struct field_text text;
    double (*get)(const void *entry);
};

/* A list is a macro of lines COLUMN(name, key, text, value): its file makes
 * get_NAME() of the values, and this makes the table's rows of the others. The
 * text is in parentheses, as it has commas. */
#define LIST_COLUMN(name, key, text, value) {key, LIST_TEXT text, get_##name},
#define LIST_TEXT(...)                                                         \
    {                                                                          \
        __VA_ARGS__                                                            \
    }

struct list_columns {
    const struct list_column *columns;
    size_t n;
};

/* Print the headings and an entry to the end of a line that has begun. */
void list_print_head(const struct list_columns *l);
void list_print_entry(const struct list_columns *l, const void *entry);
void list_add_entry(struct json *o, const struct list_columns *l,
                    const void *entry);

#endif
