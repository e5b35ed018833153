/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses a command line by a table of options and prints --help from the same
 * table. */
#include "base/opts.h"

#include "base/number.h"
#include "base/opts_help.h"
#include "base/outfile.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct opt *opts_find(const struct opt *opts, size_t nopts,
                                   const char *name, size_t len)
{
    for (size_t i = 0; i < nopts; i++) {
        const struct opt *o = &opts[i];
        if (o->kind == OPT_GROUP || strlen(o->name) != len ||
            strncmp(o->name, name, len) != 0)
            continue;
        if (o->kind == OPT_FORMER)
            return opts_find(opts, nopts, o->help, strlen(o->help));
        return o;
    }
    return NULL;
}

enum { MAX_OPTS = 96, MAX_COUNT = 1000000000 };

static int opts_unknown(const char *arg, const struct opt *opts, size_t nopts,
                        struct err *err)
{
    const char *names[MAX_OPTS];
    size_t n = 0;

    for (size_t i = 0; i < nopts && n < MAX_OPTS; i++)
        if (opt_is_option(&opts[i]))
            names[n++] = opts[i].name;
    const char *near = nearest_word(arg + 2, names, n);
    if (near)
        return fail(err, "%s: unknown option (did you mean --%s?)", arg, near);
    return fail(err, "%s: unknown option (see --help)", arg);
}

static const char *dashes(const struct opt *o)
{
    return o->name[1] ? "--" : "-";
}

static int read_number(const char *name, const char *text, double *out,
                       struct err *err)
{
    if (!number_real(text, out))
        return fail(err, "--%s: expected a number, got '%s'", name, text);
    return 0;
}

static int read_bytes(const char *name, const char *text, uint64_t *out,
                      struct err *err)
{
    uint64_t v;

    if (!number_bytes(text, &v) || !v)
        return fail(err,
                    "--%s: expected bytes above 0 such as 8192 or 8k, "
                    "got '%s'",
                    name, text);
    *out = v;
    return 0;
}

/* Reads a whole number, also as 1e9. */
static int read_events(const char *name, const char *text, uint64_t *out,
                       struct err *err)
{
    uint64_t v;

    if (!number_count(text, &v) || !v)
        return fail(err, "--%s: expected a whole number above 0, got '%s'",
                    name, text);
    *out = v;
    return 0;
}

static int read_count(const char *name, const char *text, unsigned *out,
                      struct err *err)
{
    uint64_t v;

    if (read_events(name, text, &v, err) < 0)
        return -1;
    if (v > MAX_COUNT)
        return fail(err, "--%s: expected at most %d, got '%s'", name, MAX_COUNT,
                    text);
    *out = (unsigned)v;
    return 0;
}

static int store(const struct opt *o, const char *text, struct err *err)
{
    switch (o->kind) {
    case OPT_FLAG:
        *(bool *)o->target = true;
        return 0;
    case OPT_TEXT:
    case OPT_OUTPUT:
        *(const char **)o->target = text;
        return 0;
    case OPT_EVENTS:
        return read_events(o->name, text, o->target, err);
    case OPT_TEXTS: {
        struct texts *t = o->target;
        if (t->n == TEXTS)
            return fail(err, "%s%s: given too often", dashes(o), o->name);
        t->items[t->n++] = text;
        return 0;
    }
    case OPT_COUNT:
        return read_count(o->name, text, o->target, err);
    case OPT_BYTES:
        return read_bytes(o->name, text, o->target, err);
    case OPT_NUMBER:
        return read_number(o->name, text, o->target, err);
    case OPT_GROUP:
    case OPT_FORMER:
        break;
    }
    return fail(err, "%s%s: unknown kind of option", dashes(o), o->name);
}

/* Prints --help, -h, or --help=FORM for the pages and words that are made from
 * it. Returns false if the argument is none of these. */
