/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.h - starts a script in Python that comes with sluice. */
#ifndef CLI_SCRIPT_H
#define CLI_SCRIPT_H

#include "base/err.h"
#include "base/json.h"

/*
 * Both run python3 with a script, which is named as in the source tree, the
 * path of this program, an argument, and the document on standard input. The
 * environment names the library of this program in SLUICE_LIBRARY, so that
 * sluice.py in the script simulates as the program does.
 *
 * script_start() becomes the script and returns only if that fails.
 * script_run() returns the document that the script prints; it fails with the
 * members "error" and "code" of this document if it has them. The caller frees
 * the document.
 */
int script_start(const char *script, const char *argument,
                 const struct json *input, struct err *err) MUST_CHECK;
struct json *script_run(const char *script, const char *argument,
                        const struct json *input, struct err *err) MUST_CHECK;

#endif
