/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice list: the platforms, workloads, strategies, executions,
 * algorithms, libraries, matchings, runtimes, formats of traces and logs. */
#include "cli/cli.h"
#include "cli/document.h"
#include "cli/list_keys.h"
#include "cli/notes.h"

#include "platforms/platform.h"
#include "sim/transport/matcher.h"
#include "sim/transport/transport.h"
#include "apps/agents/execution.h"
#include "strategies/collective/libraries/library.h"
#include "study/run/message_runtimes.h"
#include "strategies/strategy.h"
#include "validate/logs/log.h"
#include "workloads/trace/trace.h"
#include "workloads/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 22 };

struct list_row {
    char *name, *about;
    const char *group; /* algorithms and keys have one; borrowed, or NULL */
    const char *files; /* formats have them; borrowed, or NULL */
    char *benchmark;   /* keys have one; NULL if it is no key */
};

struct list_rows {
    struct list_row *of;
    size_t n;
};

static struct list_row *list_add(struct list_rows *rows, const char *name,
                                 const char *about)
{
    rows->of = xrealloc(rows->of, rows->n + 1, sizeof *rows->of);
    struct list_row *row = &rows->of[rows->n++];
    *row = (struct list_row){.name = xstrdup(name), .about = xstrdup(about)};
    return row;
}

static void list_clear(struct list_rows *rows)
{
    for (size_t i = 0; i < rows->n; i++) {
        free(rows->of[i].name);
        free(rows->of[i].about);
        free(rows->of[i].benchmark);
    }
    free(rows->of);
}

/* --- sections ------------------------------------------------------------- */

static void list_platforms(struct list_rows *rows)
{
    struct platform_list list;

    platform_list(&list);
    for (size_t i = 0; i < list.n; i++)
        list_add(rows, list.entries[i].name, list.entries[i].about);
    platform_list_clear(&list);
}

static void list_workloads(struct list_rows *rows)
{
    for (size_t i = 0; i < nworkloads; i++)
        list_add(rows, workloads[i]->words, workloads[i]->summary);
}

static void list_strategies(struct list_rows *rows)
{
    for (size_t i = 0; i < nstrategies; i++)
        list_add(rows, strategies[i]->name, strategies[i]->summary);
}

static void list_executions(struct list_rows *rows)
{
    for (int i = 0; i < NEXECUTIONS; i++) {
        struct execution x;
        struct err err = {0};
        if (execution_load(&x, execution_names[i], NULL, 0, &err) < 0) {
            list_add(rows, execution_names[i], err.text);
            continue;
        }
        list_add(rows, x.name, x.about);
        execution_clear(&x);
    }
}

static void list_algorithms(struct list_rows *rows)
{
    for (int kind = 0; kind < NCOLLECTIVE_KINDS; kind++)
        for (size_t i = 0; i < ncollectives; i++)
            if ((int)collectives[i]->kind == kind)
                list_add(rows, collectives[i]->name, collectives[i]->summary)
                    ->group = collective_kind_names[kind];
}

static void list_libraries(struct list_rows *rows)
{
    for (size_t i = 0; i < nlibraries; i++)
        list_add(rows, libraries[i]->name, libraries[i]->summary);
}

static void list_presets(struct list_rows *rows,
                         const struct matching_preset *list, size_t n,
                         bool device)
{
    char name[64];

    for (size_t i = 0; i < n; i++) {
        if (list[i].device != device)
            continue;
        snprintf(name, sizeof name, "%s%s", device ? "@" : "", list[i].name);
        list_add(rows, name, list[i].about);
    }
}

/* Lists engines, the presets built on them, and the devices with their costs.
 */
static void list_matchings(struct list_rows *rows)
{
    size_t n;
    struct matching_preset *list = matching_presets(&n);

    list_add(rows, "none", "takes no time");
    for (int i = 0; i < NMATCHERS; i++)
        if (matchers[i])
            list_add(rows, matcher_names[i], matchers[i]->summary);
    list_presets(rows, list, n, false);
    list_presets(rows, list, n, true);
    matching_presets_free(list, n);
}

static void list_runtimes(struct list_rows *rows)
{
    for (size_t i = 0; i < nmessage_runtimes; i++)
        list_add(rows, runtime_words[message_runtimes[i]],
                 transports[message_runtimes[i]]->summary);
}

static void list_formats(struct list_rows *rows)
{
    for (size_t i = 0; i < ntrace_formats; i++)
        list_add(rows, trace_formats[i]->name, trace_formats[i]->summary)
            ->files = trace_formats[i]->files;
}

static void list_logs(struct list_rows *rows)
{
    for (size_t i = 0; i < nlog_formats; i++)
        list_add(rows, log_formats[i]->name, log_formats[i]->summary)->files =
            log_formats[i]->columns;
}

static void list_keys(struct list_rows *rows)
{
    const struct key_table *table;

    for (size_t t = 0; (table = key_table_nth(t)); t++)
        for (size_t i = 0; i < table->n; i++) {
            char *help = list_keys_help(&table->rows[i]);
            struct list_row *row = list_add(rows, table->rows[i].key, help);
            row->group = *table->place ? table->place : "(the file)";
            row->benchmark = list_keys_benchmark(table, &table->rows[i]);
            free(help);
        }
}

