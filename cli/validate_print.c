/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints tables of relative errors by group, as text or JSON. */
#include "cli/validate_print.h"

#include <stdio.h>

void errors_print(const struct error_summary *list, size_t n)
{
    printf("%-44s %7s %14s %11s\n", "group", "points", "median |error|",
           "90 % below");
    for (size_t i = 0; i < n; i++)
        printf("%-44s %7zu %13.1f%% %10.1f%%\n", list[i].name, list[i].points,
               100 * list[i].median, 100 * list[i].p90);
}

struct json *errors_json(const struct error_summary *list, size_t n)
{
    struct json *groups = json_new_array();

    for (size_t i = 0; i < n; i++) {
        struct json *o = json_new_object();
        json_add_string(o, "name", list[i].name);
        json_add_number(o, "points", (double)list[i].points);
        json_add_number(o, "median_abs_error", list[i].median);
        json_add_number(o, "p90_abs_error", list[i].p90);
        json_append(groups, o);
    }
    return groups;
}
