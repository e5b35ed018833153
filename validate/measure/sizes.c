/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps from one size of a benchmark to the next. */
#include "validate/measure/sizes.h"

#include <stddef.h>

uint64_t sizes_next(const struct sizes *s, uint64_t bytes)
{
    static const unsigned percent[] = {25, 50, 90};
    uint64_t size = s->from, next = bytes * s->factor;

    if (!s->between)
        return next;
    while (size * s->factor <= bytes)
        size *= s->factor;
    next = size * s->factor;
    if (size < BETWEEN_FROM || size > BETWEEN_TO)
        return next;
    for (size_t i = sizeof percent / sizeof percent[0]; i-- > 0;) {
        uint64_t more = size * (100 + (s->factor - 1) * percent[i]) / 400 * 4;
        next = more > bytes ? more : next;
    }
    return next;
}