/* --- text and JSON -------------------------------------------------------- */

/* Returns the width of names: in a section with groups that of the longest. */
static int list_width(const struct list_rows *rows)
{
    size_t width = NAME_WIDTH;

    for (size_t i = 0; i < rows->n; i++)
        if (rows->of[i].group && (i == 0 || strlen(rows->of[i].name) > width))
            width = strlen(rows->of[i].name);
    return (int)width;
}

/* Prints the rows. A name that is too long has a line of its own. */
static void list_print(const struct list_rows *rows)
{
    int width = list_width(rows);
    const char *group = NULL;

    for (size_t i = 0; i < rows->n; i++) {
        const struct list_row *row = &rows->of[i];
        bool fits = strlen(row->name) <= (size_t)width;
        if (row->group && row->group != group)
            printf("  %s:\n", row->group);
        group = row->group;
        if (!fits)
            printf("  %s\n", row->name);
        int used = printf("  %-*s", width, fits ? row->name : "");
        if (row->benchmark)
            notes_wrapped(row->about, (size_t)used, used + 1);
        else
            printf(" %s\n", row->about);
        if (row->files)
            printf("  %-*s %s\n", width, "", row->files);
    }
}

static struct json *list_json(const struct list_rows *rows)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < rows->n; i++) {
        struct json *o = json_new_object();
        json_add_string(o, "name", rows->of[i].name);
        if (rows->of[i].group)
            json_add_string(o, rows->of[i].benchmark ? "place" : "operation",
                            rows->of[i].group);
        json_add_string(o, "about", rows->of[i].about);
        if (rows->of[i].files)
            json_add_string(o, "files", rows->of[i].files);
        if (rows->of[i].benchmark && *rows->of[i].benchmark)
            json_add_string(o, "benchmark", rows->of[i].benchmark);
        json_append(list, o);
    }
    return list;
}

static const struct section {
    const char *name, *about; /* the option that takes the names */
    void (*list)(struct list_rows *rows);
} sections[] = {
    {"platforms", "--platform: machines", list_platforms},
    {"workloads", "--workload", list_workloads},
    {"strategies", "--strategy: of halo exchanges and other messages",
     list_strategies},
    {"executions", "--strategy: of graph algorithms on GPUs", list_executions},
    {"algorithms", "--algorithm: of collectives", list_algorithms},
    {"libraries", "--library: of collectives", list_libraries},
    {"matchings", "--matching: engines and presets", list_matchings},
    {"runtimes", "--runtime", list_runtimes},
    {"formats", "--workload trace:FORMAT:FILE: of traces", list_formats},
    {"logs", "sluice validate LOG: of logs of benchmarks", list_logs},
    {"keys", "--set: of platform files", list_keys},
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
    return fail_null(err,
                     "list: expected platforms, workloads, strategies, "
                     "executions, algorithms, libraries, matchings, runtimes, "
                     "formats, logs or keys, got '%s'%s%s%s",
                     name, near ? " (did you mean " : "", near ? near : "",
                     near ? "?)" : "");
}

static void cmd_list_show(const struct section *s, bool alone, struct json *doc)
{
    struct list_rows rows = {0};

    s->list(&rows);
    if (doc)
        json_add(doc, s->name, list_json(&rows));
    else if (!alone)
        printf("%s%s\n", s == sections ? "" : "\n", s->name);
    if (!doc)
        list_print(&rows);
    list_clear(&rows);
}

/* Returns the description of the command; the caller frees it. */
static char *sections_help(void)
{
    char *text = xstrdup("Lists the names that options accept, or those of one "
                         "kind:\n");

    for (size_t i = 0; i < NSECTIONS; i++) {
        char *longer = xasprintf("%s  %-10s  %s\n", text, sections[i].name,
                                 sections[i].about);
        free(text);
        text = longer;
    }
    return text;
}

int cmd_list(int argc, char **argv, struct err *err)
{
    const struct section *one = NULL;
    int noperands;
    bool helped, as_json = false, as_page = false;
    const struct opt opts[] = {
        {"json", OPT_FLAG, &as_json, NULL, "names as JSON"},
        {"markdown", OPT_FLAG, &as_page, NULL,
         "keys as a page of Markdown, platforms/KEYS.md"}};

    char *about = sections_help();
    const struct opts_page page = {
        .usage = "list [KIND] [OPTIONS]",
        .about = about,
        .examples = {{"List the workloads and how they are written",
                      "sluice list workloads"},
                     {"List the platforms", "sluice list platforms"}},
    };
    int parsed = opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0],
                            &page, &noperands, &helped, err);

    free(about);
    if (parsed < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands > 1)
        return fail(err, "list: expected one word, got %d", noperands);
    if (noperands == 1 && !(one = cmd_list_find(argv[1], err)))
        return -1;
    if (as_page && (as_json || !one || one->list != list_keys))
        return fail(err, "--markdown: only of keys, and not with --json");
    if (as_page) {
        list_keys_page();
        return 0;
    }
    struct json *doc = as_json ? document_new("list") : NULL;
    for (size_t i = 0; i < NSECTIONS; i++)
        if (!one || one == &sections[i])
            cmd_list_show(&sections[i], one != NULL, doc);
    if (doc)
        document_print(doc);
    return 0;
}
