/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of strategies, and finding one by its name. */
#include "strategies/strategy.h"
#include "base/known.h"

#include <stdlib.h>
#include <string.h>

#define STRATEGY(x) &x##_strategy,
const struct strategy *const strategies[] = {
#include "strategies/list.def"
};
#undef STRATEGY
const size_t nstrategies = sizeof strategies / sizeof strategies[0];

const struct strategy *strategy_find(const char *name, struct err *err)
{
    const char *names[sizeof strategies / sizeof strategies[0]];

    for (size_t i = 0; i < nstrategies; i++) {
        names[i] = strategies[i]->name;
        if (!strcmp(name, names[i]))
            return strategies[i];
    }

    char *hint = known_hint(name, names, nstrategies, "sluice list strategies");
    err_set(err, ERR_INPUT, __FILE__, __LINE__, "%s: unknown strategy%s", name,
            hint);
    free(hint);
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
