/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/cli.h"

#include <stdio.h>

int cmd_list(int argc, char **argv, struct err *err)
{
    int noperands;
    bool helped;

    if (opts_parse(argc, argv, NULL, 0, "list [WHAT]", NULL, &noperands,
                   &helped, err) < 0)
        return -1;
    return 0;
}
