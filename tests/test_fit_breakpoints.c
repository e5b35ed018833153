/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves of known pieces: the fit finds their breakpoints, and no others. */
#include "tests/check.h"
#include "validate/calibrate/fit_breakpoints.h"

#include <stdint.h>

enum { N = 20 };

/* Up to 8 KiB the times are 1 us + 0.5 ns/B, then 5 us + 0.1 ns/B; in turn off
 * by `noise`. */
static size_t stepped(struct fit_point *p, double noise)
{
    static const double turn[] = {1, -0.5, 0.25, -1, 0.5, -0.25, 0.8};

    for (int i = 0; i < N; i++) {
        double bytes = 4.0 * (double)(1ull << i);
        double s =
            bytes <= 8192 ? 1e-6 + 0.5e-9 * bytes : 5e-6 + 0.1e-9 * bytes;
        p[i] = (struct fit_point){bytes, s * (1 + noise * turn[i % 7])};
    }
    return N;
}

static void one_step(double noise, const double *base, size_t nbase)
{
    struct fit_point p[N];
    struct fit_breakpoints b;

    fit_breakpoints(&b, p, stepped(p, noise), base, nbase);
    CHECK_EQ(b.nbreakpoints, 1);
    if (b.nbreakpoints == 1) {
        CHECK_NEAR(b.breakpoints[0].bytes, 8192, 1e-12);
        CHECK(b.breakpoints[0].from <= 8192 && b.breakpoints[0].to >= 8192);
        CHECK(b.breakpoints[0].from >= 4096 && b.breakpoints[0].to <= 16384);
        CHECK_NEAR(b.pieces[0].alpha_s, 1e-6, 0.03);
        CHECK_NEAR(b.pieces[1].alpha_s, 5e-6, 0.03);
    }
    fit_breakpoints_clear(&b);
}

/* The base has no breakpoint, or two in other places, or the right one. */
static void bases(void)
{
    static const double others[] = {512, 131072}, right[] = {8192};
    struct fit_point p[N];
    struct fit_breakpoints b;

    for (int i = 0; i < 3; i++) {
        one_step(0.02 * i, NULL, 0);
        one_step(0.02 * i, others, 2);
        one_step(0.02 * i, right, 1);
    }
    fit_breakpoints(&b, p, stepped(p, 0.01), right, 1);
    CHECK(!b.found);
    fit_breakpoints_clear(&b);
}

/* One time that is far too long, at any place, makes no breakpoint and moves
 * none by more than the size that it spoils. */
static void one_outlier(void)
{
    for (int spoilt = 0; spoilt < N; spoilt++) {
        struct fit_point p[N];
        struct fit_breakpoints b;
        size_t n = stepped(p, 0.01);
        p[spoilt].seconds *= 3;
        fit_breakpoints(&b, p, n, NULL, 0);
        CHECK_EQ(b.nbreakpoints, 1);
        if (b.nbreakpoints == 1)
            CHECK(b.breakpoints[0].bytes >= 4096 &&
                  b.breakpoints[0].bytes <= 8192);
        fit_breakpoints_clear(&b);
    }
}

/* A line has no step, and a step may be smaller than the noise. */
static void no_step(void)
{
    static const double base[] = {1024};
    struct fit_point p[N];
    struct fit_breakpoints b;

    for (int i = 0; i < N; i++) {
        double bytes = 4.0 * (double)(1ull << i);
        p[i] = (struct fit_point){bytes, (2e-6 + 1e-9 * bytes) *
                                             (i % 3 ? 1.04 : 0.96)};
    }
    fit_breakpoints(&b, p, N, NULL, 0);
    CHECK_EQ(b.nbreakpoints, 0);
    CHECK(b.noise > 0.03);
    fit_breakpoints_clear(&b);
    /* The base's breakpoint is as good: it stays, and may be anywhere. */
    fit_breakpoints(&b, p, N, base, 1);
    CHECK(!b.found);
    CHECK_EQ(b.nbreakpoints, 1);
    CHECK(b.breakpoints[0].to > 8 * b.breakpoints[0].from);
    fit_breakpoints_clear(&b);
}

/* There are too few sizes to decide: the base's breakpoint stays, if it is
 * among them. */
static void few(void)
{
    static const double base[] = {16, 1 << 30};
    struct fit_point p[N];
    struct fit_breakpoints b;

    stepped(p, 0);
    for (size_t n = 0; n < 6; n++) {
        fit_breakpoints(&b, p, n, base, 2);
        CHECK(!b.found);
        CHECK_EQ(b.nbreakpoints, n > 3);
        fit_breakpoints_clear(&b);
    }
}

/* A scan of 3000 sizes is thinned out; the breakpoint is near. */
static void scan(void)
{
    enum { MANY = 3000 };
    static struct fit_point p[MANY];
    struct fit_breakpoints b;

    for (int i = 0; i < MANY; i++) {
        double bytes = 64.0 * (i + 1);
        p[i] = (struct fit_point){bytes, bytes <= 64000 ? 1e-6 + 1e-10 * bytes
                                                        : 2e-5 + 1e-10 * bytes};
    }
    fit_breakpoints(&b, p, MANY, NULL, 0);
    CHECK_EQ(b.nbreakpoints, 1);
    if (b.nbreakpoints == 1)
        CHECK_NEAR(b.breakpoints[0].bytes, 64000, 0.03);
    fit_breakpoints_clear(&b);
}

int main(void)
{
    bases();
    one_outlier();
    no_step();
    few();
    scan();
    return check_result();
}
