/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the list of figures. */
#include "cli/figure_list.h"

#include "base/datafile.h"
#include "base/known.h"
#include "cli/figure_script.h"

#include <stdlib.h>
#include <string.h>

#define LIST "results/figures/figures.json"

/* The figures that show users' own runs and measurements. */
static const struct figure general[] = {
    {.name = "native",
     .about = "halo exchanges run natively, and predicted",
     .of = OF_NATIVE,
     .make = figure_native},
    {.name = "ratio",
     .about = "device-aware against staged all-to-alls: measured, simulated",
     .platform = "lassen",
     .of = OF_MEASURED,
     .make = figure_ratio},
    {.name = "collective",
     .about = "time and bus bandwidth of a collective, by its size",
     .platform = "lassen",
     .of_workloads = true,
     .of = OF_SIZES,
     .make = figure_collective},
};
enum { NGENERAL = sizeof general / sizeof general[0] };

static bool said_true(const struct json *figure, const char *key)
{
    bool value = false;
    struct err none;

    return json_member(figure, key) &&
           json_get_bool(figure, key, &value, &none) == 0 && value;
}

static int add_figure(struct figure_list *l, const struct json *figure,
                      const char *group, struct err *err)
{
    struct figure f = {
        .platform = json_string(json_member(figure, "platform")),
        .of_workloads = said_true(figure, "workloads"),
        .of_cells = said_true(figure, "cells"),
        .group = group,
        .make = figure_script_make,
    };

    if (json_get_string(figure, "name", &f.name, err) < 0 ||
        json_get_string(figure, "about", &f.about, err) < 0)
        return fail_in(err, "%s", LIST);
    l->items = xrealloc(l->items, l->n + 1, sizeof *l->items);
    l->items[l->n++] = f;
    return 0;
}

static int add_group(struct figure_list *l, const struct json *group,
                     struct err *err)
{
    struct figure_group g;
    struct json *figures;
    int result = 0;

    if (json_get_string(group, "name", &g.name, err) < 0 ||
        json_get_string(group, "title", &g.title, err) < 0 ||
        json_get_array(group, "figures", &figures, err) < 0)
        return fail_in(err, "%s", LIST);
    l->groups = xrealloc(l->groups, l->ngroups + 1, sizeof *l->groups);
    l->groups[l->ngroups++] = g;
    for (const struct json *f = json_at(figures, 0); f && result == 0;
         f = json_next(f))
        result = add_figure(l, f, g.name, err);
    return result;
}

static int add_groups(struct figure_list *l, struct err *err)
{
    struct json *groups;
    int result = 0;

    if (json_get_array(l->doc, "groups", &groups, err) < 0)
        return fail_in(err, "%s", LIST);
    for (const struct json *g = json_at(groups, 0); g && result == 0;
         g = json_next(g))
        result = add_group(l, g, err);
    return result;
}

int figure_list_read(struct figure_list *l, struct err *err)
{
    char *path = datafile_find(LIST, err);

    *l = (struct figure_list){.doc = path ? json_load(path, err) : NULL};
    free(path);
    if (!l->doc || add_groups(l, err) < 0) {
        figure_list_clear(l);
        return -1;
    }
    for (size_t i = 0; i < NGENERAL; i++) {
        l->items = xrealloc(l->items, l->n + 1, sizeof *l->items);
        l->items[l->n++] = general[i];
    }
    return 0;
}

void figure_list_clear(struct figure_list *l)
{
    json_free(l->doc);
    free(l->items);
    free(l->groups);
    *l = (struct figure_list){0};
}

const struct figure *figure_list_find(const struct figure_list *l,
                                      const char *name, struct err *err)
{
    const char **names = xcalloc(1 + l->ngroups + l->n, sizeof *names);
    const struct figure *found = NULL;
    size_t n = 0;

    names[n++] = "all";
    for (size_t i = 0; i < l->ngroups; i++)
        names[n++] = l->groups[i].name;
    for (size_t i = 0; i < l->n; i++) {
        names[n++] = l->items[i].name;
        if (!strcmp(name, l->items[i].name))
            found = &l->items[i];
    }
    if (!found) {
        char *hint = known_hint(name, names, n, "sluice figure --help");
        (void)fail(err, "%s: unknown figure%s", name, hint);
        free(hint);
    }
    free(names);
    return found;
}

bool figure_list_is_group(const struct figure_list *l, const char *name)
{
    for (size_t i = 0; i < l->ngroups; i++)
        if (!strcmp(name, l->groups[i].name))
            return true;
    return !strcmp(name, "all");
}

bool figure_chosen(const struct figure *f, const char *name)
{
    return !strcmp(name, f->name) ||
           (f->group && (!strcmp(name, f->group) || !strcmp(name, "all")));
}
