/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opts.h - command-line options as a table with one row each, which the parser
 * and --help share. */
#ifndef BASE_OPTS_H
#define BASE_OPTS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum opt_kind {
    OPT_FLAG,   /* bool *: no value */
    OPT_TEXT,   /* const char **: borrowed from argv */
    OPT_OUTPUT, /* the same for an output; no other argument names it */
    OPT_TEXTS,  /* struct texts *: may be given several times */
    OPT_COUNT,  /* unsigned *: a whole number above 0 */
    OPT_BYTES,  /* uint64_t *: above 0, may end in k, M or G (2^10) */
    OPT_EVENTS, /* uint64_t *: a whole number above 0, also as 1e9 */
    OPT_NUMBER, /* double * */
    OPT_GROUP,  /* no option, but the heading of the rows below it */
    OPT_FORMER, /* the former name of another row, which still works */
};

enum { TEXTS = 64 };
struct texts {
    const char *items[2 * TEXTS + 4]; /* more for the program itself */
    size_t n;
};

struct opt {
    const char *name; /* "platform" for --platform */
    enum opt_kind kind;
    void *target;
    const char *value; /* "NAME": placeholder of the value in the help */
    const char *help;
};

/* A row with the heading of the rows below it. --help prints all rows of one
 * heading together, because tables that are composed name a heading again. */
#define OPT_HEADING(heading)                                                   \
    {                                                                          \
        "", OPT_GROUP, NULL, NULL, heading                                     \
    }
/* A row that lets `old` stand for the option `now`; --help leaves it out. */
#define OPT_RENAMED(old, now)                                                  \
    {                                                                          \
        old, OPT_FORMER, NULL, NULL, now                                       \
    }

/* The text of --help beside the table of options. */
struct opts_page {
    const char *usage; /* "run --workload W [OPTIONS]", without the program */
    /* The description, filled to the width of the help. A line that begins with
     * blanks is not joined with others; "  name  text" is a row of a table.
     * NULL if there is none. */
    const char *about;
    /* Command lines, each with a phrase that says its purpose; the list ends at
     * a row of NULL. */
    struct {
        const char *purpose, *line;
    } examples[4];
};

/*
 * Parses the options anywhere in argv. The operands are moved to the front of
 * argv[1..] and counted in *noperands. --help prints the page and the table,
 * and sets *helped: the command then returns 0.
 *
 * An output file must not be a file that another option or an operand names, by
 * whatever name. An option other than a flag may come once, unless it is
 * OPT_TEXTS. An unknown option is an error that suggests the nearest known one.
 */
int opts_parse(int argc, char **argv, const struct opt *opts, size_t nopts,
               const struct opts_page *page, int *noperands, bool *helped,
               struct err *err) MUST_CHECK;

/* Returns whether a row is an option, which has a target: no heading and no
 * former name. */
static inline bool opt_is_option(const struct opt *o)
{
    return o->kind != OPT_GROUP && o->kind != OPT_FORMER;
}

/* Returns whether a name is in a list of names with blanks between, such as the
 * options of a command; NULL is an empty list. */
bool opt_in_list(const char *list, const char *name);

#endif
