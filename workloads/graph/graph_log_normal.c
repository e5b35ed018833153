/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes degrees with normal logarithms by rank, equal on every machine. */
#include "workloads/graph/graph_log_normal.h"

#include "workloads/graph/power.h"

#include <math.h>

static const double ln2 = 0.69314718055994531;

static double tail_quantile(double p)
{
    double q = sqrt(-2 * ln2 * power_log2(p));
    double over = -7.784894002430293e-03, under = 7.784695709041462e-03;

    over = over * q - 3.223964580411365e-01;
    over = over * q - 2.400758277161838e+00;
    over = over * q - 2.549732539343734e+00;
    over = over * q + 4.374664141464968e+00;
    over = over * q + 2.938163982698783e+00;
    under = under * q + 3.224671290700398e-01;
    under = under * q + 2.445134137142996e+00;
    under = under * q + 3.754408661907416e+00;
    return over / (under * q + 1);
}

static double middle_quantile(double q)
{
    double r = q * q;
    double over = -3.969683028665376e+01, under = -5.447609879822406e+01;

    over = over * r + 2.209460984245205e+02;
    over = over * r - 2.759285104469687e+02;
    over = over * r + 1.383577518672690e+02;
    over = over * r - 3.066479806614716e+01;
    over = over * r + 2.506628277459239e+00;
    under = under * r + 1.615858368580409e+02;
    under = under * r - 1.556989798598866e+02;
    under = under * r + 6.680131188771972e+01;
    under = under * r - 1.328068155288572e+01;
    return over * q / (under * r + 1);
}

double normal_quantile(double p)
{
    const double tail = 0.02425;

    if (p < tail)
        return tail_quantile(p);
    return p > 1 - tail ? -tail_quantile(1 - p) : middle_quantile(p - 0.5);
}

static double body(const struct log_normal *l, uint64_t r)
{
    double above = ((double)r + 0.5) / l->vertices;

    return l->scale * power_exp2(-l->sigma * normal_quantile(above));
}

static double hub(const struct log_normal *l, uint64_t r)
{
    double rank = (double)r + 1;

    return l->max_degree / (l->fall > 0 ? power_of(rank, l->fall) : sqrt(rank));
}

double log_normal_degree(const struct log_normal *l, uint64_t r)
{
    double degree = r < l->hubs ? hub(l, r) : body(l, r);

    return degree < l->max_degree ? degree : l->max_degree;
}

static void find_hubs(struct log_normal *l)
{
    l->hubs = 0;
    while (l->hubs < (uint64_t)l->vertices / 64 &&
           body(l, l->hubs) < hub(l, l->hubs))
        l->hubs++;
}

static double sum_of(const struct log_normal *l)
{
    double sum = 0;

    for (uint64_t r = 0; r < (uint64_t)l->vertices; r++)
        sum += log_normal_degree(l, r);
    return sum;
}

/* Computes the mean degree and the mean of its square from a sample of ranks
 * that are at most 1 in 4096 apart. */
static void moments_of(const struct log_normal *l, double *mean, double *square)
{
    uint64_t n = (uint64_t)l->vertices;

    *mean = *square = 0;
    for (uint64_t r = 0, end; r < n; r = end) {
        end = r + 1 + r / 4096;
        end = end < n ? end : n;
        double degree = log_normal_degree(l, r + (end - r) / 2);
        *mean += (double)(end - r) * degree / l->vertices;
        *square += (double)(end - r) * degree * degree / l->vertices;
    }
}

/* Fits the law to mean and deviation, without hubs. */
static void fit_body(struct log_normal *l, double mean, double deviation)
{
    double ratio = deviation / mean;

    /* ln(1 + ratio^2) is ln2 times the logarithm of base 2; the root is divided
     * by ln2 for powers of 2. */
    l->sigma = sqrt(power_log2(1 + ratio * ratio) / ln2);
    l->scale = mean * power_exp2(-l->sigma * l->sigma * ln2 / 2);
}

/* Two steps are enough, because the hubs have few of all arcs. */
void log_normal_init(struct log_normal *l, uint64_t vertices, double sum,
                     double deviation, double max_degree)
{
    *l = (struct log_normal){.max_degree = max_degree,
                             .vertices = (double)vertices};
    fit_body(l, sum / (double)vertices, deviation);
    for (int i = 0; i < 2; i++) {
        find_hubs(l);
        l->scale *= sum / sum_of(l);
    }
}

/* Finds the deviation of the law that gives the wanted one: hubs increase it,
 * and the limit of the largest degree decreases it. */
void log_normal_init_hubs(struct log_normal *l, uint64_t vertices, double sum,
                          double deviation, double max_degree, double fall)
{
    double wanted = sum / (double)vertices, given = deviation;

    *l = (struct log_normal){
        .max_degree = max_degree, .vertices = (double)vertices, .fall = fall};
    for (int i = 0; i < 12; i++) {
        double mean, square;
        fit_body(l, wanted, given);
        for (int k = 0; k < 3; k++) {
            find_hubs(l);
            moments_of(l, &mean, &square);
            l->scale *= wanted / mean;
        }
        if (!(square > mean * mean))
            break;
        given *= deviation / sqrt(square - mean * mean);
        if (given < deviation / 16 || given > deviation * 16)
            break;
    }
}
