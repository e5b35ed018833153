/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the numbers of nodes by their names, which a platform lists or counts
 * from its first one. */
#include "platforms/node_names.h"

#include "base/datafile.h"
#include "base/number.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the path of the list: beside the platform's file if it is there,
 * otherwise among the platforms that come with sluice. */
static char *list_path(const struct machine *m, struct err *err)
{
    const char *slash = m->path ? strrchr(m->path, '/') : NULL;
    char *path = slash ? xasprintf("%.*s/%s", (int)(slash - m->path), m->path,
                                   m->network.node_list)
                       : xstrdup(m->network.node_list);

    if (access(path, R_OK) == 0)
        return path;
    free(path);
    char *name = xasprintf("platforms/%s", m->network.node_list);
    path = datafile_find(name, err);
    free(name);
    return path;
}

static int by_name(const void *a, const void *b)
{
    const struct node_name *x = a, *y = b;

    return strcmp(x->name, y->name);
}

static int read_list(struct node_names *names, struct err *err)
{
    const struct csv *t = &names->list;

    names->byname = xcalloc(t->nrows, sizeof *names->byname);
    for (size_t i = 0; i < t->nrows; i++) {
        struct node_name *n = &names->byname[i];
        n->name = csv_text(t, i, "node");
        if (!n->name)
            return fail(err, "%s: no column 'node'", t->path);
        if (csv_below(t, i, "place", names->m->network.nodes, &n->place, err) <
            0)
            return -1;
    }
    names->n = t->nrows;
    if (names->n)
        qsort(names->byname, names->n, sizeof *names->byname, by_name);
    for (size_t i = 1; i < names->n; i++)
        if (!strcmp(names->byname[i].name, names->byname[i - 1].name))
            return fail(err, "%s: node: %s is there twice", t->path,
                        names->byname[i].name);
    return 0;
}

int node_names_load(struct node_names *names, const struct machine *m,
                    struct err *err)
{
    *names = (struct node_names){.m = m};
    if (!m->network.node_list)
        return 0;
    char *path = list_path(m, err);
    if (!path)
        return fail_in(err, "%s: network.node_list", m->name);
    int result = csv_load(&names->list, path, err);
    free(path);
    if (result < 0)
        return -1;
    result = read_list(names, err);
    if (result < 0)
        node_names_clear(names);
    return result;
}

void node_names_clear(struct node_names *names)
{
    free(names->byname);
    csv_clear(&names->list);
    *names = (struct node_names){0};
}

/* Splits "nid005012" into "nid" and 5012. */
static bool split_name(const char *name, size_t *prefix, uint64_t *number)
{
    size_t len = strlen(name);

    while (len && isdigit((unsigned char)name[len - 1]))
        len--;
    *prefix = len;
    return number_whole(name + len, number);
}

/* Counts a node from the first one by its name. Returns false if it has another
 * name. */
static bool counted(const struct machine *m, const char *name, uint64_t *out)
{
    const char *first = m->network.first_node;
    size_t prefix, first_prefix;
    uint64_t number, first_number;

    if (!first || !split_name(first, &first_prefix, &first_number) ||
        !split_name(name, &prefix, &number) || prefix != first_prefix ||
        strncmp(name, first, prefix) != 0 || number < first_number)
        return false;
    *out = number - first_number;
    return true;
}

static bool listed(const struct node_names *names, const char *name,
                   uint64_t *out)
{
    const struct node_name key = {name, 0};
    const struct node_name *found =
        names->n ? bsearch(&key, names->byname, names->n, sizeof key, by_name)
                 : NULL;

    if (!found)
        return false;
    *out = found->place;
    return true;
}

int node_names_find(const struct node_names *names, const char *name,
                    unsigned *node, struct err *err)
{
    const struct machine *m = names->m;
    uint64_t number;

    if (!number_whole(name, &number) && !counted(m, name, &number) &&
        !listed(names, name, &number))
        return fail(err, "unknown node '%s': %s %s%s", name, m->name,
                    m->network.first_node  ? "has those from "
                    : m->network.node_list ? "has those in "
                                           : "names none: its nodes are "
                                             "numbers from 0",
                    m->network.first_node  ? m->network.first_node
                    : m->network.node_list ? m->network.node_list
                                           : "");
    if (number >= m->network.nodes)
        return fail(err, "unknown node '%s': %s has %u nodes", name, m->name,
                    m->network.nodes);
    *node = (unsigned)number;
    return 0;
}
