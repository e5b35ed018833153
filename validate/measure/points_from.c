/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names the source of measurements by the head of their file. */
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
