/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums an amount over time in a fixed number of bins, whose width doubles as
 * the time grows; long intervals are added by blocks of bins. */
#include "apps/agents/time_bins.h"

#include "base/err.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Width of a bin at first: so small that the shortest run has many of them. */
#define FIRST_WIDTH_S 0x1p-40
/* If an interval covers fewer bins, they are added to one by one. */
#define MANY_BINS 32

void time_bins_init(struct time_bins *b, size_t n)
{
    *b = (struct time_bins){.width_s = FIRST_WIDTH_S,
                            .n = n,
                            .tree = xcalloc(2 * n, sizeof *b->tree)};
}

void time_bins_clear(struct time_bins *b)
{
    free(b->tree);
    b->tree = NULL;
}

double time_bins_amount(const struct time_bins *b, size_t i)
{
    double sum = 0;

    for (size_t node = b->n + i; node; node /= 2)
        sum += b->tree[node];
    return sum;
}

/* Spreads an amount over cells of equal width, the last of which has no end;
 * returns the number of cells up to the last that gets any. */
static size_t time_bins_spread(double *cells, size_t n, double cell_s,
                               double from_s, double to_s, double amount)
{
    double took = to_s - from_s;
    size_t first = (size_t)fmin(from_s / cell_s, (double)(n - 1));
    size_t last = (size_t)fmin(to_s / cell_s, (double)(n - 1));

    if (first == last) {
        cells[first] += amount;
        return first + 1;
    }
    for (size_t i = first; i <= last; i++) {
        double from = fmax(from_s, (double)i * cell_s);
        double to = i == last ? to_s : (double)(i + 1) * cell_s;
        cells[i] += amount * (to - from) / took;
    }
    return last + 1;
}

/* Adds the amount to each of the bins first..end-1. */
static void add_to_each(struct time_bins *b, size_t first, size_t end,
                        double amount)
{
    first += b->n;
    end += b->n;
    while (first < end) {
        if (first % 2)
            b->tree[first++] += amount;
        if (end % 2)
            b->tree[--end] += amount;
        first /= 2;
        end /= 2;
    }
}

/* Does the same as time_bins_spread() into the bins, up to rounding. */
static void spread_widely(struct time_bins *b, double from_s, double to_s,
                          double amount)
{
    double took = to_s - from_s, *bins = &b->tree[b->n];
    size_t first = (size_t)(from_s / b->width_s);
    size_t last = (size_t)fmin(to_s / b->width_s, (double)(b->n - 1));

    bins[first] += amount * ((double)(first + 1) * b->width_s - from_s) / took;
    bins[last] += amount * (to_s - (double)last * b->width_s) / took;
    add_to_each(b, first + 1, last, amount * b->width_s / took);
    if (last + 1 > b->used)
        b->used = last + 1;
}

/* Doubles the width: every node becomes the one a level below, whose bins hold
 * twice as much; those of the lowest level above the bins become bins, to which
 * the values below them are added. */
static void double_width(struct time_bins *b)
{
    double *tree = b->tree, *bins = &tree[b->n];
    size_t half = (b->used + 1) / 2, was = b->used;

    for (size_t i = 0; i < half; i++)
        bins[i] = bins[2 * i] + bins[2 * i + 1] + 2 * tree[b->n / 2 + i];
    if (was > half)
        memset(&bins[half], 0, (was - half) * sizeof *bins);
    for (size_t level = b->n / 2; level > 1; level /= 2) {
        size_t into = (was + 1) / 2, below = (into + 1) / 2;
        for (size_t i = 0; i < below; i++)
            tree[level + i] = 2 * tree[level / 2 + i];
        memset(&tree[level + below], 0, (into - below) * sizeof *tree);
        was = into;
    }
    tree[1] = 0;
    b->used = half;
    b->width_s *= 2;
}

void time_bins_add(struct time_bins *b, double from_s, double to_s,
                   double amount)
{
    while (to_s > (double)b->n * b->width_s)
        double_width(b);
    if (to_s - from_s > MANY_BINS * b->width_s) {
        spread_widely(b, from_s, to_s, amount);
        return;
    }
    size_t end = time_bins_spread(&b->tree[b->n], b->n, b->width_s, from_s,
                                  to_s, amount);
    if (end > b->used)
        b->used = end;
}

void time_bins_share(const struct time_bins *b, double *parts, size_t nparts,
                     double time_s)
{
    memset(parts, 0, nparts * sizeof *parts);
    for (size_t i = 0; i < b->used; i++) {
        double amount = time_bins_amount(b, i);
        if (amount != 0)
            time_bins_spread(
                parts, nparts, time_s / (double)nparts, (double)i * b->width_s,
                fmin((double)(i + 1) * b->width_s, time_s), amount);
    }
}
