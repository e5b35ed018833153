/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the file of an execution, changes it by --set and reads it. */
#include "apps/agents/execution.h"

#include "base/text.h"
#include "base/datafile.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

const char *const execution_names[NEXECUTIONS] = {
#define EXECUTION(X, name) name,
#include "apps/agents/executions.def"
#undef EXECUTION
};

void execution_clear(struct execution *x)
{
    free(x->name);
    free(x->about);
    free(x->source);
    free(x->sync_source);
    for (int i = 0; i < 2 * NALGORITHMS; i++)
        step_clear(&x->steps[i / 2][i % 2]);
    memset(x, 0, sizeof *x);
}

/* Returns KEY=VALUE with an old key replaced by today's; the caller frees
 * it. */
static char *setting_of_today(const char *set)
{
    static const char older[] = "steps";
    size_t n = sizeof older - 1;

    if (strncmp(set, older, n) != 0 || set[n] != '=')
        return xstrdup(set);
    return xasprintf("schedule%s", set + n);
}

static char *preset_path(const char *name, struct err *err)
{
    if (strchr(name, '/') || text_before(name, ".json"))
        return xstrdup(name);
    char *file = xasprintf("apps/presets/%s.json", name);
    char *path = datafile_find(file, err);
    free(file);
    return path;
}

int execution_load(struct execution *x, const char *name,
                   const char *const *sets, size_t nsets, struct err *err)
{
    struct err none = {0};

    memset(x, 0, sizeof *x);
    if (strategy_find(name, &none))
        return fail(err,
                    "%s: a strategy of matrices, no execution (see sluice list "
                    "executions)",
                    name);
    char *path = preset_path(name, err);
    if (!path) {
        const char *near = nearest_word(name, execution_names, NEXECUTIONS);
        return fail(err,
                    "%s: unknown execution%s%s%s (see sluice list executions)",
                    name, near ? ": did you mean " : "", near ? near : "",
                    near ? "?" : "");
    }
    struct json *doc = json_load(path, err);
    int result = doc ? 0 : -1;

    if (result == 0 && json_member(doc, "steps") &&
        json_member(doc, "schedule"))
        result = fail(err, "%s: steps: is schedule, which is there too", path);
    for (size_t i = 0; result == 0 && i < nsets; i++) {
        char *set = setting_of_today(sets[i]);
        result = json_set(doc, set, err);
        free(set);
    }
    if (result == 0 && execution_read(x, doc, err) < 0) {
        execution_clear(x);
        result = fail_in(err, "%s", path);
    }
    json_free(doc);
    free(path);
    return result;
}
