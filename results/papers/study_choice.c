/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the cells of a study. */
#include "results/papers/study.h"

#include <stdlib.h>
#include <string.h>

static bool among(const struct study_names *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (!strcmp(names->items[i], name))
            return true;
    return !names->n;
}

bool study_wants(const struct study_choice *choice, const struct cell_key *k)
{
    return among(&choice->applications, k->application) &&
           among(&choice->machines, k->machine) &&
           among(&choice->frameworks, k->framework) &&
           among(&choice->graphs, k->graph) &&
           (!choice->gpus || choice->gpus >> k->gpus & 1);
}

/* Finds the distinct texts of one column of the cells, at an offset of their
 * keys; returns their number. */
static size_t distinct(const char **out, const struct cells *c, size_t offset)
{
    size_t n = 0;

    for (size_t i = 0; i < c->n; i++) {
        const char *name = (const char *)&c->list[i].key + offset;
        size_t k = 0;
        while (k < n && strcmp(out[k], name) != 0)
            k++;
        if (k == n)
            out[n++] = name;
    }
    return n;
}

static int check_names(const struct study_names *names, const struct cells *c,
                       size_t offset, const char *what, struct err *err)
{
    const char **known = xcalloc(c->n, sizeof *known);
    size_t n = distinct(known, c, offset);
    int result = 0;

    for (size_t i = 0; i < names->n && result == 0; i++) {
        const char *name = names->items[i];
        if (among(&(struct study_names){known, n}, name))
            continue;
        const char *near = nearest_word(name, known, n);
        char *list = xstrdup(known[0]);
        for (size_t k = 1; k < n; k++) {
            char *longer = xasprintf("%s, %s", list, known[k]);
            free(list);
            list = longer;
        }
        result =
            near ? fail(err, "--%s %s: unknown (did you mean %s?)", what, name,
                        near)
                 : fail(err, "--%s %s: unknown; known: %s", what, name, list);
        free(list);
    }
    free(known);
    return result;
}

int study_check(const struct study_choice *x, const struct cells *c,
                struct err *err)
{
    bool any = false;

#define CHECK_NAMES(field, what)                                               \
    check_names(&x->field, c, offsetof(struct cell_key, what), #what, err)
    if (CHECK_NAMES(applications, application) < 0 ||
        CHECK_NAMES(machines, machine) < 0 ||
        CHECK_NAMES(frameworks, framework) < 0 ||
        CHECK_NAMES(graphs, graph) < 0)
        return -1;
#undef CHECK_NAMES
    for (size_t i = 0; i < c->n; i++)
        any |= study_wants(x, &c->list[i].key);
    return any ? 0
               : fail(err, "no cell of the tables is all of what is asked "
                           "for");
}
