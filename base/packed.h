/* SPDX-License-Identifier: GPL-3.0-or-later */
/* packed.h - the endings of the names of packed files. The first bytes show
 * whether a file is packed; its name shows only the name before packing. */
#ifndef BASE_PACKED_H
#define BASE_PACKED_H

#include <stdbool.h>
#include <stddef.h>

enum packed { PACKED_PLAIN, PACKED_GZ, PACKED_XZ, NPACKED };

/* "", ".gz", ".xz". */
extern const char *const packed_endings[NPACKED];

/* Returns the length of a name without the ending of its packing. */
size_t packed_stem(const char *name);

/* Returns the length of a name before `ending`, which a packing's ending may
 * follow; 0 if the name ends otherwise, or has nothing else. */
size_t packed_before(const char *name, const char *ending);

#endif
