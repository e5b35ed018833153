/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeats an operation until the median of its times is steady. */
#include "validate/native/repeat.h"

#include "base/seconds.h"
#include "validate/calibrate/fit_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_S 5e-3
#define STEADY 0.02
enum { MOST_ITERATIONS = 1000, LEAST = 5, MOST = 100, WARM_UP = 2 };

static double one_batch(const struct native *n, repeat_batch *batch, void *arg,
                        unsigned iterations)
{
    native_alive(n, "a timed batch");
    native_barrier(n);
    return native_max(n, batch(arg, iterations));
}

static struct fit_number middle(const struct samples *s)
{
    double *sorted = xcalloc(s->n, sizeof *sorted);

    memcpy(sorted, s->s, s->n * sizeof *sorted);
    struct fit_number m = fit_median(sorted, s->n);
    free(sorted);
    return m;
}

double samples_median(const struct samples *s)
{
    return middle(s).value;
}

static unsigned iterations_for(double one_s)
{
    double wanted = one_s > 0 ? BATCH_S / one_s : MOST_ITERATIONS;

    return (unsigned)fmax(1, fmin(wanted, MOST_ITERATIONS));
}

void repeat(struct samples *out, const struct native *n, const struct repeat *r,
            repeat_batch *batch, void *arg)
{
    size_t least = r->least ? r->least : LEAST, most = r->most ? r->most : MOST;
    double limit_s = r->per_point_s > 0 ? r->per_point_s : 5;
    double begin = seconds(), spent = 0;

    native_break(n);
    *out = (struct samples){.s = xcalloc(most, sizeof *out->s)};
    /* The first batch includes one-time set-up; the second gives the
     * duration. */
    unsigned iterations = r->iterations ? r->iterations : 1;
    for (int i = 0; i < WARM_UP; i++) {
        double one_s = one_batch(n, batch, arg, iterations);
        if (!r->iterations)
            iterations = iterations_for(one_s);
    }
    out->iterations = iterations;
    while (out->n < most) {
        out->s[out->n++] = one_batch(n, batch, arg, iterations);
        struct fit_number m = middle(out);
        /* All ranks must agree on the end. */
        spent = native_max(n, seconds() - begin);
        if (out->n >= least && (m.half <= STEADY * m.value || spent >= limit_s))
            break;
    }
}

void samples_clear(struct samples *s)
{
    free(s->s);
    memset(s, 0, sizeof *s);
}
