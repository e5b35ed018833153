/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognises the kind of a measured file by its columns. */
#include "validate/measure/benchmark.h"

#include <string.h>

static bool kind_is_of(const struct measured_kind *kind, const struct csv *t)
{
    for (size_t c = 0; c < 3 && kind->columns[c]; c++)
        if (csv_column(t, kind->columns[c]) < 0)
            return false;
    return kind->columns[0];
}

const struct benchmark *measured_kind(const struct csv *t)
{
    for (size_t b = 0; b < nbenchmarks; b++)
        if (kind_is_of(&benchmarks[b]->file, t))
            return benchmarks[b];
    return NULL;
}

bool measured_has_sessions(const char *kind)
{
    for (size_t b = 0; kind && b < nbenchmarks; b++)
        if (!strcmp(kind, benchmarks[b]->file.name))
            return benchmarks[b]->file.sessions;
    return false;
}
