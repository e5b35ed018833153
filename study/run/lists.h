/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lists.h - the lists of a run, such as its links or its GPUs (lists.def): one
 * table that tables, CSV, JSON, databases of sweeps, the library and Python
 * read, so that a column is one line. */
#ifndef STUDY_RUN_LISTS_H
#define STUDY_RUN_LISTS_H

#include "base/err.h"
#include "study/run/fields.h"

#include <stdbool.h>
#include <stddef.h>

struct link_use;

enum run_list {
#define LIST(list, type, label, kind, entries, entry, has, words) LIST_##list,
#define COLUMN(list, key, unit, text, value)
#define SHOWN(list, name, text, value)
#include "study/run/lists.def"
    NLISTS
};

struct list_column {
    enum run_list list;
    const char *key, *unit; /* NULL if only tables have the column */
    struct field_text text;
    double (*get)(const struct outcome *o, size_t i); /* NAN if not known */
};

#define LIST_LABEL 96

struct list {
    const char *name, *label; /* the key that names an entry */
    bool numbered;            /* and whether its values are numbers */
    const struct list_column *columns;
    size_t (*entries)(const struct outcome *o);
    bool (*has)(const struct outcome *o, size_t i); /* the entry has numbers */
    void (*words)(char words[LIST_LABEL], const struct outcome *o, size_t i);
};
extern const struct list run_lists[NLISTS];

/* Visits the columns of a list; those without a key are for tables only. */
#define FOR_COLUMNS(c, l)                                                      \
    for (const struct list_column *c = (l)->columns;                           \
         c->list == (enum run_list)((l)-run_lists); c++)
/* Visits the columns with a key. */
#define FOR_KEYS(c, l)                                                         \
    FOR_COLUMNS (c, l)                                                         \
        if (c->key)
/* Visits the entries of an outcome that have numbers. */
#define FOR_ENTRIES(i, l, o)                                                   \
    for (size_t i = 0; i < (l)->entries(o); i++)                               \
        if ((l)->has(o, i))

/* Visits the lists whose bit is set. */
#define FOR_LISTS(l, lists)                                                    \
    for (const struct list *l = run_lists; l < run_lists + NLISTS; l++)        \
        if ((lists) >> (l - run_lists) & 1)

/* Returns the number of columns with a key. */
size_t list_keys(const struct list *l);
/* Finds a list by its name; NULL and an error if there is none. */
const struct list *list_find(const char *name, struct err *err);
/* Reads names of lists, "links,phases", as bits 1 << LIST_links ...; NULL is
 * none. */
int list_read_names(unsigned *lists, const char *names,
                    struct err *err) MUST_CHECK;

/* A copy of a list of an outcome, which outlives it: for each entry its name,
 * and list_keys() values. */
struct list_copy {
    size_t n;
    char (*names)[LIST_LABEL];
    double *values;
};
void list_copy_make(struct list_copy *to, const struct list *l,
                    const struct outcome *o);
void list_copy_clear(struct list_copy *c);

/* Returns the part of a link's bandwidth that its bytes used in that time. */
double link_utilisation(const struct link_use *l, double time_s);
/* Writes the key of a phase in JSON and CSV: "off_node". */
void phase_key(char words[LIST_LABEL], size_t phase);

#endif
