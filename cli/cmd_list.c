/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice list: the platforms, workloads, strategies, executions,
 * algorithms, libraries, matchings, runtimes and formats of traces. */
#include "cli/cli.h"

#include "platforms/platform.h"
#include "sim/transport/matcher.h"
#include "sim/transport/transport.h"
#include "strategies/agents/execution.h"
#include "strategies/collective/libraries/library.h"
#include "strategies/run/message_runtimes.h"
#include "strategies/strategy.h"
#include "workloads/trace/trace.h"
#include "workloads/workload.h"

#include <stdio.h>
#include <string.h>

enum { NAME_WIDTH = 22 };

static void print_row(const char *name, const char *what)
{
    printf("  %-*s %s\n", NAME_WIDTH, name, what);
}

/* A long name has a line of its own. */
static void print_long_row(const char *name, const char *what)
{
    bool fits = strlen(name) <= NAME_WIDTH;

    if (!fits)
        printf("  %s\n", name);
    print_row(fits ? name : "", what);
}

static void list_platforms(void)
{
    struct platform_list list;

    platform_list(&list);
    for (size_t i = 0; i < list.n; i++)
        print_row(list.entries[i].name, list.entries[i].about);
    platform_list_clear(&list);
}

static void list_workloads(void)
{
    for (size_t i = 0; i < nworkloads; i++)
        print_long_row(workloads[i]->words, workloads[i]->summary);
}

static void list_strategies(void)
{
    for (size_t i = 0; i < nstrategies; i++)
        print_row(strategies[i]->name, strategies[i]->summary);
}

static void list_executions(void)
{
    for (int i = 0; i < NEXECUTIONS; i++) {
        struct execution x;
        struct err err = {0};
        if (execution_load(&x, execution_names[i], NULL, 0, &err) < 0) {
            print_row(execution_names[i], err.text);
            continue;
        }
        print_long_row(x.name, x.about);
        execution_clear(&x);
    }
}

/* The longest name of an algorithm decides. */
static int algorithm_width(void)
{
    size_t width = 0;

    for (size_t i = 0; i < ncollectives; i++)
        if (strlen(collectives[i]->name) > width)
            width = strlen(collectives[i]->name);
    return (int)width;
}

static void list_algorithms(void)
{
    int width = algorithm_width();

    for (int kind = 0; kind < NCOLLECTIVE_KINDS; kind++) {
        printf("  %s:\n", collective_kind_names[kind]);
        for (size_t i = 0; i < ncollectives; i++)
            if ((int)collectives[i]->kind == kind)
                printf("  %-*s %s\n", width, collectives[i]->name,
                       collectives[i]->summary);
    }
}

static void list_libraries(void)
{
    for (size_t i = 0; i < nlibraries; i++)
        print_row(libraries[i]->name, libraries[i]->summary);
}

static void print_presets(const struct matching_preset *list, size_t n,
                          bool device)
{
    char name[64];

    for (size_t i = 0; i < n; i++) {
        if (list[i].device != device)
            continue;
        snprintf(name, sizeof name, "%s%s", device ? "@" : "", list[i].name);
        print_row(name, list[i].about);
    }
}

/* Engines, what is built on them, and the devices that have their costs. */
static void list_matchings(void)
{
    size_t n;
    struct matching_preset *list = matching_presets(&n);

    print_row("none", "takes no time");
    for (int i = 0; i < NMATCHERS; i++)
        if (matchers[i])
            print_row(matcher_names[i], matchers[i]->summary);
    print_presets(list, n, false);
    print_presets(list, n, true);
    matching_presets_free(list, n);
}

static void list_runtimes(void)
{
    for (size_t i = 0; i < nmessage_runtimes; i++)
        print_row(runtime_words[message_runtimes[i]],
                  transports[message_runtimes[i]]->summary);
}

static void list_formats(void)
{
    for (size_t i = 0; i < ntrace_formats; i++) {
        print_row(trace_formats[i]->name, trace_formats[i]->summary);
        print_row("", trace_formats[i]->files);
    }
}

static const struct section {
    const char *name;
    void (*print)(void);
} sections[] = {
    {"platforms", list_platforms},   {"workloads", list_workloads},
    {"strategies", list_strategies}, {"executions", list_executions},
    {"algorithms", list_algorithms}, {"libraries", list_libraries},
    {"matchings", list_matchings},   {"runtimes", list_runtimes},
    {"formats", list_formats},
};
enum { NSECTIONS = sizeof sections / sizeof sections[0] };

static const struct section *cmd_list_find(const char *name, struct err *err)
{
    const char *names[NSECTIONS];

    for (size_t i = 0; i < NSECTIONS; i++) {
        names[i] = sections[i].name;
        if (!strcmp(name, names[i]))
            return &sections[i];
    }
    const char *near = nearest_word(name, names, NSECTIONS);
    return fail_null(
        err,
        "list: expected platforms, workloads, strategies, "
        "executions, algorithms, libraries, matchings, runtimes or "
        "formats, got '%s'%s%s%s",
        name, near ? " (did you mean " : "", near ? near : "",
        near ? "?)" : "");
}

int cmd_list(int argc, char **argv, struct err *err)
{
    const struct section *one = NULL;
    int noperands;
    bool helped;

    if (opts_parse(
            argc, argv, NULL, 0,
            "list [platforms|workloads|strategies|executions|algorithms|"
            "libraries|matchings|runtimes|formats]",
            "Lists the names that --platform, --workload, --strategy, "
            "--algorithm, --library and\n--runtime take, or those of one kind. "
            "Executions are the strategies of graph\nalgorithms, algorithms "
            "those of collectives, formats those of traces.\n",
            &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands > 1)
        return fail(err, "list: expected one word, got %d", noperands);
    if (noperands == 1 && !(one = cmd_list_find(argv[1], err)))
        return -1;
    for (size_t i = 0; i < NSECTIONS; i++) {
        if (one && one != &sections[i])
            continue;
        if (!one)
            printf("%s%s\n", i ? "\n" : "", sections[i].name);
        sections[i].print();
    }
    return 0;
}
