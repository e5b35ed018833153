/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the ends of a machine's measured ranges beyond which an answer
 * lies. */
#include "cli/print_extrapolates.h"

#include <stdio.h>

void print_extrapolates(const struct machine *m, const struct answered *a)
{
    char words[EXTRAPOLATES_ROOM];

    extrapolates(words, m, a);
    if (*words)
        printf("extrapolates: %s\n", words);
}

void add_extrapolates(struct json *doc, const struct machine *m,
                      const struct answered *a)
{
    char words[EXTRAPOLATES_ROOM];

    extrapolates(words, m, a);
    if (*words)
        json_add_string(doc, "extrapolates", words);
}
