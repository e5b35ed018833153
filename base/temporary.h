/* SPDX-License-Identifier: GPL-3.0-or-later */
/* temporary.h - a file without a name, which is gone when it is closed or the
 * program ends, however it does. */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

#include "base/err.h"

#include <stdio.h>

/* For writing and reading, in the folder $TMPDIR, or /tmp where that is not
 * set. NULL and an error that names the folder. */
FILE *temporary_file(struct err *err) MUST_CHECK;

#endif
