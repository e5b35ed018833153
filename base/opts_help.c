/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints a table of options for people, for man and for shells. */
#include "base/opts_help.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_INDENT = 24 }; /* columns */

/* Every command has these. */
static const struct opt general[] = {
    {"debug", OPT_FLAG, NULL, NULL,
     "report where in the source an error was found"},
    {"help", OPT_FLAG, NULL, NULL, "print this text"},
};
enum { NGENERAL = sizeof general / sizeof general[0] };

static void print_option(const struct opt *o, char *left, size_t size)
{
    snprintf(left, size, "%s%s%s%s", o->name[1] ? "--" : "-", o->name,
             o->value ? " " : "", o->value ? o->value : "");
}

/* The place and the form of the lines that are printed. */
struct lines {
    FILE *to;
    int width;  /* columns */
    int indent; /* of examples */
};
static struct lines help_lines(void)
{
    return (struct lines){stdout, HELP_WIDTH, 4};
}

/* --- lines ---------------------------------------------------------------- */

/* Returns the length of the piece at the beginning of a text that is not broken
 * if it fits: a word, or "[default: ...]". A word of a grammar,
 * "road:vertices=N[,bridges=1]", may be broken before each bracket, and after a
 * comma if it is longer than a line. */
static int piece_length(const char *text, int most)
{
    int word = (int)strcspn(text, " \n");
    int whole = (int)strcspn(text, "]\n") + 1;
    int grammar = (int)strcspn(text + 1, "[ \n") + 1;

    if (!strncmp(text, "[default", 8) && whole <= most)
        return whole;
    if (text[grammar] == '[')
        word = grammar;
    int cut = word > most ? most : 0;
    while (cut > 1 && text[cut - 1] != ',')
        cut--;
    return cut > 1 ? cut : word;
}

/* Prints a text up to the end of its line from `column` on, broken before the
 * end of the width; further lines begin at `indent`. Returns the rest. */
static const char *print_filled(struct lines lines, const char *text,
                                int column, int indent)
{
    bool begins = true;

    while (*text && *text != '\n') {
        bool blank = *text == ' ';
        text += strspn(text, " ");
        int len = piece_length(text, lines.width - indent);
        blank &= !begins;
        if (!begins && column + blank + len > lines.width) {
            fprintf(lines.to, "\n%*s", indent, "");
            column = indent;
            blank = false;
        }
        column += fprintf(lines.to, "%s%.*s", blank ? " " : "", len, text);
        text += len;
        begins = false;
    }
    fprintf(lines.to, "\n");
    return *text ? text + 1 : text;
}

/* Returns the columns before the text of a row "  name  text", or 0 if the line
 * is no such row. */
static int row_indent(const char *line)
{
    int indent = (int)strspn(line, " ");
    int name = indent + (int)strcspn(line + indent, " \n");
    int blanks = (int)strspn(line + name, " ");

    return indent && blanks > 1 ? name + blanks : 0;
}

/* Prints a line of the description, and returns the next. The continuation of
 * indented lines and rows is indented further. */
static const char *print_about_line(struct lines lines, const char *line)
{
    int indent = (int)strspn(line, " "), row = row_indent(line);
    int begin = row ? row : indent;

    fprintf(lines.to, "%.*s", begin, line);
    return print_filled(lines, line + begin, begin,
                        row || !indent ? begin : indent + 4);
}

/* Prints "  --name VALUE   help"; a long name has a line of its own. */
static void print_help_line(const struct opt *o)
{
    char left[64];

    print_option(o, left, sizeof left);
    if (printf("  %s", left) > HELP_INDENT - 2)
        printf("\n%*s", HELP_INDENT, "");
    else
        printf("%*s", HELP_INDENT - 2 - (int)strlen(left), "");
    (void)print_filled(help_lines(), o->help, HELP_INDENT, HELP_INDENT);
}

/* Prints a command line, broken before its options. */
static void print_command(struct lines lines, const char *line)
{
    int column = fprintf(lines.to, "%*s", lines.indent, "");
    bool begins = true;

    while (*line) {
        size_t len = strcspn(line, " ");
        while (line[len] && strncmp(line + len, " -", 2) != 0 &&
               strncmp(line + len, " |", 2) != 0)
            len += 1 + strcspn(line + len + 1, " ");
        if (!begins && column + 3 + (int)len > lines.width)
            column = fprintf(lines.to, " \\\n%*s", lines.indent + 4, "") - 3;
        else if (!begins)
            column += fprintf(lines.to, " ");
        column += fprintf(lines.to, "%.*s", (int)len, line);
        line += len + (line[len] == ' ');
        begins = false;
    }
    fprintf(lines.to, "\n");
}

/* --- groups --------------------------------------------------------------- */

/* The rows before the first heading belong to this one, which comes first. */
static const char first_heading[] = "Options";

/* Calls print() with each option of a heading. */
static size_t each_of(const struct opt *opts, size_t nopts, const char *heading,
                      void (*print)(const struct opt *o))
{
    const char *now = first_heading;
    size_t n = 0;

    for (size_t i = 0; i < nopts; i++) {
        if (opts[i].kind == OPT_GROUP)
            now = opts[i].help;
        if (!opt_is_option(&opts[i]) || strcmp(now, heading) != 0)
            continue;
        if (print)
            print(&opts[i]);
        n++;
    }
    return n;
}

