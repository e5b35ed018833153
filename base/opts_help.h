/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opts_help.h - the output of a table of options: as the text of --help, as a
 * manual page, and as words that a shell completes. */
#ifndef BASE_OPTS_HELP_H
#define BASE_OPTS_HELP_H

#include "base/opts.h"

enum { HELP_WIDTH = 80 }; /* columns */

/* Prints the text of --help: usage, description, options in groups, examples;
 * no line is longer than HELP_WIDTH columns. */
void opts_print_help(const struct opt *opts, size_t nopts,
                     const struct opts_page *page);
/* Prints --help=man: the page PROGRAM-COMMAND(1) in man(7). Its name comes from
 * the words in small letters at the beginning of the usage. */
void opts_print_man(const struct opt *opts, size_t nopts,
                    const struct opts_page *page);
/* Prints --help=words: the options, one per line. */
void opts_print_words(const struct opt *opts, size_t nopts);

/* Prints examples as --help does, and as a section of man(7). */
void help_print_examples(const struct opts_page *page);
void man_print_examples(const struct opts_page *page);

/* Prints a text in man(7), so that no part of it is a request or an escape. */
void man_print_text(const char *text);
void man_print_head(const char *page, const char *summary);

#endif
