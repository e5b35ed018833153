/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a table of options for people, for man and for shells. */
#include "base/opts_help.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { HELP_INDENT = 28, HELP_WIDTH = 100 }; /* columns */

static void print_option(const struct opt *o, char *left, size_t size)
{
    snprintf(left, size, "%s%s%s%s", o->name[1] ? "--" : "-", o->name,
             o->value ? " " : "", o->value ? o->value : "");
}

/* Prints "  --name VALUE   help", broken between words before HELP_WIDTH
 * columns. */
static void print_help_line(const char *left, const char *help)
{
    int column = printf("  %-26s", left);

    for (const char *word = help; *word; word += strspn(word, " ")) {
        int whole = (int)strcspn(word, "]") + 1;
        int len = (int)strcspn(word, " ");
        if (*word == '[' && whole <= HELP_WIDTH - HELP_INDENT - 1)
            len = whole; /* keeps [default: ...] together */
        if (column + 1 + len > HELP_WIDTH) {
            column = HELP_INDENT;
            printf("\n%*s", HELP_INDENT, "");
        }
        column += printf(" %.*s", len, word);
        word += len;
    }
    printf("\n");
}

void opts_print_help(const struct opt *opts, size_t nopts, const char *usage,
                     const char *more)
{
    printf("usage: %s %s\n\n", program_invocation_short_name, usage);
    for (size_t i = 0; i < nopts; i++) {
        char left[64];
        print_option(&opts[i], left, sizeof left);
        print_help_line(left, opts[i].help);
    }
    print_help_line("--debug", "report where in the source an error was found");
    print_help_line("--help", "this text");
    if (more)
        printf("\n%s", more);
}

void opts_print_words(const struct opt *opts, size_t nopts)
{
    for (size_t i = 0; i < nopts; i++)
        printf("%s%s\n", opts[i].name[1] ? "--" : "-", opts[i].name);
    printf("--debug\n--help\n");
}

/* --- man(7) --------------------------------------------------------------- */

void man_print_text(const char *text)
{
    bool at_begin = true;

    for (const char *c = text; *c; c++) {
        if (at_begin && (*c == '.' || *c == '\''))
            printf("\\&");
        if (*c == '\\')
            printf("\\e");
        else if (*c == '-')
            printf("\\-");
        else
            putchar(*c);
        at_begin = *c == '\n';
    }
}

void man_print_head(const char *page, const char *summary)
{
    printf(".TH \"");
    for (const char *c = page; *c; c++)
        putchar(toupper((unsigned char)*c));
    printf("\" 1 \"\" \"sluice %s\" \"sluice\"\n.SH NAME\n", SLUICE_VERSION);
    man_print_text(page);
    printf(" \\- ");
    man_print_text(summary);
    printf("\n");
}

/* Writes the page's name, "sluice-run", from the program and a usage of "run
 * [EXPERIMENT.json] ...". */
static void page_name(char *page, size_t size, const char *usage)
{
    size_t n =
        (size_t)snprintf(page, size, "%s", program_invocation_short_name);

    for (const char *c = usage; islower((unsigned char)*c);) {
        size_t len = strspn(c, "abcdefghijklmnopqrstuvwxyz_");
        n += (size_t)snprintf(page + n, n < size ? size - n : 0, "-%.*s",
                              (int)len, c);
        c += len;
        if (*c == ' ')
            c++;
    }
}

/* Copies the first sentence, which is the summary in the page's head. */
static void first_sentence(char *text, size_t size, const char *more)
{
    size_t n = 0;

    for (const char *c = more; *c && n + 1 < size; c++) {
        if (strchr(".;:", *c) && (!c[1] || isspace((unsigned char)c[1])))
            break;
        text[n] = *c;
        if (*c == '\n')
            text[n] = ' ';
        n++;
    }
    text[n] = 0;
}

void opts_print_man(const struct opt *opts, size_t nopts, const char *usage,
                    const char *more)
{
    char page[64], summary[256];

    page_name(page, sizeof page, usage);
    first_sentence(summary, sizeof summary, more ? more : "a command");
    man_print_head(page, summary);
    printf(".SH SYNOPSIS\n.B %s\n", program_invocation_short_name);
    man_print_text(usage);
    if (more) {
        printf("\n.SH DESCRIPTION\n.nf\n");
        man_print_text(more);
        printf(".fi");
    }
    printf("\n.SH OPTIONS\n");
    for (size_t i = 0; i < nopts; i++) {
        char left[64];
        print_option(&opts[i], left, sizeof left);
        printf(".TP\n\\fB");
        man_print_text(left);
        printf("\\fR\n");
        man_print_text(opts[i].help);
        printf("\n");
    }
    printf(".TP\n\\fB\\-\\-debug\\fR\nreport where in the source an error was "
           "found\n");
    printf(".TP\n\\fB\\-\\-help\\fR\nprint a summary of this page\n");
    printf(".SH SEE ALSO\n.BR %s (1)\n", program_invocation_short_name);
}
