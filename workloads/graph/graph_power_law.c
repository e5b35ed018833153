/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Solves for the power law with a given mean and largest degree. */
#include "workloads/graph/graph_power_law.h"

#include "workloads/graph/power.h"

#include <math.h>

/* Returns the integral of x^(p - 1). */
static double area(double x, double p)
{
    return fabs(p) < 1e-6 ? power_log2(x) / power_log2(2.718281828459045)
                          : power_of(x, p) / p;
}

static double area_of_all(const struct power_law *k, double p)
{
    return area(k->vertices + k->shift, p) - area(k->shift, p);
}

double power_law_before(const struct power_law *k, double r)
{
    return k->arcs * ((area(r + k->shift, k->p) - area(k->shift, k->p)) /
                      area_of_all(k, k->p));
}

double power_law_deviation(const struct power_law *k)
{
    double mean = k->arcs / k->vertices;
    double height = k->arcs / area_of_all(k, k->p);
    double squares =
        height * height * area_of_all(k, 2 * k->p - 1) / k->vertices;

    return squares > mean * mean ? sqrt(squares - mean * mean) : 0;
}

/* Finds the shift by bisection, because the largest degree falls with it.
 * Returns -1 if it cannot be reached; *most is the largest that can. */
static int solve_shift(struct power_law *k, double exponent, double max_degree,
                       double *most)
{
    double low = -20, high = power_log2(k->vertices) + 10;

    k->p = 1 - 1 / (exponent - 1);
    k->shift = power_exp2(low);
    *most = power_law_before(k, 1);
    if (max_degree > *most)
        return -1;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        k->shift = power_exp2(middle);
        if (power_law_before(k, 1) > max_degree)
            low = middle;
        else
            high = middle;
    }
    return 0;
}

/* Finds the exponent by bisection, because the deviation falls with it, until
 * the largest degree cannot be reached. */
static void solve_exponent(struct power_law *k,
                           const struct graph_power_law *law)
{
    double low = 1.3, high = 8, most;

    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        if (solve_shift(k, middle, law->max_degree, &most) < 0 ||
            power_law_deviation(k) < law->deviation)
            high = middle;
        else
            low = middle;
    }
    if (solve_shift(k, low, law->max_degree, &most) < 0)
        k->p = 1;
}

int power_law_solve(struct power_law *k, const struct graph_power_law *law,
                    double vertices, double arcs, struct err *err)
{
    double most;

    *k = (struct power_law){.vertices = vertices, .arcs = arcs};
    /* All degrees are equal, because the largest is not above the mean. */
    if (law->max_degree <= arcs / vertices) {
        k->p = k->shift = 1;
        return 0;
    }
    if (law->exponent == 0)
        solve_exponent(k, law);
    else if (solve_shift(k, law->exponent, law->max_degree, &most) < 0)
        return fail(err,
                    "max_degree: expected at most %.0f with exponent %g, got "
                    "%.0f",
                    floor(most), law->exponent, law->max_degree);
    return 0;
}
