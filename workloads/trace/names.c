/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers names by a hash table with open addressing. */
#include "workloads/trace/names.h"

#include "base/digest.h"
#include "base/err.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_name(const char *name)
{
    uint64_t h = digest_text(DIGEST_OF_NOTHING, name);

    return h ^ h >> 32;
}

static size_t names_seek(const struct names *names, const char *name)
{
    size_t at = (size_t)hash_name(name) & (names->room - 1);

    while (names->table[at] != SIZE_MAX &&
           strcmp(names->text[names->table[at]], name) != 0)
        at = (at + 1) & (names->room - 1);
    return at;
}

static void names_grow(struct names *names)
{
    names->room = names->room ? 2 * names->room : 64;
    free(names->table);
    names->table = xmalloc(names->room * sizeof *names->table);
    memset(names->table, 0xff, names->room * sizeof *names->table);
    names->text = xrealloc(names->text, names->room, sizeof *names->text);
    for (size_t i = 0; i < names->n; i++)
        names->table[names_seek(names, names->text[i])] = i;
}

size_t names_number(struct names *names, const char *name)
{
    if (2 * (names->n + 1) > names->room)
        names_grow(names);
    size_t at = names_seek(names, name);

    if (names->table[at] == SIZE_MAX) {
        names->text[names->n] = xstrdup(name);
        names->table[at] = names->n++;
    }
    return names->table[at];
}

void names_clear(struct names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->text[i]);
    free(names->text);
    free(names->table);
    *names = (struct names){0};
}
