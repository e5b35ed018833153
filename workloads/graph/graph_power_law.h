/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_power_law.h - degrees that follow a power law, from the largest on. */
#ifndef WORKLOADS_GRAPH_GRAPH_POWER_LAW_H
#define WORKLOADS_GRAPH_GRAPH_POWER_LAW_H

#include "workloads/graph/graph_generate.h"

/*
 * The vertex of rank r has a degree in proportion to (r + shift)^(p - 1):
 * Mandelbrot's form of Zipf's law, which `shift` flattens at the top.
 */
struct power_law {
    double p, shift;
    double vertices, arcs;
};

int power_law_solve(struct power_law *k, const struct graph_power_law *law,
                    double vertices, double arcs, struct err *err) MUST_CHECK;

/* The degrees of the first r ranks together, and the deviation of all. */
double power_law_before(const struct power_law *k, double r);
double power_law_deviation(const struct power_law *k);

#endif
