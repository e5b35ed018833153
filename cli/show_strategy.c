/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice show strategy: one row of the table of strategies, in full. */
#include "cli/entry.h"
#include "cli/show.h"
#include "strategies/strategy.h"

#include <stdio.h>

int show_strategy(int argc, char **argv, struct err *err)
{
    const char *name;
    int result = entry_name(&name, argc, argv, "show strategy NAME", err);

    if (result)
        return result < 0 ? -1 : 0;
    const struct strategy *s = strategy_find(name, err);
    if (!s)
        return -1;
    printf("%s: %s\n\n%s\n", s->name, s->summary, s->help);
    entry_print_options(s->options);
    printf("closed form: %s\n", s->predict ? "yes (sluice model)" : "none");
    return 0;
}
