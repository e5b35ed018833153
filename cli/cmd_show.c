/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice show: passes its operands on to the function that shows their kind. */
#include "base/opts_help.h"
#include "cli/cli.h"
#include "cli/show.h"

#include <stdio.h>
#include <string.h>

static const struct command kinds[] = {
    {"platform", "NAME|FILE  a machine: every number, unit and source",
     show_platform},
    {"matrix", "FILE|WORKLOAD  a matrix and what a product with it exchanges",
     show_matrix},
    {"graph", "FILE|WORDS  a graph and what a partition of it cuts",
     show_graph},
    {"trace", "FILE  what an application's trace holds, and what it lacks",
     show_trace},
    {"strategy", "NAME  what a strategy does, and which options it looks at",
     show_strategy},
    {"workload", "PREFIX:  how a workload is written, and what it takes",
     show_workload},
};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

static const struct opts_page page = {
    .examples = {{"Show a platform, with the source of every number",
                  "sluice show platform lassen"},
                 {"Show a workload and its options",
                  "sluice show workload stencil:"}},
};

/* Prints the man page as opts_print_man() does, but of kinds. */
static void show_man(void)
{
    man_print_head("sluice-show",
                   "a platform, matrix, graph, trace, strategy or workload "
                   "in full");
    printf(".SH SYNOPSIS\n.B sluice show\nKIND ...\n.SH KINDS\n");
    for (size_t i = 0; i < NKINDS; i++) {
        printf(".TP\n.BR sluice\\-show\\-%s (1)\n", kinds[i].name);
        man_print_text(kinds[i].summary);
        printf("\n");
    }
    man_print_examples(&page);
}

static void show_words(void)
{
    for (size_t i = 0; i < NKINDS; i++)
        printf("%s\n", kinds[i].name);
}

static void help(void)
{
    printf("usage: sluice show KIND ...\n\n");
    for (size_t i = 0; i < NKINDS; i++)
        printf("  %-10s %s\n", kinds[i].name, kinds[i].summary);
    printf("\n`sluice show KIND --help` explains one kind.\n");
    help_print_examples(&page);
}

int cmd_show(int argc, char **argv, struct err *err)
{
    const char *names[NKINDS];

    if (argc < 2)
        return fail(err, "show: expected what to show (see sluice show "
                         "--help)");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
        help();
        return 0;
    }
    if (!strcmp(argv[1], "--help=man") || !strcmp(argv[1], "--help=words")) {
        argv[1][7] == 'm' ? show_man() : show_words();
        return 0;
    }
    for (size_t i = 0; i < NKINDS; i++) {
        names[i] = kinds[i].name;
        if (!strcmp(argv[1], kinds[i].name))
            return kinds[i].run(argc - 1, argv + 1, err);
    }
    const char *near = nearest_word(argv[1], names, NKINDS);
    if (near)
        return fail(err, "show: cannot show '%s' (did you mean %s?)", argv[1],
                    near);
    return fail(err, "show: cannot show '%s' (see sluice show --help)",
                argv[1]);
}
