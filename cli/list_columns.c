/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the entries of a list of an outcome from its table of columns. */
#include "cli/list_columns.h"

#include <stdio.h>

void list_print_head(const struct list_columns *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct field_text *t = &l->columns[i].text;
        if (t->heading)
            printf("%s%*s", t->before, t->width, t->heading);
    }
    printf("\n");
}

void list_print_entry(const struct list_columns *l, const void *entry)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct field_text *t = &l->columns[i].text;
        if (t->heading)
            printf("%s%*.*f", t->before, t->width, t->decimals,
                   l->columns[i].get(entry) * t->scale);
    }
    printf("\n");
}

void list_add_entry(struct json *o, const struct list_columns *l,
                    const void *entry)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->columns[i].key)
            json_add_number(o, l->columns[i].key, l->columns[i].get(entry));
}
