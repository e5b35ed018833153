/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unxz.h - a file that is compressed in the XZ format, read as what it was. */
#ifndef BASE_UNXZ_H
#define BASE_UNXZ_H

#include "base/err.h"

#include <stdint.h>
#include <stdio.h>

/*
 * If `in` begins as an XZ file does, a stream of what it holds, unpacked into a
 * temporary file (1 GiB at most), in place of `in`, which is closed; else `in`.
 * NULL, with `in` closed, and an error when the file is truncated or broken.
 */
FILE *unxz(FILE *in, struct err *err) MUST_CHECK;
/* The same, of a file that may hold `most` bytes. */
FILE *unxz_up_to(FILE *in, uint64_t most, struct err *err) MUST_CHECK;
/* The first bytes, at most `room`, of what an XZ file holds: how many. */
size_t unxz_head(FILE *in, char *head, size_t room);

#endif
