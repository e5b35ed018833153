/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the work and the messages of each GPU of a graph algorithm. */
#include "cli/list_columns.h"

#include <string.h>

void print_gpus(const struct outcome *o)
{
    printf("%s: %-5s", o->name, "GPU");
    list_print_head(LIST_gpus);
    for (uint32_t i = 0; i < o->graph->ngpus; i++) {
        printf("%*s  %-5u", (int)strlen(o->name), "", i);
        list_print_entry(LIST_gpus, o, i);
    }
}
