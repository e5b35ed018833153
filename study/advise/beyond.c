/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says that a request lies beyond a measured range. */
#include "study/advise/beyond.h"

#include "base/binary_size.h"

#include <stdio.h>
#include <string.h>

void extrapolates_add(char *words, size_t room, const char *what,
                      uint64_t asked, struct measured_range range)
{
    uint64_t end = asked > range.most ? range.most : range.least;
    size_t n = strlen(words);
    char of_asked[32], of_end[32];

    if (!asked || !range.most || (asked >= range.least && asked <= range.most))
        return;
    snprintf(of_asked, sizeof of_asked, "%llu", (unsigned long long)asked);
    snprintf(of_end, sizeof of_end, "%llu", (unsigned long long)end);
    if (!strcmp(what, "bytes")) {
        binary_size(of_asked, asked);
        binary_size(of_end, end);
    }
    snprintf(words + n, room - n, "%s%s %s %c %s measured", n ? ", " : "", what,
             of_asked, asked > range.most ? '>' : '<', of_end);
}
