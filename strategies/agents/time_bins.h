/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_bins.h - an amount over time, in so many bins of equal width, whatever
 * the time will be: when it passes the last one, the bins double their width.
 */
#ifndef STRATEGIES_AGENTS_TIME_BINS_H
#define STRATEGIES_AGENTS_TIME_BINS_H

#include <stddef.h>

/* A binary tree, so that an interval over many bins is a few additions: what a
 * node holds is in each of the bins below it. Node 1 is the root, those below
 * node i are 2 i and 2 i + 1, bin i is node n + i. */
struct time_bins {
    double width_s; /* a power of two */
    size_t n;       /* a power of two */
    double *tree;   /* 2 n */
    size_t used;    /* all bins after so many are 0 */
};

void time_bins_init(struct time_bins *b, size_t n);
void time_bins_clear(struct time_bins *b);

/* Evenly over the time; all at once when to_s is from_s. Times from 0 on, in
 * any order. Takes O(log n), besides the doubling. */
void time_bins_add(struct time_bins *b, double from_s, double to_s,
                   double amount);
/* What is in a bin. Takes O(log n). */
double time_bins_amount(const struct time_bins *b, size_t i);

/*
 * Into so many equal parts of the time from 0 to time_s, which is not before
 * anything that was added. The sum stays; what falls into a bin that two parts
 * share is taken to be spread evenly over the bin, so a part can be off by as
 * much as there is in the two bins at its ends.
 */
void time_bins_share(const struct time_bins *b, double *parts, size_t nparts,
                     double time_s);

#endif
