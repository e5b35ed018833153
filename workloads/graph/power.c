/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes logarithms and powers whose last bit is the same on every
 * machine. */
#include "workloads/graph/power.h"

#include <math.h>

#define LN2 0.693147180559945309417232121458176568

/* log((1 + s) / (1 - s)) = 2 (s + s^3/3 + s^5/5 ...), with |s| below 0.172. */
double power_log2(double x)
{
    int exponent;
    /* It is exact, as are ldexp() and floor(). */
    double m = frexp(x, &exponent);

    if (m < 0.70710678118654752) {
        m *= 2;
        exponent--;
    }
    double s = (m - 1) / (m + 1);
    double sum = 0;
    for (int k = 21; k >= 1; k -= 2)
        sum = sum * s * s + 1.0 / k;
    return exponent + 2 / LN2 * s * sum;
}

double power_exp2(double y)
{
    double whole = floor(y + 0.5);
    double f = (y - whole) * LN2;
    double sum = 1;

    for (int k = 16; k >= 1; k--)
        sum = 1 + sum * f / k;
    return ldexp(sum, (int)whole);
}

double power_of(double x, double exponent)
{
    return power_exp2(exponent * power_log2(x));
}
