/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes bytes in binary units. */
#include "base/binary_size.h"

#include <stddef.h>
#include <stdio.h>

const char *binary_size(char text[32], uint64_t bytes)
{
    static const char *const units[] = {"B",   "KiB", "MiB", "GiB",
                                        "TiB", "PiB", "EiB"};
    size_t u = 0;

    for (; bytes >= 1024 && bytes % 1024 == 0 && u < 6; u++)
        bytes /= 1024;
    snprintf(text, 32, "%llu %s", (unsigned long long)bytes, units[u]);
    return text;
}
