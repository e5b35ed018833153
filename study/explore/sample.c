/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes samples of the unit cube with GSL's generators. */
#include "study/explore/sample.h"

#include <gsl/gsl_qrng.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

const char *const sample_method_names[NSAMPLE_METHODS] = {"latin", "sobol",
                                                          "random"};

/* Puts, for each axis, one point into each of n equal parts, in an order of its
 * own. */
static void make_latin(double *u, size_t n, size_t axes, gsl_rng *rng)
{
    size_t *part = xcalloc(n, sizeof *part);

    for (size_t a = 0; a < axes; a++) {
        for (size_t i = 0; i < n; i++)
            part[i] = i;
        gsl_ran_shuffle(rng, part, n, sizeof *part);
        for (size_t i = 0; i < n; i++)
            u[i * axes + a] =
                ((double)part[i] + gsl_rng_uniform(rng)) / (double)n;
    }
    free(part);
}

static int make_sobol(double *u, size_t n, size_t axes, struct err *err)
{
    if (axes > gsl_qrng_sobol->max_dimension)
        return fail(err, "sobol: at most %u axes, got %zu",
                    gsl_qrng_sobol->max_dimension, axes);
    gsl_qrng *q = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)axes);

    if (!q)
        err_no_memory("a Sobol sequence");
    for (size_t i = 0; i < n; i++)
        gsl_qrng_get(q, &u[i * axes]);
    gsl_qrng_free(q);
    return 0;
}

int sample_make(double *u, enum sample_method how, size_t n, size_t axes,
                uint64_t seed, struct err *err)
{
    if (how == SAMPLE_SOBOL)
        return make_sobol(u, n, axes, err);
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);

    if (!rng)
        err_no_memory("a generator of random numbers");
    gsl_rng_set(rng, (unsigned long)seed);
    if (how == SAMPLE_LATIN)
        make_latin(u, n, axes, rng);
    for (size_t i = 0; how == SAMPLE_RANDOM && i < n * axes; i++)
        u[i] = gsl_rng_uniform(rng);
    gsl_rng_free(rng);
    /* (part + u) / n may round up to 1. */
    for (size_t i = 0; i < n * axes; i++)
        u[i] = u[i] < 1 ? u[i] : nextafter(1, 0);
    return 0;
}
