/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_power_law.h - degrees that follow a power law, in decreasing order. */
#ifndef WORKLOADS_GRAPH_GRAPH_POWER_LAW_H
#define WORKLOADS_GRAPH_GRAPH_POWER_LAW_H

#include "workloads/graph/graph_generate.h"

/* The degree of rank r is proportional to (r + shift)^(p - 1): Mandelbrot's
 * form of Zipf's law, which `shift` flattens at the top. */
struct power_law {
    double p, shift;
    double vertices, arcs;
};

/* Finds the law for a number of vertices and arcs. Fails if its largest degree
 * cannot be reached with the given exponent. */
int power_law_solve(struct power_law *k, const struct graph_power_law *law,
                    double vertices, double arcs, struct err *err) MUST_CHECK;

/* Return the sum of the degrees of the first r ranks, and the deviation of all
 * degrees. */
double power_law_before(const struct power_law *k, double r);
double power_law_deviation(const struct power_law *k);

#endif
