/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the arguments of a program before any command sees them. */
#include "base/args.h"

#include "base/printable.h"

#include <stdlib.h>
#include <string.h>

int args_take_debug(int argc, char **argv)
{
    int n = 0;

    for (int i = 0; i < argc; i++)
        if (i && !strcmp(argv[i], "--debug"))
            setenv(ERR_DEBUG, "1", 1);
        else
            argv[n++] = argv[i];
    argv[n] = NULL;
    return n;
}

int args_check(int argc, char **argv, struct err *err)
{
    for (int i = 1; i < argc; i++) {
        if (!printable_fault(argv[i]))
            continue;
        char *where = xasprintf("argument %d, '%s'", i, argv[i]);
        int result = printable_check(argv[i], where, err);
        free(where);
        return result;
    }
    return 0;
}
