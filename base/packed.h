/* SPDX-License-Identifier: GPL-3.0-or-later */
/* packed.h - how the names of packed files end. Whether a file is packed is
 * told by its first bytes; a name is asked only what it was before packing. */
#ifndef BASE_PACKED_H
#define BASE_PACKED_H

#include <stdbool.h>
#include <stddef.h>

enum packed { PACKED_PLAIN, PACKED_GZ, PACKED_XZ, NPACKED };

/* "", ".gz", ".xz". */
extern const char *const packed_endings[NPACKED];

/* The length of a name without the ending of its packing. */
size_t packed_stem(const char *name);

/* The length of a name before `ending`, behind which a packing's may follow; 0
 * if it ends otherwise or is nothing else. */
size_t packed_before(const char *name, const char *ending);

#endif
