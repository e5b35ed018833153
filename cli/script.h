/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.h - starts a script in Python that comes with sluice. */
#ifndef CLI_SCRIPT_H
#define CLI_SCRIPT_H

#include "base/err.h"
#include "base/json.h"

/* Becomes python3 with a script, which is named as in the source tree, the path
 * of this program, an argument, and the document on standard input. Returns
 * only if that fails. */
int script_start(const char *script, const char *argument,
                 const struct json *input, struct err *err) MUST_CHECK;

#endif
