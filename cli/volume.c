/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formats bytes as text with three digits and a decimal unit. */
#include "cli/volume.h"

#include <stddef.h>
#include <stdio.h>

const char *volume(char text[32], double bytes)
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB"};
    size_t u = 0;

    if (bytes < 1000) {
        snprintf(text, 32, "%.0f B", bytes);
        return text;
    }
    for (bytes /= 1000; bytes >= 999.95 && u < 4; u++)
        bytes /= 1000;
    snprintf(text, 32, "%.*f %s", bytes < 99.95 ? 2 : 1, bytes, units[u]);
    return text;
}
