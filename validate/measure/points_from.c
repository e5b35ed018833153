/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names the source of measurements by the head of their file, and checks and
 * reads what the kinds of measurements have in common. */
#include "validate/measure/points_from.h"

#include <stdio.h>
#include <string.h>

void points_from(char *out, size_t room, const struct csv *t)
{
    const char *slash = strrchr(t->path, '/');
    const char *gpu = NULL;

    for (size_t i = 0; i < t->ncomments && !gpu; i++)
        if ((gpu = strstr(t->comments[i], "gpu=\"")))
            gpu += strlen("gpu=\"");
    snprintf(out, room, "%.100s%s%.*s%s", slash ? slash + 1 : t->path,
             gpu ? " (" : "", gpu ? (int)strcspn(gpu, ",\"") : 0,
             gpu ? gpu : "", gpu ? ")" : "");
}

bool points_have(const struct csv *t, const char *const *columns)
{
    for (; *columns; columns++)
        if (csv_column(t, *columns) < 0)
            return false;
    return true;
}

bool points_are(const char *path, const char *const *columns)
{
    struct err ignored;
    struct csv t;

    if (csv_load(&t, path, &ignored) < 0)
        return false;
    bool are = points_have(&t, columns);
    csv_clear(&t);
    return are;
}

int points_counts(const struct csv *t, size_t row,
                  const struct points_count *counts, size_t n, uint32_t most,
                  struct err *err)
{
    for (size_t i = 0; i < n; i++)
        if (csv_below(t, row, counts[i].column, most, counts[i].to, err) < 0)
            return -1;
    return 0;
}
