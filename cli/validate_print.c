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

/* Prints "-" if there is no value. */
static void print_share(double share, int width)
{
    if (isnan(share))
        printf(" %*s", width, "-");
    else
        printf(" %*.1f%%", width - 1, 100 * share);
}

/* Wider columns are not made; longer names exceed theirs. */
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

void groups_json(struct json *groups, const char *platform,
                 const struct error_summary *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct json *o = json_new_object();
        json_add_string(o, "platform", platform);
        json_add_string(o, "name", list[i].name);
        json_add_number(o, "points", (double)list[i].points);
        json_add_number(o, "median_abs_error", list[i].median);
        json_add_number(o, "p90_abs_error", list[i].p90);
        json_add_number(o, "median_error", list[i].bias);
        json_add_number(o, "noise", list[i].noise);
        json_add_number(o, "baseline_median_abs_error", list[i].baseline);
        json_append(groups, o);
    }
}

void groups_print_summary_head(void)
{
    printf("| machine | kind | points | error | 90 %% | bias | noise | "
           "baseline |\n"
           "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
}

/* Prints a cell of Markdown; "-" if there is no value. */
static void print_cell(double share, bool sign)
{
    if (isnan(share))
        printf(" - |");
    else
        printf(sign ? " %+.1f %% |" : " %.1f %% |", 100 * share);
}

void groups_print_summary(const char *platform,
                          const struct error_summary *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct error_summary *s = &list[i];
        /* Only kinds and their first parts are printed: memory, place or
         * strategy. */
        if (strchr(s->name, '/') != strrchr(s->name, '/'))
            continue;
        printf("| %s | %s | %zu |", platform, s->name, s->points);
        print_cell(s->median, false);
        print_cell(s->p90, false);
        print_cell(s->bias, true);
        print_cell(s->noise, false);
        print_cell(s->baseline, false);
        putchar('\n');
    }
}

/* --- decisions ------------------------------------------------------------ */

void decisions_print(const struct decision_score *list, size_t n)
{
    int width = 28;

    if (!n)
        return;
    for (size_t i = 0; i < n; i++)
        if ((int)strlen(list[i].name) > width)
            width = (int)strlen(list[i].name);
    printf("\n%-*s %6s %6s %6s %6s %8s %8s %8s %8s %9s %8s\n", width,
           "decisions", "cases", "right", "clear", "right", "regret", "90 %",
           "worst", "clear", "baseline", "always");
    for (size_t i = 0; i < n; i++) {
        const struct decision_score *s = &list[i];
        printf("%-*s %6zu %6zu %6zu %6zu", width, s->name, s->cases, s->right,
               s->clear, s->clear_right);
        print_share(s->mean, 8);
        print_share(s->p90, 8);
        print_share(s->worst, 8);
        print_share(s->clear_mean, 8);
        print_share(s->baseline, 9);
        print_share(s->always_mean, 8);
        printf("%s%s\n", *s->always ? "  " : "", s->always);
    }
    const struct decision *worst = list[0].worst_case;
    if (list[0].worst > 0)
        printf("worst: %s%s%s: advised %s, measured %s\n",
               worst->winner->decision, *worst->winner->apart ? ", " : "",
               worst->winner->apart, worst->advised->choice,
               worst->winner->choice);
}

void decisions_print_cases(const struct decisions *d)
{
    if (!d->n)
        return;
    printf("%-60s %-28s %-28s %8s %s\n", "decision", "measured", "advised",
           "regret", "clear");
    for (size_t i = 0; i < d->n; i++) {
        const struct decision *c = &d->list[i];
        printf("%-60s %-28s %-28s", c->winner->decision, c->winner->choice,
               c->advised->choice);
        print_share(decision_regret(c, c->advised), 8);
        printf(" %s\n", c->clear ? "clear" : "");
    }
    putchar('\n');
}

void decisions_print_summary_head(void)
{
    printf("\n| machine | decisions | cases | right | clear | right | regret, "
           "mean | 90 %% | worst | of the clear | baseline | always |\n"
           "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | "
           "---: | ---: | --- |\n");
}

void decisions_print_summary(const char *platform,
                             const struct decision_score *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct decision_score *s = &list[i];
        printf("| %s | %s | %zu | %zu | %zu | %zu |", platform, s->name,
               s->cases, s->right, s->clear, s->clear_right);
        print_cell(s->mean, false);
        print_cell(s->p90, false);
        print_cell(s->worst, false);
        print_cell(s->clear_mean, false);
        print_cell(s->baseline, false);
        print_cell(s->always_mean, false);
        printf(" %s |\n", s->always);
    }
}

static struct json *score_json(const char *platform,
                               const struct decision_score *s)
{
    struct json *o = json_new_object();

    json_add_string(o, "platform", platform);
    json_add_string(o, "name", s->name);
    json_add_number(o, "cases", (double)s->cases);
    json_add_number(o, "right", (double)s->right);
    json_add_number(o, "clear", (double)s->clear);
    json_add_number(o, "clear_right", (double)s->clear_right);
    json_add_number(o, "mean_regret", s->mean);
    json_add_number(o, "p90_regret", s->p90);
    json_add_number(o, "worst_regret", s->worst);
    json_add_number(o, "clear_mean_regret", s->clear_mean);
    json_add_number(o, "baseline_mean_regret", s->baseline);
    json_add_string(o, "always", s->always);
    json_add_number(o, "always_mean_regret", s->always_mean);
    return o;
}

void decisions_json(struct json *scores, struct json *cases,
                    const char *platform, const struct decisions *d,
                    const struct decision_score *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        json_append(scores, score_json(platform, &list[i]));
    for (size_t i = 0; i < d->n; i++) {
        const struct decision *c = &d->list[i];
        struct json *o = json_new_object();
        json_add_string(o, "platform", platform);
        json_add_string(o, "file", c->file->path);
        json_add_string(o, "decision", c->winner->decision);
        json_add_string(o, "apart", c->winner->apart);
        json_add_string(o, "measured", c->winner->choice);
        json_add_string(o, "advised", c->advised->choice);
        json_add_bool(o, "clear", c->clear);
        json_add_number(o, "regret", decision_regret(c, c->advised));
        json_append(cases, o);
    }
}
