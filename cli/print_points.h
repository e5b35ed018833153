/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_points.h - the runs of a sweep, the best first. */
#ifndef CLI_PRINT_POINTS_H
#define CLI_PRINT_POINTS_H

#include "strategies/explore/store_read.h"

struct points_form {
    unsigned best; /* of each work; 0: not said */
    bool pareto, csv, json;
};

int print_points(const struct stored *t, const struct points_form *form,
                 struct err *err) MUST_CHECK;
/* The CSV of some runs, or of all (NULL), in the order of the list. */
void print_points_csv(FILE *to, const struct stored *t, const size_t *list,
                      size_t n);

/* Likewise as a JSON document. (In print_points_json.c.) */
void print_points_json(const struct stored *t, const size_t *list, size_t n);

#endif
