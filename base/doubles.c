/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts numbers with qsort(). */
#include "base/doubles.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void doubles_sort(double *values, size_t n)
{
    if (n)
        qsort(values, n, sizeof *values, by_value);
}

double doubles_median(double *values, size_t n)
{
    doubles_sort(values, n);
    return n ? (values[(n - 1) / 2] + values[n / 2]) / 2 : NAN;
}
