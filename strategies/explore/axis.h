/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axis.h - one axis of a space: a key of an experiment, or a value of the
 * platform, with the values that it takes. */
#ifndef STRATEGIES_EXPLORE_AXIS_H
#define STRATEGIES_EXPLORE_AXIS_H

#include "base/json.h"

enum axis_kind {
    AXIS_LIST,    /* each of its values, with each of the other axes' */
    AXIS_CHOOSE,  /* sampled: one of its values */
    AXIS_BETWEEN, /* sampled: from, to, or anything between */
};

struct axis {
    const char *name;   /* "nodes", "network.bandwidth_GBps"; borrowed */
    bool set;           /* it is a value of the platform, of --set */
    const char *option; /* else: "value-bytes" */
    bool whole;         /* its numbers are rounded to whole ones */
    enum axis_kind kind;
    struct json *values; /* an array, not empty: of AXIS_LIST, AXIS_CHOOSE */
    const struct json **items; /* its elements */
    size_t n;                  /* of them */
    double from, to;           /* of AXIS_BETWEEN */
    bool log;                  /* likewise: equally likely by its logarithm */
};

/* "strategy": ["a", "b"], {"choose": [...]}, or a range: {"from": 1, "to": 64,
 * "steps": 7, "scale": "log", "whole": true}, which without steps is sampled.
 * The member of "axes" is borrowed. On -1 there is nothing to clear. */
int axis_read(struct axis *a, const struct json *member,
              struct err *err) MUST_CHECK;
void axis_clear(struct axis *a);

/* Of a list its i-th value, of a sampled axis that at u, from 0 to below 1. The
 * caller frees. */
struct json *axis_listed(const struct axis *a, size_t i);
struct json *axis_sampled(const struct axis *a, double u);
/* "network.bandwidth_GBps=25": what --set takes. The caller frees. */
char *axis_setting(const struct axis *a, const struct json *value);
/* A value as text: without quotes, on one line. The caller frees. */
char *axis_text(const struct json *value);

#endif
