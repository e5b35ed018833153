/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sample.h - points that cover the unit cube evenly, made by GSL. */
#ifndef STUDY_EXPLORE_SAMPLE_H
#define STUDY_EXPLORE_SAMPLE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum sample_method {
    SAMPLE_LATIN,  /* a Latin hypercube: McKay, Beckman and Conover 1979 */
    SAMPLE_SOBOL,  /* a Sobol sequence, up to 40 axes */
    SAMPLE_RANDOM, /* independent and uniform */
    NSAMPLE_METHODS
};
extern const char *const sample_method_names[NSAMPLE_METHODS];

/* Makes n points of `axes` coordinates each, 0 <= u < 1, point by point. Equal
 * arguments give equal points. The seed has no effect on a Sobol sequence. */
int sample_make(double *u, enum sample_method how, size_t n, size_t axes,
                uint64_t seed, struct err *err) MUST_CHECK;

#endif
