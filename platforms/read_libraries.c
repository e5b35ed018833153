/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads which libraries of collectives a machine has, by their names. */
#include "platforms/read.h"

#include <stdlib.h>

int read_libraries(struct machine *m, const struct json *o, struct err *err)
{
    for (const struct json *c = json_at(o, 0); c; c = json_next(c)) {
        struct machine_library *l;
        if (!json_is_object(c))
            return fail(err, "%s: expected an object with a source, got %s",
                        json_key(c), json_type_name(c));
        m->libraries =
            xrealloc(m->libraries, m->nlibraries + 1, sizeof *m->libraries);
        l = &m->libraries[m->nlibraries++];
        *l = (struct machine_library){.name = xstrdup(json_key(c))};
        if (ONLY_KEYS(c, err, "source") < 0 ||
            source_read(&l->source, c, "source", err) < 0)
            return fail_at_place(err, "%s", l->name);
    }
    return 0;
}
