/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that queue items came out once each, and in order. */
#include "validate/native/cuda/queue.h"

#include "base/err.h"

#include <stdlib.h>

int queue_each_once(const uint32_t *items, uint32_t n)
{
    unsigned char *seen = xcalloc((size_t)n + 1, 1);
    int good = 1;

    for (uint32_t i = 0; i < n && good; i++) {
        good = items[i] < n && !seen[items[i]];
        if (good)
            seen[items[i]] = 1;
    }
    free(seen);
    return good;
}

int queue_in_order(const uint32_t *items, uint32_t n)
{
    unsigned char *next = xcalloc((size_t)n / QUEUE_OPS + 1, 1);
    int good = 1;

    for (uint32_t i = 0; i < n && good; i++)
        good = items[i] % QUEUE_OPS == next[items[i] / QUEUE_OPS]++;
    free(next);
    return good;
}

int queue_popped_in_order(const uint32_t *popped, unsigned threads)
{
    for (size_t i = threads; i < (size_t)threads * QUEUE_OPS; i++)
        if (popped[i] <= popped[i - threads])
            return 0;
    return 1;
}
