/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_view.h - the ordered values of the runs of a sweep along one axis, for
 * pictures. */
#ifndef CLI_SWEEP_VIEW_H
#define CLI_SWEEP_VIEW_H

#include "study/explore/store_read.h"

#define SWEEP_CANDIDATES SIZE_MAX /* in place of an axis, the candidates */

struct sweep_view {
    const struct stored *runs;
    size_t axis;         /* or SWEEP_CANDIDATES */
    bool numbers;        /* all its values are numbers */
    bool log;            /* numbers are placed by their logarithms */
    const char **values; /* distinct, in order; borrowed from the runs */
    size_t n;
};

void sweep_view_init(struct sweep_view *v, const struct stored *t, size_t axis);
void sweep_view_clear(struct sweep_view *v);

const char *sweep_view_name(const struct sweep_view *v);
/* Returns the index of a run's value; v->n if the view lacks it. */
size_t sweep_view_of(const struct sweep_view *v, const struct stored_run *r);
/* Returns the place of a run's value between 0 and 1: numbers by their size,
 * texts by their order. */
double sweep_view_share(const struct sweep_view *v, const struct stored_run *r);

/* Finds the axis of that name ("way" for the candidates) or, if name is NULL,
 * the one with most values that is not `other`, numbers before texts. */
int sweep_view_find(size_t *axis, const struct stored *t, const char *name,
                    size_t other, struct err *err) MUST_CHECK;

#endif
