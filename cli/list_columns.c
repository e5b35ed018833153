/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the lists of an outcome from their tables of columns. */
#include "cli/list_columns.h"

#include "base/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- among the results ---------------------------------------------------- */

void list_print_head(enum run_list list)
{
    FOR_COLUMNS (c, &run_lists[list])
        if (c->text.heading)
            printf("%s%*s", c->text.before, c->text.width, c->text.heading);
    printf("\n");
}

void list_print_entry(enum run_list list, const struct outcome *o, size_t i)
{
    FOR_COLUMNS (c, &run_lists[list])
        if (c->text.heading)
            printf("%s%*.*f", c->text.before, c->text.width, c->text.decimals,
                   c->get(o, i) * c->text.scale);
    printf("\n");
}

void list_print_line(enum run_list list, const struct outcome *o, size_t i)
{
    FOR_COLUMNS (c, &run_lists[list])
        if (c->text.heading)
            printf("%s%*.*f %s", c->text.before, c->text.width,
                   c->text.decimals, c->get(o, i) * c->text.scale,
                   c->text.heading);
    printf("\n");
}

void list_entry_text(char *text, size_t size, enum run_list list,
                     const struct outcome *o, size_t i)
{
    size_t at = 0;

    *text = '\0';
    FOR_COLUMNS (c, &run_lists[list])
        if (c->text.heading && at < size)
            at += (size_t)snprintf(
                text + at, size - at, "%s%*.*f", c->text.before, c->text.width,
                c->text.decimals, c->get(o, i) * c->text.scale);
}

/* --- JSON ----------------------------------------------------------------- */

void list_add_entry(struct json *x, enum run_list list, const struct outcome *o,
                    size_t i)
{
    FOR_KEYS (c, &run_lists[list])
        json_add_known(x, c->key, c->get(o, i));
}

struct json *list_array(enum run_list list, const struct outcome *o,
                        bool labelled)
{
    const struct list *l = &run_lists[list];
    struct json *all = json_new_array();
    char words[LIST_LABEL];

    FOR_ENTRIES (i, l, o) {
        struct json *x = json_new_object();
        l->words(words, o, i);
        if (labelled && l->numbered)
            json_add_number(x, l->label, strtod(words, NULL));
        else if (labelled)
            json_add_string(x, l->label, words);
        list_add_entry(x, list, o, i);
        json_append(all, x);
    }
    return all;
}

struct json *list_object(enum run_list list, const struct outcome *o)
{
    const struct list *l = &run_lists[list];
    struct json *all = json_new_object();
    char words[LIST_LABEL];

    FOR_ENTRIES (i, l, o) {
        struct json *x = json_new_object();
        l->words(words, o, i);
        list_add_entry(x, list, o, i);
        json_add(all, words, x);
    }
    return all;
}

/* --- one list alone ------------------------------------------------------- */

/* The width of a column of numbers. */
static int column_width(const struct list_column *c)
{
    int width = (int)strlen(c->key);

    return width < 12 ? 12 : width;
}

/* Returns the width of the names of entries, of all outcomes. */
static int label_width(const struct run_results *r, const struct list *l)
{
    size_t width = strlen(l->label);
    char words[LIST_LABEL];

    for (size_t k = 0; k < r->n; k++)
        FOR_ENTRIES (i, l, &r->list[k]) {
            l->words(words, &r->list[k], i);
            if (strlen(words) > width)
                width = strlen(words);
        }
    return (int)width;
}

void print_list(const struct run_results *r, const struct list *l)
{
    int width = label_width(r, l), wide = ranking_width(r);
    char words[LIST_LABEL];

    printf("%-*s %-*s", wide, "strategy", width, l->label);
    FOR_KEYS (c, l)
        printf(" %*s", column_width(c), c->key);
    printf("\n");
    for (size_t k = 0; k < r->n; k++)
        FOR_ENTRIES (i, l, &r->list[k]) {
            l->words(words, &r->list[k], i);
            printf("%-*s %-*s", wide, r->list[k].name, width, words);
            FOR_KEYS (c, l) {
                double value = c->get(&r->list[k], i);
                if (isnan(value))
                    printf(" %*s", column_width(c), "-");
                else
                    printf(" %*.6g", column_width(c), value);
            }
            printf("\n");
        }
}

void print_list_csv_head(const struct list *l)
{
    printf("platform,workload,nodes,gpus,strategy,%s", l->label);
    FOR_KEYS (c, l)
        printf(",%s", c->key);
    printf("\n");
}

void print_list_csv_rows(const struct run_results *r, const struct list *l)
{
    char words[LIST_LABEL];

    for (size_t k = 0; k < r->n; k++)
        FOR_ENTRIES (i, l, &r->list[k]) {
            l->words(words, &r->list[k], i);
            print_csv_place(r, &r->list[k]);
            putchar(',');
            csv_print_cell(stdout, words);
            FOR_KEYS (c, l)
                csv_print_number(c->get(&r->list[k], i));
            printf("\n");
        }
}
