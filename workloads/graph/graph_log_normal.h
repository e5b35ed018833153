/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph_log_normal.h - degrees whose logarithms are normal, as in social
 * networks and in the web, in decreasing order. */
#ifndef WORKLOADS_GRAPH_GRAPH_LOG_NORMAL_H
#define WORKLOADS_GRAPH_GRAPH_LOG_NORMAL_H

#include <stdint.h>

/* A law that is fitted to mean and deviation: sigma^2 = ln(1 + (deviation /
 * mean)^2). The largest degrees (hubs) fall from max_degree with the square
 * root of their rank until they meet the others; fewer than 1 in 64 are
 * hubs. */
struct log_normal {
    double sigma; /* in powers of 2 */
    double scale; /* chosen such that the sum of all degrees is right */
    double max_degree, vertices;
    double fall;   /* exponent of the rank for hubs; 0 for the square root */
    uint64_t hubs; /* number of hubs */
};

/* Fits a law to the sum of all degrees and the deviation without hubs. */
void log_normal_init(struct log_normal *l, uint64_t vertices, double sum,
                     double deviation, double max_degree);

/* Fits a law to the deviation of all degrees, including hubs, which fall with
 * the power `fall` of their rank. */
void log_normal_init_hubs(struct log_normal *l, uint64_t vertices, double sum,
                          double deviation, double max_degree, double fall);

/* Returns the degree of rank r, counted from 0; it is not rounded. */
double log_normal_degree(const struct log_normal *l, uint64_t r);

/* Returns the x that a normal number is below with probability p, where 0 < p <
 * 1, to 2e-9 (Acklam 2003). */
double normal_quantile(double p);

#endif
