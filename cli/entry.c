/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the name of a table's row, and prints the options that the row
 * accepts. */
#include "cli/entry.h"

#include "base/opts.h"

#include <stdio.h>

int entry_name(const char **name, int argc, char **argv,
               const struct opts_page *page, struct err *err)
{
    bool helped;
    int n;

    if (opts_parse(argc, argv, NULL, 0, page, &n, &helped, err) < 0)
        return -1;
    if (helped)
        return 1;
    if (n != 1)
        return fail(err, "show %s: expected one name, got %d", argv[0], n);
    *name = argv[1];
    return 0;
}

void entry_print_options(const char *options)
{
    printf("\noptions:");
    for (const char *c = options; *c; c++)
        if (c == options || c[-1] == ' ')
            printf("%s --%c", c == options ? "" : ",", *c);
        else if (*c != ' ')
            putchar(*c);
    printf("%s\n", *options ? "" : " none");
}
