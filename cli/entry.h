/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry.h - what showing one row of a table has in common. */
#ifndef CLI_ENTRY_H
#define CLI_ENTRY_H

#include "base/err.h"

/* The only operand; 1: help was asked for, and printed. */
int entry_name(const char **name, int argc, char **argv, const char *usage,
               struct err *err) MUST_CHECK;
/* "gpus nodes" as "--gpus, --nodes". */
void entry_print_options(const char *options);

#endif
