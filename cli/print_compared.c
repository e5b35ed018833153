/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the result under another partition of the rows, next to the one that
 * was asked for: one line of text, one key of JSON. */
#include "cli/print_run.h"

#include <string.h>

void print_partition(const char *partition, const char *what)
{
    static const char *const adjectives[] = {"contiguous", "metis", "rcm",
                                             "random", "geometric"};

    for (size_t i = 0; i < sizeof adjectives / sizeof adjectives[0]; i++)
        if (!strcmp(partition, adjectives[i])) {
            printf("%s %s", partition, what);
            return;
        }
    printf("%s by %s", what, partition);
}

void print_compared(const struct load *l, const struct compared *best,
                    double than_s)
{
    if (!l->compared)
        return;
    print_partition(l->compared, "rows");
    if (!best->name)
        printf(": %s\n", best->why.text);
    else if (than_s > 0)
        printf(": best %s, %.2f us (%+.0f %%)\n", best->name,
               best->time_s * 1e6, 100 * (best->time_s / than_s - 1));
    else
        printf(": best %s, %.2f us\n", best->name, best->time_s * 1e6);
}

void add_compared(struct json *doc, const struct load *l,
                  const struct compared *best)
{
    if (!l->compared)
        return;

    struct json *o = json_new_object();
    json_add_string(o, "partition", l->compared);
    if (best->name) {
        json_add_string(o, "best", best->name);
        json_add_number(o, "time_s", best->time_s);
    } else {
        json_add_string(o, "left_out", best->why.text);
    }
    json_add(doc, "compared", o);
}
