/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the heads of the files of benchmarks. */
#include "validate/measure/benchmark.h"

char *benchmark_head(const struct benchmark *b)
{
    char *head = xasprintf("%s,iterations,%s", b->file.simulated, b->file.time);

    for (char *c = head; *c; c++)
        if (*c == ' ')
            *c = ',';
    return head;
}
