/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice list: the platforms, workloads, strategies, executions. */
#include "cli/cli.h"

#include "platforms/platform.h"
#include "strategies/agents/execution.h"
#include "strategies/strategy.h"

#include <stdio.h>
#include <string.h>

static void print_row(const char *name, const char *what)
{
    printf("  %-22s %s\n", name, what);
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
    print_row("spmv:FILE", "the matrix of a file, .mtx or .mtx.gz");
    print_row("stencil:9pt:NXxNY", "a grid's stencil of 5 or 9 points");
    print_row("stencil:27pt:NXxNYxNZ", "of 7 or 27 points");
    print_row("random:rows=...", "random:rows=N,row_nnz=K,seed=S: "
                                 "K random nonzeros in each row");
    print_row("exchange:FILE.csv", "messages: round,src,dst,bytes");
    print_row("schedule:FILE.csv", "sends and receives, as ranks post them: "
                                   "op,rank,kind,peer,tag,bytes,work_us,after");
    print_row("bfs:GRAPH", "breadth-first search of a graph, a file or made up "
                           "(sluice show graph --help)");
    print_row("pagerank:GRAPH", "PageRank of a graph");
    print_row("random:ranks=...",
              "random:ranks=R,messages=M,rounds=K,bytes=A..B,seed=S: "
              "M messages of each rank");
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
        print_row(x.name, x.about);
        execution_clear(&x);
    }
}

static const struct section {
    const char *name;
    void (*print)(void);
} sections[] = {
    {"platforms", list_platforms},
    {"workloads", list_workloads},
    {"strategies", list_strategies},
    {"executions", list_executions},
};
enum { NSECTIONS = sizeof sections / sizeof sections[0] };

static const struct section *find(const char *name, struct err *err)
{
    const char *names[NSECTIONS];

    for (size_t i = 0; i < NSECTIONS; i++) {
        names[i] = sections[i].name;
        if (!strcmp(name, names[i]))
            return &sections[i];
    }
    const char *near = nearest_word(name, names, NSECTIONS);
    return fail_null(err,
                     "list: expected platforms, workloads or strategies, got "
                     "'%s'%s%s%s",
                     name, near ? " (did you mean " : "", near ? near : "",
                     near ? "?)" : "");
}

int cmd_list(int argc, char **argv, struct err *err)
{
    const struct section *one = NULL;
    int noperands;
    bool helped;

    if (opts_parse(argc, argv, NULL, 0, "list [platforms|workloads|strategies]",
                   NULL, &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands > 1)
        return fail(err, "list: expected one word, got %d", noperands);
    if (noperands == 1 && !(one = find(argv[1], err)))
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
