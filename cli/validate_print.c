/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints tables of relative errors by group, as text or JSON. */
#include "cli/validate_print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* "-" where there is none. */
static void print_share(double share, int width)
{
    if (isnan(share))
        printf(" %*s", width, "-");
    else
        printf(" %*.1f%%", width - 1, 100 * share);
}

/* Longer names stand out of their column. */
enum { MOST_WIDTH = 40 };

void groups_print(const struct error_summary *list, size_t n)
{
    int width = 28;

    for (size_t i = 0; i < n; i++)
        if ((int)strlen(list[i].name) > width &&
            strlen(list[i].name) <= MOST_WIDTH)
            width = (int)strlen(list[i].name);
    printf("%-*s %6s %8s %8s %8s %7s %9s\n", width, "group", "points",
           "|error|", "90 %", "bias", "noise", "baseline");
    for (size_t i = 0; i < n; i++) {
        const struct error_summary *s = &list[i];
        printf("%-*s %6zu", width, s->name, s->points);
        print_share(s->median, 8);
        print_share(s->p90, 8);
        printf(" %+7.1f%%", 100 * s->bias);
        print_share(s->noise, 7);
        print_share(s->baseline, 9);
        putchar('\n');
    }
}

struct json *groups_json(const struct error_summary *list, size_t n)
{
    struct json *groups = json_new_array();

    for (size_t i = 0; i < n; i++) {
        struct json *o = json_new_object();
        json_add_string(o, "name", list[i].name);
        json_add_number(o, "points", (double)list[i].points);
        json_add_number(o, "median_abs_error", list[i].median);
        json_add_number(o, "p90_abs_error", list[i].p90);
        json_add_number(o, "median_error", list[i].bias);
        json_add_number(o, "noise", list[i].noise);
        json_add_number(o, "baseline_median_abs_error", list[i].baseline);
        json_append(groups, o);
    }
    return groups;
}
