/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execution_axes.h - the keys of an execution whose values are words. */
#ifndef APPS_AGENTS_EXECUTION_AXES_H
#define APPS_AGENTS_EXECUTION_AXES_H

#include "base/json.h"

enum { MOST_WORDS = 8 };

/* A key, and the word of each enumerator. */
struct axis {
    const char *key;
    const char *words[MOST_WORDS];
    unsigned n;
    bool optional; /* if left out, it is the first word */
    /* The key and words of older files and settings; NULL if they are the
     * same. */
    const char *older_key, *older_words[MOST_WORDS];
};

extern const struct axis kernel_axis, launch_axis, schedule_axis, control_axis,
    forwarding_axis, runtime_axis, direction_axis, pagerank_axis, residues_axis,
    receive_axis, order_axis, received_axis, scope_axis, scan_axis, group_axis,
    exchange_axis;

/* Returns the enumerator of a word; -1 if the axis has none. */
int axis_find(const struct axis *axis, const char *word);
/* Returns the enumerator that the object's word names; -1 on an error. */
int read_axis(const struct json *o, const struct axis *axis,
              struct err *err) MUST_CHECK;

#endif
