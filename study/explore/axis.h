/* SPDX-License-Identifier: GPL-3.0-or-later */
/* axis.h - one axis of a space: a key of an experiment, or a value of the
 * platform, with the values that it takes. */
#ifndef STUDY_EXPLORE_AXIS_H
#define STUDY_EXPLORE_AXIS_H

#include "base/json.h"

enum axis_kind {
    AXIS_LIST,    /* each of its values, with each of the other axes' */
    AXIS_CHOOSE,  /* a sample has one of its values */
    AXIS_BETWEEN, /* a sample has a value from `from` to `to` */
};

struct axis {
    const char *name;   /* "nodes", "network.bandwidth_GBps"; borrowed */
    bool set;           /* it is a value of the platform, for --set */
    const char *option; /* otherwise its option: "value-bytes" */
    bool whole;         /* its numbers are rounded to integers */
    enum axis_kind kind;
    struct json *values; /* for AXIS_LIST, AXIS_CHOOSE: an array, not empty */
    const struct json **items; /* its elements */
    size_t n;                  /* length of items */
    double from, to;           /* for AXIS_BETWEEN */
    bool log;                  /* for AXIS_BETWEEN: uniform in its logarithm */
};

/* Reads an axis: "strategy": ["a", "b"], {"choose": [...]}, or a range:
 * {"from": 1, "to": 64, "steps": 7, "scale": "log", "whole": true}, which is
 * sampled if it has no steps. `member` is a member of "axes" and is borrowed.
 * If it returns -1 there is nothing to clear. */
int axis_read(struct axis *a, const struct json *member,
              struct err *err) MUST_CHECK;
void axis_clear(struct axis *a);

/* Return the i-th value of a list, and the value of a sampled axis at u, 0 <= u
 * < 1. The caller frees it. */
struct json *axis_listed(const struct axis *a, size_t i);
struct json *axis_sampled(const struct axis *a, double u);
/* Returns "network.bandwidth_GBps=25", as --set accepts it. The caller frees
 * it. */
char *axis_setting(const struct axis *a, const struct json *value);
/* Returns a value as text: without quotes, on one line. The caller frees it. */
char *axis_text(const struct json *value);

#endif
