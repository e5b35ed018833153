/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of strategies, and finding one by its name. */
#include "strategies/strategy.h"

#include <stdlib.h>
#include <string.h>

#define STRATEGY(x) &x##_strategy,
const struct strategy *const strategies[] = {
#include "strategies/list.def"
};
#undef STRATEGY
const size_t nstrategies = sizeof strategies / sizeof strategies[0];

/* "a, b, c"; the caller frees it. */
static char *known(void)
{
    char *text = xstrdup(strategies[0]->name);

    for (size_t i = 1; i < nstrategies; i++) {
        char *longer = xasprintf("%s, %s", text, strategies[i]->name);
        free(text);
        text = longer;
    }
    return text;
}

const struct strategy *strategy_find(const char *name, struct err *err)
{
    const char *names[sizeof strategies / sizeof strategies[0]];

    for (size_t i = 0; i < nstrategies; i++) {
        names[i] = strategies[i]->name;
        if (!strcmp(name, names[i]))
            return strategies[i];
    }

    const char *near = nearest_word(name, names, nstrategies);
    char *all = known();
    if (near)
        err_set(err, ERR_INPUT, __FILE__, __LINE__,
                "%s: unknown strategy (did you mean %s? known: %s)", name, near,
                all);
    else
        err_set(err, ERR_INPUT, __FILE__, __LINE__,
                "%s: unknown strategy (known: %s)", name, all);
    free(all);
    return NULL;
}

int strategies_pick(const struct strategy **out, size_t *n, const char *names,
                    struct err *err)
{
    char *list = xstrdup(names ? names : ""), *rest = list;
    int result = 0;

    *n = 0;
    for (size_t i = 0; !names && i < nstrategies; i++)
        out[(*n)++] = strategies[i];
    for (char *name; names && result == 0 && (name = strsep(&rest, ","));) {
        const struct strategy *s = strategy_find(name, err);
        result = s ? 0 : -1;
        for (size_t i = 0; s && i < *n; i++)
            if (out[i] == s)
                result = fail(err, "--strategy: %s is named twice", name);
        if (result == 0)
            out[(*n)++] = s;
    }
    free(list);
    return result;
}
