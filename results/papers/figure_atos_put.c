/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fig 4: a GPU-initiated put into the memory of a GPU of another node. */
#include "results/papers/figure.h"

#include "results/papers/put.h"

#include <math.h>

enum { SMALLEST = 2 };

int figure_atos_put(FILE *csv, FILE *vars, const struct figure_input *in,
                    struct err *err)
{
    struct put_times t;

    if (put_measure(&t, in->m, err) < 0)
        return -1;
    fprintf(csv, "bytes,latency_s,bandwidth_Bps,streaming_Bps\n");
    for (int i = SMALLEST; i < PUT_SIZES; i++) {
        double bytes = ldexp(1, i);
        fprintf(csv, "%.0f,%.9g,%.9g,%.9g\n", bytes, t.blocking_s[i],
                bytes / t.blocking_s[i],
                bytes * PUTS_STREAMED / t.streaming_s[i]);
    }
    fprintf(vars, "from = %d\nto = %d\nstep = 4\n", SMALLEST, PUT_SIZES - 1);
    return 0;
}
