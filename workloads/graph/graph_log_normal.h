/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_log_normal.h - degrees whose logarithms are normal, as those of social
 * networks and of pages are, from the largest on. */
#ifndef WORKLOADS_GRAPH_GRAPH_LOG_NORMAL_H
#define WORKLOADS_GRAPH_GRAPH_LOG_NORMAL_H

#include <stdint.h>

/*
 * By mean and deviation alone: sigma^2 = ln(1 + (deviation / mean)^2). The
 * largest degrees fall from max_degree with the square root of their rank
 * until they meet the others: fewer than 1 in 64.
 */
struct log_normal {
    double sigma; /* in powers of 2 */
    double scale; /* makes the sum of all what it should be */
    double max_degree, vertices;
    double fall;   /* the power of the rank that hubs fall with; 0: its root */
    uint64_t hubs; /* ranks that fall with it */
};

void log_normal_init(struct log_normal *l, uint64_t vertices, double sum,
                     double deviation, double max_degree);

/* The deviation is that of all, hubs too, whose degrees fall with the power
 * `fall` of their rank. */
void log_normal_init_hubs(struct log_normal *l, uint64_t vertices, double sum,
                          double deviation, double max_degree, double fall);

/* Of rank r, from 0: not rounded. */
double log_normal_degree(const struct log_normal *l, uint64_t r);

/* The x that a normal number is below with probability p, above 0 and below 1:
 * to 2e-9 (Acklam 2003). */
double normal_quantile(double p);

#endif
