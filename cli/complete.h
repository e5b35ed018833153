/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complete.h - what may come next on a command line, for shells. */
#ifndef CLI_COMPLETE_H
#define CLI_COMPLETE_H

#include "cli/cli.h"

/*
 * Prints the words that may follow argv[0..argc), which are those after
 * "sluice", one a line. An unknown command has none. The exit code, or -1.
 */
int complete_words(const struct command *commands, size_t ncommands, int argc,
                   char **argv, struct err *err) MUST_CHECK;

#endif