/* Returns whether the heading of row i stands above it, too. */
static bool is_repeated(const struct opt *opts, size_t i)
{
    if (!strcmp(opts[i].help, first_heading))
        return true;
    for (size_t k = 0; k < i; k++)
        if (opts[k].kind == OPT_GROUP && !strcmp(opts[k].help, opts[i].help))
            return true;
    return false;
}

/* Prints the options by their headings, in the order in which these first
 * stand. The last group has the options that every command has; without
 * headings it is one group with the others. */
static void print_groups(const struct opt *opts, size_t nopts,
                         void (*heading)(const char *text),
                         void (*print)(const struct opt *o))
{
    bool grouped = false;

    if (each_of(opts, nopts, first_heading, NULL)) {
        heading(first_heading);
        each_of(opts, nopts, first_heading, print);
    }
    for (size_t i = 0; i < nopts; i++) {
        if (opts[i].kind != OPT_GROUP || is_repeated(opts, i))
            continue;
        grouped = true;
        heading(opts[i].help);
        each_of(opts, nopts, opts[i].help, print);
    }
    if (grouped || !nopts)
        heading(grouped ? "General" : first_heading);
    each_of(general, NGENERAL, first_heading, print);
}

static void help_print_heading(const char *text)
{
    printf("\n%s:\n", text);
}

void help_print_examples(const struct opts_page *page)
{
    for (size_t i = 0; page->examples[i].line; i++) {
        printf("%s  %s:\n", i ? "" : "\nExamples:\n",
               page->examples[i].purpose);
        print_command(help_lines(), page->examples[i].line);
    }
}

void opts_print_help(const struct opt *opts, size_t nopts,
                     const struct opts_page *page)
{
    printf("usage: %s %s\n", program_invocation_short_name, page->usage);
    if (page->about) {
        printf("\n");
        for (const char *line = page->about; *line;)
            line = print_about_line(help_lines(), line);
    }
    print_groups(opts, nopts, help_print_heading, print_help_line);
    help_print_examples(page);
}

void opts_print_words(const struct opt *opts, size_t nopts)
{
    for (size_t i = 0; i < nopts; i++)
        if (opt_is_option(&opts[i]))
            printf("%s%s\n", opts[i].name[1] ? "--" : "-", opts[i].name);
    for (size_t i = 0; i < NGENERAL; i++)
        printf("--%s\n", general[i].name);
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

/* Prints the text that is written to a stream, which it closes. */
static void man_print_lines(FILE *to, char **text)
{
    if (fclose(to))
        err_no_memory("a manual page");
    printf(".nf\n");
    man_print_text(*text);
    printf(".fi\n");
    free(*text);
}

/* man(1) indents by 7 columns. */
static struct lines man_lines(char **text, size_t *size)
{
    struct lines lines = {open_memstream(text, size), HELP_WIDTH - 8, 4};

    if (!lines.to)
        err_no_memory("a manual page");
    return lines;
}

/* Prints the description, whose indented lines are not joined. */
static void man_print_about(const char *about)
{
    size_t size;
    char *text;

    while (*about) {
        struct lines lines = man_lines(&text, &size);
        if (*about == ' ') {
            while (*about == ' ')
                about = print_about_line(lines, about);
            man_print_lines(lines.to, &text);
            continue;
        }
        about = print_filled(lines, about, 0, 0);
        if (fclose(lines.to))
            err_no_memory("a manual page");
        man_print_text(text);
        printf(".br\n");
        free(text);
    }
}

static void man_print_heading(const char *text)
{
    if (!strcmp(text, first_heading))
        return;
    printf(".SS ");
    man_print_text(text);
    printf("\n");
}

static void man_print_option(const struct opt *o)
{
    char left[64];

    print_option(o, left, sizeof left);
    printf(".TP\n\\fB");
    man_print_text(left);
    printf("\\fR\n");
    man_print_text(o->help);
    printf("\n");
}

void man_print_examples(const struct opts_page *page)
{
    for (size_t i = 0; page->examples[i].line; i++) {
        size_t size;
        char *text;
        struct lines lines = man_lines(&text, &size);
        printf("%s.PP\n", i ? "" : ".SH EXAMPLES\n");
        man_print_text(page->examples[i].purpose);
        printf(":\n");
        print_command(lines, page->examples[i].line);
        man_print_lines(lines.to, &text);
    }
}

void opts_print_man(const struct opt *opts, size_t nopts,
                    const struct opts_page *page)
{
    char name[64], summary[256];

    page_name(name, sizeof name, page->usage);
    first_sentence(summary, sizeof summary,
                   page->about ? page->about : "a command");
    man_print_head(name, summary);
    printf(".SH SYNOPSIS\n.B %s\n", program_invocation_short_name);
    man_print_text(page->usage);
    if (page->about) {
        printf("\n.SH DESCRIPTION\n");
        man_print_about(page->about);
    }
    printf("%s.SH OPTIONS\n", page->about ? "" : "\n");
    print_groups(opts, nopts, man_print_heading, man_print_option);
    man_print_examples(page);
    printf(".SH SEE ALSO\n.BR %s (1)\n", program_invocation_short_name);
}