static bool helps(const char *arg, const struct opt *opts, size_t nopts,
                  const struct opts_page *page)
{
    if (!strcmp(arg, "--help") || !strcmp(arg, "-h"))
        opts_print_help(opts, nopts, page);
    else if (!strcmp(arg, "--help=man"))
        opts_print_man(opts, nopts, page);
    else if (!strcmp(arg, "--help=words"))
        opts_print_words(opts, nopts);
    else
        return false;
    return true;
}

/* A value of an option, or an operand, in their order. */
struct opts_given {
    const struct opt *opt; /* NULL for an operand */
    const char *text;
};

/* Fails if an output is one of the files that are read. */
static int opts_check_outputs(const struct opts_given *given, size_t n,
                              struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct opt *o = given[i].opt;
        for (size_t k = 0; k < n && o && o->kind == OPT_OUTPUT; k++) {
            bool writes = given[k].opt && given[k].opt->kind == OPT_OUTPUT;
            if (given[k].text && !writes &&
                outfile_check_words(given[i].text, given[k].text, err) < 0)
                return fail_in(err, "%s%s", dashes(o), o->name);
        }
    }
    return 0;
}

/* Returns the number of operands, or -1. */
static int opts_read(int argc, char **argv, const struct opt *opts,
                     size_t nopts, const struct opts_page *page,
                     struct opts_given *given, size_t *ngiven, bool *helped,
                     struct err *err)
{
    bool seen[MAX_OPTS] = {false};
    int n = 0;

    assert(nopts <= MAX_OPTS);
    *helped = false;
    for (int i = 1; i < argc; i++) {
        const char *arg = argv[i];
        if (helps(arg, opts, nopts, page)) {
            *helped = true;
            *ngiven = 0;
            return 0;
        }
        if (arg[0] != '-' || !arg[1]) {
            given[(*ngiven)++] = (struct opts_given){NULL, arg};
            argv[1 + n++] = argv[i];
            continue;
        }
        /* An option of one letter has one dash. */
        bool letter = arg[1] != '-';
        const char *name = arg + (letter ? 1 : 2);
        if (letter && name[1])
            return fail(err, "%s: unknown option (see --help)", arg);

        const char *equals = strchr(arg, '=');
        size_t len = equals ? (size_t)(equals - name) : strlen(name);
        const struct opt *o = opts_find(opts, nopts, name, len);
        const char *value = equals ? equals + 1 : NULL;
        if (!o)
            return opts_unknown(arg, opts, nopts, err);
        if (o->kind == OPT_FLAG && value)
            return fail(err, "%s%s: takes no value", dashes(o), o->name);
        if (o->kind != OPT_FLAG && !value) {
            if (i + 1 == argc)
                return fail(err, "%s%s: expected %s after it", dashes(o),
                            o->name, o->value);
            value = argv[++i];
        }
        bool again = o->kind == OPT_TEXTS || o->kind == OPT_FLAG;
        if (seen[o - opts] && !again)
            return fail(err, "%s%s: given twice", dashes(o), o->name);
        seen[o - opts] = true;
        given[(*ngiven)++] = (struct opts_given){o, value};
        if (store(o, value, err) < 0)
            return -1;
    }
    return n;
}

int opts_parse(int argc, char **argv, const struct opt *opts, size_t nopts,
               const struct opts_page *page, int *noperands, bool *helped,
               struct err *err)
{
    struct opts_given *given = xcalloc((size_t)argc + 1, sizeof *given);
    size_t ngiven = 0;
    int n =
        opts_read(argc, argv, opts, nopts, page, given, &ngiven, helped, err);

    if (n >= 0 && opts_check_outputs(given, ngiven, err) < 0)
        n = -1;
    free(given);
    *noperands = n;
    return n < 0 ? -1 : 0;
}

bool opt_in_list(const char *list, const char *name)
{
    size_t len = strlen(name);

    for (const char *at = list; at && *at; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        if (word == len && !strncmp(at, name, len))
            return true;
        at += word;
    }
    return false;
}
