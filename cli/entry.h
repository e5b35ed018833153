/* SPDX-License-Identifier: GPL-3.0-or-later */
/* entry.h - functions for the commands that show one row of a table. */
#ifndef CLI_ENTRY_H
#define CLI_ENTRY_H

#include "base/err.h"
#include "base/opts.h"

/* Reads the only operand. Returns 1 if help was asked for, and printed. */
int entry_name(const char **name, int argc, char **argv,
               const struct opts_page *page, struct err *err) MUST_CHECK;
/* Prints "gpus nodes" as "--gpus, --nodes". */
void entry_print_options(const char *options);

#endif
