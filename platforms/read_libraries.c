/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads which libraries of collectives a machine has, by their names. */
#include "platforms/keys.h"
#include "platforms/read.h"

#include <stdlib.h>

static const struct key rows[] = {
    {"source", KEY_SOURCE, offsetof(struct machine_library, source), KEY_ALWAYS,
     .help = "who says that the machine has it"},
};
const struct key_table library_keys = {
    "libraries.NAME",
    "libraries of collectives beside those that mpi and nccl say (sluice list "
    "libraries)",
    KEY_ROWS(rows), KEY_NO_CASES, .benchmark = NULL};

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
        if (keys_read(&library_keys, l, c, 0, err) < 0)
            return fail_at_place(err, "%s", l->name);
    }
    return 0;
}
