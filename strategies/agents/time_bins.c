/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums an amount over time in a fixed number of bins, whose width doubles as
 * time goes on. */
#include "strategies/agents/time_bins.h"

#include "base/err.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a bin at first: the shortest run has many of them. */
#define FIRST_WIDTH_S 0x1p-40

void time_bins_init(struct time_bins *b, size_t n)
{
    *b = (struct time_bins){.width_s = FIRST_WIDTH_S,
                            .n = n,
                            .amount = xcalloc(n, sizeof *b->amount)};
}

void time_bins_clear(struct time_bins *b)
{
    free(b->amount);
    b->amount = NULL;
}

/* Into cells of equal width, the last of which has no end; returns how many
 * there are up to the last that gets something. */
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

static void double_width(struct time_bins *b)
{
    size_t half = (b->used + 1) / 2;

    for (size_t i = 0; i < half; i++)
        b->amount[i] = b->amount[2 * i] + b->amount[2 * i + 1];
    memset(&b->amount[half], 0, (b->used - half) * sizeof *b->amount);
    b->used = half;
    b->width_s *= 2;
}

void time_bins_add(struct time_bins *b, double from_s, double to_s,
                   double amount)
{
    while (to_s > (double)b->n * b->width_s)
        double_width(b);
    size_t end =
        time_bins_spread(b->amount, b->n, b->width_s, from_s, to_s, amount);
    if (end > b->used)
        b->used = end;
}

void time_bins_share(const struct time_bins *b, double *parts, size_t nparts,
                     double time_s)
{
    memset(parts, 0, nparts * sizeof *parts);
    for (size_t i = 0; i < b->used; i++)
        if (b->amount[i] != 0)
            time_bins_spread(
                parts, nparts, time_s / (double)nparts, (double)i * b->width_s,
                fmin((double)(i + 1) * b->width_s, time_s), b->amount[i]);
}
