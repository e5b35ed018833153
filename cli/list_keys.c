/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the tables of a platform's keys as a page. */
#include "cli/list_keys.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

char *list_keys_help(const struct key *k)
{
    if (k->as)
        return xasprintf("%s (left out: as %s)", k->help, k->as);
    if (k->initial > 0 && isfinite(k->initial))
        return xasprintf("%s (left out: %g)", k->help, k->initial);
    return xstrdup(k->help);
}

char *list_keys_benchmark(const struct key_table *table, const struct key *k)
{
    bool real = !k->untimed && (key_is_time(k->key) || key_is_rate(k->key));
    const char *on = k->benchmark ? k->benchmark
                     : real       ? table->benchmark
                                  : NULL;

    return k->off_node ? xasprintf("%s%soff node %s", on ? on : "",
                                   on ? "; " : "", k->off_node)
                       : xstrdup(on ? on : "");
}

/* Returns those of the names whose bits are set, "socket, gpu"; the caller
 * frees them. */
static char *names_of(const char *const *names, size_t n, unsigned bits)
{
    char *all = xstrdup("");

    for (size_t i = 0; i < n; i++) {
        if (!(bits >> i & 1))
            continue;
        char *more = xasprintf("%s%s%s", all, *all ? ", " : "", names[i]);
        free(all);
        all = more;
    }
    return all;
}

/* Returns when a key must be given: "yes", "of rails", "with alpha_us"; the
 * caller frees it. */
static char *needed_text(const struct key_table *table, const struct key *k)
{
    if (k->needed == KEY_ALWAYS)
        return xstrdup("yes");
    if (!k->needed)
        return k->with ? xasprintf("with %s", k->with) : xstrdup("");
    char *cases = names_of(table->cases, table->ncases, k->needed);
    char *text = xasprintf("of %s", cases);
    free(cases);
    return text;
}

static void print_row(const struct key_table *table, const struct key *k)
{
    bool always = k->needed == KEY_ALWAYS;
    unsigned in = k->only ? k->only : always ? 0 : k->needed;
    char *help = list_keys_help(k);
    char *benchmark = list_keys_benchmark(table, k);
    char *words = names_of(k->words, k->nwords, ~0u << k->least);
    char *cases = names_of(table->cases, table->ncases, in);
    char *needed = needed_text(table, k);
    bool said = k->needed && !always && k->needed == in;

    printf("| `%s` | %s | %s%s%s%s%s | %s |\n", k->key, needed,
           said ? "" : cases, *cases && !said ? ": " : "", help,
           *words ? "; one of " : "", words, benchmark);
    free(needed);
    free(help);
    free(benchmark);
    free(words);
    free(cases);
}

static void print_table(const struct key_table *table)
{
    const char *group = NULL;

    printf("\n## %s\n\n%c%s.\n", *table->place ? table->place : "The file",
           toupper((unsigned char)table->about[0]), table->about + 1);
    printf("\n| key | needed | meaning | measured by |\n"
           "| --- | --- | --- | --- |\n");
    for (size_t i = 0; i < table->n; i++) {
        const struct key *k = &table->rows[i];
        if (k->group && k->group != group)
            printf("| *%s* | | | |\n", k->group);
        group = k->group;
        print_row(table, k);
    }
}

void list_keys_page(void)
{
    const struct key_table *table;

    printf("<!-- sluice list keys --markdown -->\n"
           "# The keys of a platform's file\n\n"
           "Each key ends in its unit (GB = 10^9, GiB = 2^30). The benchmarks "
           "of `sluice-native` in the last column\nmeasure what a key is; "
           "`--set PATH=VALUE` changes it for a run (README.md).\n");
    for (size_t i = 0; (table = key_table_nth(i)); i++)
        print_table(table);
}
