/* SPDX-License-Identifier: GPL-3.0-or-later */
/* binary_size.h - bytes as text in the largest binary unit of which they are a
 * whole number: "512 B", "64 KiB". */
#ifndef BASE_BINARY_SIZE_H
#define BASE_BINARY_SIZE_H

#include <stdint.h>

/* Writes the size to `text`, and returns it. */
const char *binary_size(char text[32], uint64_t bytes);

#endif
