/* SPDX-License-Identifier: GPL-3.0-or-later */
/* figure_list.h - the figures that `sluice figure` draws: those of papers, as
 * results/figures/figures.json lists them, and the general ones. */
#ifndef CLI_FIGURE_LIST_H
#define CLI_FIGURE_LIST_H

#include "base/json.h"
#include "cli/figure.h"

struct figure_group {
    const char *name, *title;
};

struct figure_list {
    struct json *doc; /* owns the texts */
    struct figure *items;
    size_t n;
    struct figure_group *groups;
    size_t ngroups;
};

int figure_list_read(struct figure_list *l, struct err *err) MUST_CHECK;
void figure_list_clear(struct figure_list *l);

/* Returns the figure of this name; if it is unknown, NULL with an error that
 * lists the names and suggests one. */
const struct figure *figure_list_find(const struct figure_list *l,
                                      const char *name,
                                      struct err *err) MUST_CHECK;
/* Returns whether the name is "all", or that of a group. */
bool figure_list_is_group(const struct figure_list *l, const char *name);
/* Returns whether the name chooses the figure: its own, its group's, "all". A
 * general figure is chosen only by its own name. */
bool figure_chosen(const struct figure *f, const char *name);

#endif
