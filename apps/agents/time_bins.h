/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_bins.h - an amount over time, in a fixed number of bins of equal width.
 * The duration need not be known, because the bins double their width when the
 * time passes the last one. */
#ifndef APPS_AGENTS_TIME_BINS_H
#define APPS_AGENTS_TIME_BINS_H

#include <stddef.h>

/* A binary tree, so that adding to an interval over many bins is a few
 * additions: the value of a node is added to each of the bins below it. Node 1
 * is the root, the children of node i are 2 i and 2 i + 1, bin i is node n +
 * i. */
struct time_bins {
    double width_s; /* a power of two */
    size_t n;       /* a power of two */
    double *tree;   /* 2 n nodes */
    size_t used;    /* the bins from this one on are all 0 */
};

void time_bins_init(struct time_bins *b, size_t n);
void time_bins_clear(struct time_bins *b);

/* Adds an amount evenly over the time; all at once if to_s is from_s. Times are
 * 0 or later, in any order. Takes O(log n), without the doubling. */
void time_bins_add(struct time_bins *b, double from_s, double to_s,
                   double amount);
/* Returns the amount in a bin. Takes O(log n). */
double time_bins_amount(const struct time_bins *b, size_t i);

/* Divides the amount into `nparts` equal parts of the time from 0 to time_s,
 * which must not be before any time that was added. The sum is preserved; the
 * amount of a bin that two parts share is spread evenly over the bin, so a part
 * can be off by the amount in the two bins at its ends. */
void time_bins_share(const struct time_bins *b, double *parts, size_t nparts,
                     double time_s);

#endif
