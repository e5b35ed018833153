/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "validate/native/bench.h"

#include <stdlib.h>
#include <string.h>

/* A number with k, M, G or none; the rest of the text is in *end. */
static bool one_size(uint64_t *out, const char *text, const char **end)
{
    char *rest;
    unsigned long long v = strtoull(text, &rest, 10);
    unsigned shift = *rest == 'k'   ? 10
                     : *rest == 'M' ? 20
                     : *rest == 'G' ? 30
                                    : 0;

    *end = rest + (shift > 0);
    *out = (uint64_t)v << shift;
    return *text >= '0' && *text <= '9' && v > 0 && v <= (1ull << 40 >> shift);
}

int sizes_parse(struct sizes *out, const char *text, struct err *err)
{
    struct sizes s;
    const char *end;

    if (!text)
        return 0;
    bool good = one_size(&s.from, text, &end);
    s.to = s.from;
    if (good && !strncmp(end, "..", 2))
        good = one_size(&s.to, end + 2, &end);
    if (!good || *end || s.to < s.from)
        return fail(err, "--sizes: expected bytes such as 4..512k, got '%s'",
                    text);
    *out = s;
    return 0;
}
