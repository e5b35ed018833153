/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeat.h - repeats an operation until the median of its times is steady. */
#ifndef VALIDATE_NATIVE_REPEAT_H
#define VALIDATE_NATIVE_REPEAT_H

#include "validate/native/native.h"

#include <stddef.h>

/* Does the operation `iterations` times, one after the other; returns the
 * seconds of one on this rank, 0 on a rank that takes no part. All ranks call
 * it; those that take part begin together. */
typedef double repeat_batch(void *arg, unsigned iterations);

struct repeat {
    /* Operations of a batch; 0 for as many as take BATCH_S, at most 1000. */
    unsigned iterations;
    unsigned least, most; /* batches; 0 for 5 and 100 */
    double per_point_s;   /* no further batch after this time; 0 for 5 */
};

struct samples {
    double *s; /* times of the batches: the maximum over all ranks */
    size_t n;
    unsigned iterations;
};

/* Warms up with two batches that do not count, then repeats until half a notch
 * of the median (1.57 IQR / sqrt(n)) is at most 2 % of it. All ranks call it
 * and get equal samples, which samples_clear() frees. */
void repeat(struct samples *out, const struct native *n, const struct repeat *r,
            repeat_batch *batch, void *arg);
void samples_clear(struct samples *s);
/* Returns the median of at least one sample. */
double samples_median(const struct samples *s);

#endif
