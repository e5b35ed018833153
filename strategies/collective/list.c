/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the algorithms of list.def and finds one by its name. */
#include "strategies/collective/collective.h"

#include "base/known.h"

#include <stdlib.h>
#include <string.h>

#define COLLECTIVE(x) &x##_collective,
const struct collective_algorithm *const collectives[] = {
#include "strategies/collective/list.def"
};
#undef COLLECTIVE
const size_t ncollectives = sizeof collectives / sizeof collectives[0];

const struct collective_algorithm *
collective_find(enum collective_kind kind, const char *name, struct err *err)
{
    const char *names[sizeof collectives / sizeof collectives[0]];
    size_t n = 0;

    for (size_t i = 0; i < ncollectives; i++) {
        if (collectives[i]->kind != kind)
            continue;
        if (!strcmp(name, collectives[i]->name))
            return collectives[i];
        names[n++] = collectives[i]->name;
    }
    char *hint = known_hint(name, names, n, "sluice list algorithms");
    (void)fail(err, "%s: unknown algorithm of %s%s", name,
               collective_kind_names[kind], hint);
    free(hint);
    return NULL;
}
