/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the tables of the lists of a run from lists.def. */
#include "study/run/lists.h"

#include "base/known.h"
#include "study/run/run.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double link_utilisation(const struct link_use *l, double time_s)
{
    return time_s > 0 ? l->bytes / (l->bandwidth_Bps * time_s) : 0;
}

void phase_key(char words[LIST_LABEL], size_t phase)
{
    snprintf(words, LIST_LABEL, "%s", phase_names[phase]);
    for (char *c = words; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
}

static double queue_mean(const struct match_length *l)
{
    return l->searches ? (double)l->sum / (double)l->searches : 0;
}

/* Returns the percentage of the run's time. */
static double share(const struct outcome *o, double part_s)
{
    return o->graph->time_s > 0 ? 100 / o->graph->time_s * part_s : 0;
}

/* --- the functions of each list ------------------------------------------- */

#define LABEL(...) snprintf(words, LIST_LABEL, __VA_ARGS__)
#define LIST(list, type, label, kind, entries, entry, has, label_words)        \
    typedef type entry_of_##list;                                              \
    static const entry_of_##list *entry_##list(const struct outcome *o,        \
                                               size_t i)                       \
    {                                                                          \
        return entry;                                                          \
    }                                                                          \
    static size_t entries_##list(const struct outcome *o)                      \
    {                                                                          \
        return entries;                                                        \
    }                                                                          \
    static bool has_##list(const struct outcome *o, size_t i)                  \
    {                                                                          \
        const entry_of_##list *e = entry_##list(o, i);                         \
        (void)e; /* because some lists have all entries */                     \
        return has;                                                            \
    }                                                                          \
    static void words_##list(char words[LIST_LABEL], const struct outcome *o,  \
                             size_t i)                                         \
    {                                                                          \
        const entry_of_##list *e = entry_##list(o, i);                         \
        (void)e; /* because some entries are named by their place */           \
        label_words;                                                           \
    }
#define COLUMN(list, key, unit, text, value) GET(list, key, value)
#define SHOWN(list, name, text, value) GET(list, name, value)
#define GET(list, key, value)                                                  \
    static double get_##list##_##key(const struct outcome *o, size_t i)        \
    {                                                                          \
        const entry_of_##list *e = entry_##list(o, i);                         \
        (void)e; /* because the value of some is elsewhere in the outcome */   \
        return (double)(value);                                                \
    }
#include "study/run/lists.def"

/* --- tables --------------------------------------------------------------- */

#define LIST(list, type, label, kind, entries, entry, has, words)
#define COLUMN(list, key, unit, text, value)                                   \
    {LIST_##list, #key, unit, text, get_##list##_##key},
#define SHOWN(list, name, text, value)                                         \
    {LIST_##list, NULL, NULL, text, get_##list##_##name},
static const struct list_column all_columns[] = {
#include "study/run/lists.def"
    {.list = NLISTS}, /* the end of the last list */
};

/* The place of the first column of each list. */
enum first_columns {
#define LIST(list, type, label, kind, entries, entry, has, words)              \
    FIRST_OF_##list, BEFORE_##list = FIRST_OF_##list - 1,
#define COLUMN(list, key, unit, text, value) AT_##list##_##key,
#define SHOWN(list, name, text, value) AT_##list##_##name,
#include "study/run/lists.def"
};

enum { WORD, NUMBER };
#define LIST(list, type, label, kind, entries, entry, has, words)              \
    [LIST_##list] = {#list,                                                    \
                     label,                                                    \
                     (kind) == NUMBER,                                         \
                     &all_columns[FIRST_OF_##list],                            \
                     entries_##list,                                           \
                     has_##list,                                               \
                     words_##list},
#define COLUMN(list, key, unit, text, value)
#define SHOWN(list, name, text, value)
const struct list run_lists[NLISTS] = {
#include "study/run/lists.def"
};

/* --- finding -------------------------------------------------------------- */

size_t list_keys(const struct list *l)
{
    size_t n = 0;

    FOR_KEYS (c, l)
        n++;
    return n;
}

const struct list *list_find(const char *name, struct err *err)
{
    const char *names[NLISTS];

    for (size_t i = 0; i < NLISTS; i++) {
        names[i] = run_lists[i].name;
        if (!strcmp(name, names[i]))
            return &run_lists[i];
    }
    char *hint = known_hint(name, names, NLISTS, "sluice run --help");
    (void)fail(err, "%s: no list of a run%s", name, hint);
    free(hint);
    return NULL;
}

int list_read_names(unsigned *lists, const char *names, struct err *err)
{
    char *copy = xstrdup(names ? names : ""), *rest = copy;
    int result = 0;

    *lists = 0;
    for (char *name; names && result == 0 && (name = strsep(&rest, ","));) {
        const struct list *l = list_find(name, err);
        result = l ? 0 : -1;
        *lists |= l ? 1u << (l - run_lists) : 0;
    }
    free(copy);
    return result;
}

/* --- copies --------------------------------------------------------------- */

void list_copy_make(struct list_copy *to, const struct list *l,
                    const struct outcome *o)
{
    size_t most = l->entries(o), at = 0;

    *to = (struct list_copy){
        .names = xcalloc(most, sizeof *to->names),
        .values = xcalloc(most, list_keys(l) * sizeof *to->values)};
    FOR_ENTRIES (i, l, o) {
        l->words(to->names[to->n++], o, i);
        FOR_KEYS (c, l)
            to->values[at++] = c->get(o, i);
    }
}

void list_copy_clear(struct list_copy *c)
{
    free(c->names);
    free(c->values);
    *c = (struct list_copy){0};
}
