/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Amounts over time: by hand, and compared with exact sums of random
 * intervals. */
#include "apps/agents/time_bins.h"
#include "base/random.h"
#include "tests/check.h"

#include <stdint.h>

/* Bins are powers of two wide; here 1 s, when the time has reached that. */
static void by_hand(void)
{
    struct time_bins b;
    double parts[4];

    time_bins_init(&b, 8);
    time_bins_add(&b, 0, 0, 3);
    time_bins_add(&b, 1, 3, 8);
    time_bins_add(&b, 7.5, 8, 1);
    CHECK_NEAR(b.width_s, 1, 0);
    CHECK_NEAR(time_bins_amount(&b, 0), 3, 0);
    CHECK_NEAR(time_bins_amount(&b, 1), 4, 1e-12);
    CHECK_NEAR(time_bins_amount(&b, 2), 4, 1e-12);
    CHECK_NEAR(time_bins_amount(&b, 7), 1, 0);
    time_bins_share(&b, parts, 4, 8);
    CHECK_NEAR(parts[0], 7, 1e-12);
    CHECK_NEAR(parts[1], 4, 1e-12);
    CHECK_NEAR(parts[2], 0, 0);
    CHECK_NEAR(parts[3], 1, 0);
    time_bins_clear(&b);
}

/* If two parts share a bin, each gets half of it. */
static void shared_bins(void)
{
    struct time_bins b;
    double parts[4];

    time_bins_init(&b, 8);
    time_bins_add(&b, 0, 0, 3);
    time_bins_add(&b, 1, 3, 8);
    time_bins_add(&b, 10, 10, 5);
    CHECK_NEAR(b.width_s, 2, 0);
    time_bins_share(&b, parts, 4, 12);
    CHECK_NEAR(parts[0], 7 + 4 * 0.5, 1e-12);
    CHECK_NEAR(parts[3], 5, 1e-12);
    time_bins_clear(&b);
}

static double unit(uint64_t *state)
{
    return (double)(next_random(state) >> 11) * 0x1p-53;
}

struct interval {
    double from, to;
};

/* Returns the part of an interval between two times; 1 if all of it. */
static double between(struct interval x, double from, double to)
{
    return fmax(fmin(x.to, to) - fmax(x.from, from), 0) / (x.to - x.from);
}

/* Amounts are in their parts, except those of the bins at the ends of a
 * part. */
static void random_intervals(void)
{
    enum { N = 2000, PARTS = 100, BINS = 8192 };
    static struct interval x[N];
    struct time_bins b;
    double parts[PARTS], time = 0, sum = 0;
    uint64_t state = 7;

    time_bins_init(&b, BINS);
    for (int i = 0; i < N; i++) {
        double from = unit(&state) * 3e-3;
        x[i] = (struct interval){from, from + unit(&state) * 1e-4};
        time = fmax(time, x[i].to);
        time_bins_add(&b, x[i].from, x[i].to, 1);
    }
    time_bins_share(&b, parts, PARTS, time);
    for (int p = 0; p < PARTS; p++) {
        double from = p * time / PARTS, to = from + time / PARTS, want = 0;
        double ends = 0;
        for (int i = 0; i < N; i++) {
            want += between(x[i], from, to);
            ends += between(x[i], from - b.width_s, from + b.width_s) +
                    between(x[i], to - b.width_s, to + b.width_s);
        }
        CHECK(fabs(parts[p] - want) <= ends);
        CHECK(fabs(parts[p] - want) <= 0.01 * want);
        sum += parts[p];
    }
    CHECK_NEAR(sum, N, 1e-12);
    time_bins_clear(&b);
}

/* Adds an interval to bins of the same width that it spans, one by one. */
static void add_one_by_one(double *bins, size_t n, double width_s,
                           struct interval x)
{
    for (size_t i = 0; i < n; i++)
        bins[i] += between(x, (double)i * width_s, (double)(i + 1) * width_s);
}

/* Intervals of many bins, before and after the width doubles again. */
static void long_intervals(void)
{
    enum { N = 3000, BINS = 1024 };
    static double want[BINS];
    static struct interval x[N];
    struct time_bins b;
    uint64_t state = 11;

    time_bins_init(&b, BINS);
    for (int i = 0; i < N; i++) {
        double from = unit(&state) * (1 + i / 500);
        x[i] = (struct interval){from, from + unit(&state) * (1 + i / 500)};
        time_bins_add(&b, x[i].from, x[i].to, 1);
    }
    for (int i = 0; i < N; i++)
        add_one_by_one(want, BINS, b.width_s, x[i]);
    for (size_t i = 0; i < BINS; i++)
        CHECK_NEAR(time_bins_amount(&b, i), want[i], 1e-11);
    CHECK(want[BINS / 4] > 1);
    time_bins_clear(&b);
}

int main(void)
{
    by_hand();
    long_intervals();
    shared_bins();
    random_intervals();
    return check_result();
}
