/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep_view.h - the values that the runs of a sweep have along one axis, in
 * order, for pictures. */
#ifndef CLI_SWEEP_VIEW_H
#define CLI_SWEEP_VIEW_H

#include "strategies/explore/store_read.h"

#define SWEEP_WAYS SIZE_MAX /* in the place of an axis: the ways */

struct sweep_view {
    const struct stored *runs;
    size_t axis;         /* or SWEEP_WAYS */
    bool numbers;        /* all its values are */
    bool log;            /* of numbers: by their logarithms */
    const char **values; /* distinct, in order; borrowed from the runs */
    size_t n;
};

void sweep_view_init(struct sweep_view *v, const struct stored *t, size_t axis);
void sweep_view_clear(struct sweep_view *v);

const char *sweep_view_name(const struct sweep_view *v);
/* Which of its values a run has; v->n: none of them. */
size_t sweep_view_of(const struct sweep_view *v, const struct stored_run *r);
/* The same between 0 and 1: numbers by how large they are, texts in order. */
double sweep_view_share(const struct sweep_view *v, const struct stored_run *r);

/* The axis of that name ("way": the ways), or, where none is named, the one of
 * most values that is not `other`, numbers before texts. */
int sweep_view_find(size_t *axis, const struct stored *t, const char *name,
                    size_t other, struct err *err) MUST_CHECK;

#endif
