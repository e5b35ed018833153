/* SPDX-License-Identifier: GPL-3.0-or-later */
/* temporary.h - a file without a name, which is gone when it is closed or the
 * program ends, for whatever reason. */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

#include "base/err.h"

#include <stdio.h>

/* Returns a file for writing and reading in the folder $TMPDIR, or /tmp if that
 * is not set. Returns NULL and an error that names the folder if that fails. */
FILE *temporary_file(struct err *err) MUST_CHECK;

#endif
