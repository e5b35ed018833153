/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unxz.h - a file that is compressed in the XZ format, read as what it was. */
#ifndef BASE_UNXZ_H
#define BASE_UNXZ_H

#include "base/err.h"

#include <stdint.h>
#include <stdio.h>

/* What a packed file may hold: beyond, it is taken for one that fills disks.
 * Its decoder may take as much for itself. */
#define UNXZ_MOST (UINT64_C(1) << 30)
#define UNXZ_TOO_MUCH "holds more than 1 GiB: unpack it first"

/*
 * If `in` begins as an XZ file does, a stream of what it holds, unpacked into a
 * temporary file (UNXZ_MOST), in place of `in`, which is closed; else `in`.
 * NULL, with `in` closed, and an error when the file is truncated or broken.
 */
FILE *unxz(FILE *in, struct err *err) MUST_CHECK;
/* The first bytes, at most `room`, of what an XZ file holds: how many. */
size_t unxz_head(FILE *in, char *head, size_t room);

#endif
