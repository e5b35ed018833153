/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unxz.h - reads a file that is compressed in the XZ format. */
#ifndef BASE_UNXZ_H
#define BASE_UNXZ_H

#include "base/err.h"

#include <stdint.h>
#include <stdio.h>

/* The largest contents of a packed file, because larger ones might fill disks;
 * also the most memory of its decoder. */
#define UNXZ_MOST (UINT64_C(1) << 30)
#define UNXZ_TOO_MUCH "holds more than 1 GiB: unpack it first"

/*
 * Returns a stream of the contents of `in`, unpacked into a temporary file of
 * at most UNXZ_MOST, if `in` begins as an XZ file does: `in` is closed then.
 * Returns `in` if it does not; NULL, with `in` closed, and an error if the
 * file is truncated or broken.
 */
FILE *unxz(FILE *in, struct err *err) MUST_CHECK;
/* Reads the first bytes, at most `room`, of an XZ file's contents; returns
 * their number. */
size_t unxz_head(FILE *in, char *head, size_t room);

#endif
