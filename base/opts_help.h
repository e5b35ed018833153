/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opts_help.h - the output of a table of options: as the text of --help, as a
 * manual page, and as words that a shell completes. */
#ifndef BASE_OPTS_HELP_H
#define BASE_OPTS_HELP_H

#include "base/opts.h"

/* Prints the text of --help. `more` may be NULL. */
void opts_print_help(const struct opt *opts, size_t nopts, const char *usage,
                     const char *more);
/* Prints --help=man: the page PROGRAM-COMMAND(1) in man(7). Its name comes from
 * the words in small letters at the beginning of `usage`. */
void opts_print_man(const struct opt *opts, size_t nopts, const char *usage,
                    const char *more);
/* Prints --help=words: the options, one per line. */
void opts_print_words(const struct opt *opts, size_t nopts);

/* Prints a text in man(7), so that no part of it is a request or an escape. */
void man_print_text(const char *text);
void man_print_head(const char *page, const char *summary);

#endif
