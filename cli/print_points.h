/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print_points.h - prints the runs of a sweep, the best first. */
#ifndef CLI_PRINT_POINTS_H
#define CLI_PRINT_POINTS_H

#include "study/explore/store_read.h"

struct points_form {
    unsigned best; /* number for each work; 0 if not given */
    bool pareto, csv, json;
};

int print_points(const struct stored *t, const struct points_form *form,
                 struct err *err) MUST_CHECK;
/* Prints the CSV of n runs in the order of `list`, or of all if it is NULL. */
void print_points_csv(FILE *to, const struct stored *t, const size_t *list,
                      size_t n);

/* Prints the same as a JSON document (print_points_json.c). */
void print_points_json(const struct stored *t, const size_t *list, size_t n);

#endif
