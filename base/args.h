/* SPDX-License-Identifier: GPL-3.0-or-later */
/* args.h - what holds for every argument of every command. */
#ifndef BASE_ARGS_H
#define BASE_ARGS_H

#include "base/err.h"

/* Takes --debug out of argv, wherever it stands, and does what it asks for
 * (ERR_DEBUG); returns what is left of argc. */
int args_take_debug(int argc, char **argv);

/* Refuses control characters and broken UTF-8 in every argument: names and
 * paths go into tables, pictures and messages. */
int args_check(int argc, char **argv, struct err *err) MUST_CHECK;

#endif
