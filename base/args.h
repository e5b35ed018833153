/* SPDX-License-Identifier: GPL-3.0-or-later */
/* args.h - handling of arguments that is the same for every command. */
#ifndef BASE_ARGS_H
#define BASE_ARGS_H

#include "base/err.h"

/* Removes --debug from argv, wherever it is, and sets ERR_DEBUG if it was
 * there. Returns the new argc. */
int args_take_debug(int argc, char **argv);

/* Refuses control characters and broken UTF-8 in every argument, because names
 * and paths are written into tables, pictures and messages. */
int args_check(int argc, char **argv, struct err *err) MUST_CHECK;

#endif
