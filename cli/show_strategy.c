/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice show strategy: one row of the table of strategies, or the preset of an
 * execution, in full. */
#include "base/datafile.h"
#include "base/json.h"
#include "cli/entry.h"
#include "cli/show.h"
#include "apps/agents/execution.h"
#include "strategies/strategy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shows the preset of a graph algorithm by its file, which has all of it. */
static int show_execution(const char *name, struct err *err)
{
    struct execution x;
    char *file = xasprintf("apps/presets/%s.json", name);
    char *path = datafile_find(file, err);
    struct json *doc = path ? json_load(path, err) : NULL;
    int result = doc ? execution_load(&x, name, NULL, 0, err) : -1;

    if (result == 0) {
        printf("%s: %s\n\nAn execution of a graph algorithm (bfs:, "
               "pagerank:). %s:\n",
               x.name, x.about, path);
        json_print(doc, stdout);
        execution_clear(&x);
    }
    json_free(doc);
    free(path);
    free(file);
    return result;
}

static const struct opts_page page = {
    .usage = "show strategy NAME",
    .about = "Shows how a strategy works, and the options that it accepts.\n",
    .examples = {{"Describe the strategy split+md",
                  "sluice show strategy split+md"}},
};

int show_strategy(int argc, char **argv, struct err *err)
{
    const char *name;
    int result = entry_name(&name, argc, argv, &page, err);

    if (result)
        return result < 0 ? -1 : 0;
    for (size_t i = 0; i < NEXECUTIONS; i++)
        if (!strcmp(name, execution_names[i]))
            return show_execution(name, err);
    const struct strategy *s = strategy_find(name, err);
    if (!s)
        return -1;
    printf("%s: %s\n\n%s\n", s->name, s->summary, s->help);
    entry_print_options(s->options);
    printf("closed form: %s\n", s->predict ? "yes (sluice model)" : "none");
    return 0;
}
