/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Removes the ending of its packing from a file's name. */
#include "base/packed.h"

#include "base/text.h"

const char *const packed_endings[NPACKED] = {
    [PACKED_PLAIN] = "", [PACKED_GZ] = ".gz", [PACKED_XZ] = ".xz"};

size_t packed_stem(const char *name)
{
    for (int p = PACKED_PLAIN + 1; p < NPACKED; p++) {
        size_t stem = text_before(name, packed_endings[p]);
        if (stem)
            return stem;
    }
    return strlen(name);
}

size_t packed_before(const char *name, const char *ending)
{
    size_t stem = packed_stem(name), n = strlen(ending);

    return stem > n && !memcmp(name + stem - n, ending, n) ? stem - n : 0;
}
