/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of measurements on GPUs. */
#include "validate/native/cuda/gpu_run.h"

#include <stdio.h>

void gpu_rows(struct gpu_run *r, const char *operation, int gpu_b,
              uint64_t bytes, unsigned threads, repeat_batch *batch, void *arg)
{
    struct samples s;
    char b[16] = "";

    if (gpu_b != NO_GPU)
        snprintf(b, sizeof b, "%d", gpu_b);
    repeat(&s, r->n, &r->how, batch, arg);
    for (size_t i = 0; i < s.n; i++)
        table_row(r->t, "%s,%d,%s,%llu,%u,%u,%.6e", operation, r->gpu, b,
                  (unsigned long long)bytes, threads, s.iterations, s.s[i]);
    samples_clear(&s);
}
