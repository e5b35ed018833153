/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opts_help.h - what a table of options says of itself: as the text of --help,
 * as a manual page, as words that a shell completes. */
#ifndef BASE_OPTS_HELP_H
#define BASE_OPTS_HELP_H

#include "base/opts.h"

/* The text of --help. `more` may be NULL. */
void opts_print_help(const struct opt *opts, size_t nopts, const char *usage,
                     const char *more);
/* --help=man: the page PROGRAM-COMMAND(1) in man(7). The page's name is the
 * words in small letters at the beginning of `usage`. */
void opts_print_man(const struct opt *opts, size_t nopts, const char *usage,
                    const char *more);
/* --help=words: the options, one a line. */
void opts_print_words(const struct opt *opts, size_t nopts);

/* A text in man(7): nothing of it is taken for a request or an escape. */
void man_print_text(const char *text);
void man_print_head(const char *page, const char *summary);

#endif
