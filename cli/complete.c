/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the words that may come next on a command line of sluice, because the
 * completion of bash and zsh calls `sluice --complete WORD...` with the words
 * before the one that is being typed. Options come from the same table as
 * --help. */
#include "cli/complete.h"

#include "platforms/keys.h"
#include "platforms/platform.h"
#include "sim/network/engine.h"
#include "apps/agents/execution.h"
#include "strategies/collective/libraries/library.h"
#include "study/run/message_runtimes.h"
#include "strategies/strategy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void complete_platforms(void)
{
    struct platform_list list;

    platform_list(&list);
    for (size_t i = 0; i < list.n; i++)
        printf("%s\n", list.entries[i].name);
    platform_list_clear(&list);
}

static void complete_strategies(void)
{
    for (size_t i = 0; i < nstrategies; i++)
        printf("%s\n", strategies[i]->name);
    for (int i = 0; i < NEXECUTIONS; i++)
        printf("%s\n", execution_names[i]);
}

static void complete_algorithms(void)
{
    printf("auto\nbest\n");
    for (size_t i = 0; i < ncollectives; i++) {
        size_t same = 0;
        while (strcmp(collectives[same]->name, collectives[i]->name) != 0)
            same++;
        if (same == i)
            printf("%s\n", collectives[i]->name);
    }
}

static void complete_libraries(void)
{
    for (size_t i = 0; i < nlibraries; i++)
        printf("%s\n", libraries[i]->name);
}

static void complete_matchings(void)
{
    size_t n;
    struct matching_preset *list = matching_presets(&n);

    for (int i = 0; i < NMATCHERS; i++)
        printf("%s\n", matcher_names[i]);
    for (size_t i = 0; i < n; i++)
        if (!list[i].device)
            printf("%s\n", list[i].name);
    matching_presets_free(list, n);
}

static void complete_runtimes(void)
{
    for (size_t i = 0; i < nmessage_runtimes; i++)
        printf("%s\n", runtime_words[message_runtimes[i]]);
}

static void complete_engines(void)
{
    for (int i = 0; i < NENGINES; i++)
        printf("%s\n", engine_kind_names[i]);
}

/* Prints the path of each number, word and flag of a document. */
static void print_paths(const struct json *v, const char *path)
{
    size_t nth = 0;

    for (const struct json *c = json_at(v, 0); c; c = json_next(c), nth++) {
        const char *benchmark, *dot = *path ? "." : "";
        char *own = json_is_object(v)
                        ? xasprintf("%s%s%s", path, dot, json_key(c))
                        : xasprintf("%s%s%zu", path, dot, nth);
        bool list = json_is_array(c) &&
                    (json_is_object(json_at(c, 0)) || !key_at(own, &benchmark));
        if (json_is_object(c) || list)
            print_paths(c, own);
        else if (key_at(own, &benchmark))
            printf("%s=\n", own);
        free(own);
    }
}

/* Prints the keys that --set takes on the platform that the words name. */
static void complete_sets(int argc, char **argv)
{
    const char *platform = "lassen";
    struct err ignored; /* without a platform there are no words */

    for (int i = 0; i + 1 < argc; i++) {
        if (!strncmp(argv[i], "--platform=", 11))
            platform = argv[i] + 11;
        if (!strcmp(argv[i], "--platform") ||
            (!strcmp(argv[i], "platform") && argv[i + 1][0] != '-'))
            platform = argv[i + 1];
    }
    struct json *doc = platform_json(platform, NULL, 0, &ignored);
    if (doc)
        print_paths(doc, "");
    json_free(doc);
}

/* Each of these options is followed by one of the names that are printed. */
static const struct {
    const char *option;
    void (*print)(void);
} values[] = {
    {"--platform", complete_platforms},
    {"--strategy", complete_strategies},
    {"--algorithm", complete_algorithms},
    {"--library", complete_libraries},
    {"--engine", complete_engines},
    {"--matching", complete_matchings},
    {"--runtime", complete_runtimes},
    {"platform", complete_platforms}, /* show platform */
};

int complete_words(const struct command *commands, size_t ncommands, int argc,
                   char **argv, struct err *err)
{
    char help[] = "--help=words", *words[3] = {NULL};

    if (argc == 0) {
        for (size_t i = 0; i < ncommands; i++)
            printf("%s\n", commands[i].name);
        return 0;
    }
    if (argc > 1 && !strcmp(argv[argc - 1], "--set")) {
        complete_sets(argc, argv);
        return 0;
    }
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (argc > 1 && !strcmp(argv[argc - 1], values[i].option)) {
            values[i].print();
            return 0;
        }
    for (size_t i = 0; i < ncommands; i++) {
        if (strcmp(argv[0], commands[i].name) != 0)
            continue;
        words[0] = argv[0];
        int n = 1;
        if (argc > 1 && argv[1][0] != '-' &&
            opt_in_list("show validate calibrate", argv[0]))
            words[n++] = argv[1];
        words[n++] = help;
        return commands[i].run(n, words, err);
    }
    return 0;
}
