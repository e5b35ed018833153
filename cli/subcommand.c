/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the options of a command among its subcommands. */
#include "cli/subcommand.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 64 };

const struct subcommand *subcommand_take(const struct subcommands *all,
                                         int *argc, char **argv)
{
    for (size_t i = 0; i + 1 < all->n && *argc > 1; i++)
        if (!strcmp(argv[1], all->of[i].name)) {
            --*argc;
            memmove(&argv[1], &argv[2], (size_t)*argc * sizeof *argv);
            return &all->of[i];
        }
    return &all->of[all->n - 1];
}

/* Returns the name by which a row belongs to a list: a former name belongs
 * where the present one does. */
static const char *row_name(const struct opt *o)
{
    return o->kind == OPT_FORMER ? o->help : o->name;
}

/* Copies the rows that are in neither list; a heading without options is left
 * out. Returns their number. */
static size_t rows_without(struct opt *to, const struct opt *opts, size_t nopts,
                           const char *without, const char *hidden)
{
    const struct opt *heading = NULL;
    size_t n = 0;

    assert(nopts <= MOST_OPTIONS);
    for (size_t i = 0; i < nopts; i++) {
        const char *name = row_name(&opts[i]);
        if (opts[i].kind == OPT_GROUP) {
            heading = &opts[i];
            continue;
        }
        if (opt_in_list(without, name) || opt_in_list(hidden, name))
            continue;
        if (heading)
            to[n++] = *heading;
        heading = NULL;
        to[n++] = opts[i];
    }
    return n;
}

/* Returns "validate measured or validate native", the subcommands that take an
 * option; the caller frees it. */
static char *takers(const struct subcommands *all, const char *option)
{
    char *names = xstrdup("");

    for (size_t i = 0; i + 1 < all->n; i++) {
        if (opt_in_list(all->of[i].without, option))
            continue;
        char *more = xasprintf("%s%s%s %s", names, *names ? " or " : "",
                               all->command, all->of[i].name);
        free(names);
        names = more;
    }
    return names;
}

static int refuse_option(const struct subcommands *all,
                         const struct subcommand *which, const char *option,
                         struct err *err)
{
    char *of = takers(all, option);
    int result = *of ? fail(err, "--%s: an option of %s, not of %s %s", option,
                            of, all->command, which->name)
                     : fail(err, "--%s: not with %s %s, which takes files",
                            option, all->command, which->name);

    free(of);
    return result;
}

/* Returns whether a word is this option, with or without a value. */
static bool is_option(const char *word, const char *name)
{
    size_t n = strlen(name);

    return !strncmp(word, "--", 2) && !strncmp(word + 2, name, n) &&
           (!word[2 + n] || word[2 + n] == '=');
}

static int check_words(const struct subcommands *all,
                       const struct subcommand *which, int argc, char **argv,
                       const struct opt *opts, size_t nopts, struct err *err)
{
    for (int i = 1; i < argc && which->name; i++)
        for (size_t k = 0; k < nopts; k++)
            if (opts[k].kind != OPT_GROUP && is_option(argv[i], opts[k].name) &&
                opt_in_list(which->without, row_name(&opts[k])))
                return refuse_option(all, which, opts[k].name, err);
    return 0;
}

int subcommand_parse(const struct subcommands *all,
                     const struct subcommand *which, int argc, char **argv,
                     const struct opt *opts, size_t nopts, int *noperands,
                     bool *helped, struct err *err)
{
    struct opt own[MOST_OPTIONS];
    bool help = false;

    for (int i = 1; i < argc; i++)
        help |= is_option(argv[i], "help");
    if (check_words(all, which, argc, argv, opts, nopts, err) < 0)
        return -1;
    size_t n = rows_without(own, opts, nopts, which->without,
                            help ? which->former : NULL);
    return opts_parse(argc, argv, own, n, which->page, noperands, helped, err);
}

void subcommand_hint(const struct subcommands *all, const char *former,
                     const char *name)
{
    fprintf(stderr, "sluice: %s: now sluice %s %s FILE ...\n", former,
            all->command, name);
}
