/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice show: passes its operands on to show platform, matrix or graph. */
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
};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

static void help(void)
{
    printf("usage: sluice show KIND ...\n\n");
    for (size_t i = 0; i < NKINDS; i++)
        printf("  %-10s %s\n", kinds[i].name, kinds[i].summary);
    printf("\n`sluice show KIND --help` explains one kind.\n");
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
