/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subcommand.h - commands whose first word may name a subcommand, which takes a
 * part of the command's options. */
#ifndef CLI_SUBCOMMAND_H
#define CLI_SUBCOMMAND_H

#include "base/opts.h"

struct subcommand {
    const char *name; /* NULL for the command without a subcommand */
    const struct opts_page *page;
    /* Options of the command that it does not take, and those that it takes as
     * former spellings, which help leaves out; names with blanks between. */
    const char *without, *former;
};

/* A command: its subcommands, and last the one without a name. */
struct subcommands {
    const char *command;
    const struct subcommand *of;
    size_t n;
};

/* Returns the subcommand that the first word names, and removes the word; the
 * last one if it names none. A file of such a name is ./NAME. */
const struct subcommand *subcommand_take(const struct subcommands *all,
                                         int *argc, char **argv);

/* Does as opts_parse() with the options of the subcommand. An option of another
 * subcommand is an error that says of which. */
int subcommand_parse(const struct subcommands *all,
                     const struct subcommand *which, int argc, char **argv,
                     const struct opt *opts, size_t nopts, int *noperands,
                     bool *helped, struct err *err) MUST_CHECK;

/* Prints to standard error that a former spelling is now a subcommand. */
void subcommand_hint(const struct subcommands *all, const char *former,
                     const char *name);

#endif
