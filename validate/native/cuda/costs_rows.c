/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures a cost again and again, and writes its row. */
#include "validate/native/cuda/costs.h"

#include "base/doubles.h"
#include "base/seconds.h"
#include "validate/native/cuda/access.h"

#include <stdio.h>
#include <stdlib.h>

enum { LEAST_SAMPLES = 5, ALIVE_EVERY = 16 };

void costs_row(struct costs *c, struct costs_point p, double *times_s, size_t n)
{
    char b[16] = "";

    double median = doubles_median(times_s, n);
    if (p.gpu_b != COSTS_NO_GPU)
        snprintf(b, sizeof b, "%d", p.gpu_b);
    table_row(c->t, "%s,%d,%s,%llu,%u,%u,%u,%zu,%.6g,%.6g", p.operation,
              c->gpu[0], b, (unsigned long long)p.bytes, p.threads, p.together,
              p.in_flight, n, 1e9 * median, 1e9 * times_s[(n - 1) * 9 / 10]);
}

void costs_measure(struct costs *c, struct costs_point point,
                   double (*sample)(void *arg), void *arg)
{
    double begin = seconds();
    size_t n = 0;

    native_alive(c->n, point.operation);
    sample(arg);
    while (n < c->samples) {
        c->times_s[n++] = sample(arg);
        if (n >= LEAST_SAMPLES && seconds() - begin >= c->per_point_s)
            break;
        if (n % ALIVE_EVERY == 0)
            native_alive(c->n, point.operation);
    }
    costs_row(c, point, c->times_s, n);
}

void costs_hold(struct costs *c, cudaStream_t stream)
{
    *c->gate = 0;
    CUDA_DIE(access_gate(c->gate_there, stream));
}

void costs_release(struct costs *c)
{
    *c->gate = 1;
}
