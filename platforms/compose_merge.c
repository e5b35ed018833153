/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges the document of a platform into the one that it extends. */
#include "platforms/compose.h"

#include "platforms/provenance.h"
#include "platforms/read.h"
#include "platforms/topology.h"

#include <string.h>

/* Removes the keys that only other topologies have. */
static void leave_shape(struct json *network, const char *topology)
{
    const struct json *next;

    for (const struct json *c = json_at(network, 0); c; c = next) {
        next = json_next(c);
        if (topology_key(json_key(c)) &&
            !topology_has_key(topology, json_key(c)))
            json_remove(network, json_key(c));
    }
    source_forget(network, "source");
}

void compose_topology(struct json *doc)
{
    struct json *network = json_member(doc, "network");
    const char *topology =
        network ? json_string(json_member(network, "topology")) : NULL;

    if (topology)
        leave_shape(network, topology);
}

static const char *id_of(const struct json *v)
{
    return json_is_object(v) ? json_string(json_member(v, "id")) : NULL;
}

/* Returns whether it is an array, not empty, of objects that have ids. */
static bool has_ids(const struct json *v)
{
    if (!json_is_array(v) || !json_size(v))
        return false;
    for (const struct json *c = json_at(v, 0); c; c = json_next(c))
        if (!id_of(c))
            return false;
    return true;
}

static struct json *with_id(struct json *array, const char *id)
{
    for (struct json *c = json_at(array, 0); c; c = json_next(c))
        if (!strcmp(id_of(c), id))
            return c;
    return NULL;
}

/* Returns the length of an id without the '*' that it ends in, because such an
 * id ("gpu*") is of all that begin so; 0 if it ends in none. */
static size_t common_start(const char *id)
{
    size_t n = strlen(id);

    return n > 1 && id[n - 1] == '*' ? n - 1 : 0;
}

/* Merges the member into each whose id begins so. Their id stays. */
static int merge_all(struct json *into, const struct json *change, size_t start,
                     struct err *err)
{
    struct json *all = json_copy(change);
    size_t merged = 0;
    int rc = 0;

    for (struct json *c = json_at(into, 0); c && rc == 0; c = json_next(c)) {
        if (strncmp(id_of(c), id_of(change), start) != 0)
            continue;
        json_replace(all, "id", json_copy(json_member(c, "id")));
        rc = compose_merge(c, all, err);
        merged++;
    }
    json_free(all);
    if (!merged)
        return fail(err, "id: expected the beginning of an id of what is "
                         "extended, no id begins so");
    return rc;
}

static int merge_by_id(struct json *into, const struct json *from,
                       struct err *err)
{
    for (const struct json *c = json_at(from, 0); c; c = json_next(c)) {
        size_t start = common_start(id_of(c));
        struct json *old = start ? NULL : with_id(into, id_of(c));
        if (!old && !start)
            json_append(into, json_copy(c));
        else if ((start ? merge_all(into, c, start, err)
                        : compose_merge(old, c, err)) < 0)
            return fail_at_place(err, "[%.60s]", id_of(c));
    }
    return 0;
}

/* Refuses a changed number without a source, because its old source is not
 * about it. */
static int check_source(const struct json *into, const struct json *from,
                        const struct json *old, const struct json *new,
                        struct err *err)
{
    const char *key = compose_source_key(into, json_key(new));

    if (!json_is_number(old) || !json_is_number(new) ||
        json_number(old) == json_number(new) || !json_member(into, key) ||
        json_member(from, key))
        return 0;
    return fail(err,
                "%s: expected a %s beside it, because the %g of what is "
                "extended has one, got nothing",
                json_key(new), key, json_number(old));
}

static int merge_member(struct json *into, const struct json *from,
                        const struct json *new, struct err *err)
{
    const char *key = json_key(new);
    struct json *old = json_member(into, key);

    if (json_is_null(new)) {
        json_remove(into, key);
        source_forget(into, compose_source_key(into, key));
        return 0;
    }
    if (source_is_key(key)) { /* is replaced, not merged */
        json_replace(into, key, json_copy(new));
        return 0;
    }
    if (old && json_is_object(old) && json_is_object(new)) {
        if (compose_merge(old, new, err) < 0)
            return fail_at_place(err, "%.60s", key);
        return 0;
    }
    if (old && has_ids(old) && has_ids(new)) {
        if (merge_by_id(old, new, err) < 0)
            return fail_at_place(err, "%.60s", key);
        return 0;
    }
    if (old && check_source(into, from, old, new, err) < 0)
        return -1;
    json_replace(into, key, json_copy(new));
    return 0;
}

int compose_merge(struct json *into, const struct json *from, struct err *err)
{
    const char *topology = json_string(json_member(from, "topology"));

    /* A new topology needs its own keys, so that the others go. */
    if (topology)
        leave_shape(into, topology);
    for (const struct json *c = json_at(from, 0); c; c = json_next(c))
        if (merge_member(into, from, c, err) < 0)
            return -1;
    return 0;
}
