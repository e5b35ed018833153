/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds a platform's document from the files that it extends. */
#include "platforms/compose.h"

#include "base/text.h"
#include "platforms/platform.h"
#include "platforms/provenance.h"
#include "platforms/topology.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Each level's path and place stand in an error. */
enum { MAX_DEPTH = 8, MAX_FILES = 64 };

/* The document that has been merged so far, and the files that it is of. */
struct composed {
    struct json *doc;
    char *paths[MAX_FILES];
    unsigned n;
};

/* The file that is being read, and those that extend it. */
struct chain {
    const char *path;
    const struct chain *by;
    unsigned depth;
};

const char *compose_source_key(const struct json *object, const char *number)
{
    static const struct {
        const char *object, *begins, *key;
    } own[] = {{"copies", "engine_", "engine_source"},
               {"copies", "time_slice_", "time_slice_source"},
               {"copies", "mps_clients", "mps_clients_source"},
               {"copies", "h2d_returns_", "h2d_returns_source"},
               {"off_node", "other_rack_", "other_rack_source"},
               {"gpu", "kernel_launch_", "kernel_launch_source"},
               {"gpu", "stream_sync_", "stream_sync_source"},
               {"gpu", "remote_atomic_", "remote_atomic_source"},
               {"gpu", "ipc_event_", "ipc_event_source"},
               {"gpu", "gdrcopy_", "gdrcopy_source"},
               {"gpu", "cpu_sums_", "cpu_sums_source"},
               {"gpu", "shmem_put_", "shmem_put_source"},
               {"graph", "spare_", "spare_source"},
               {"nccl", "channels", "channels_source"},
               {"simple", "start_", "start_source"},
               {"simple", "take_", "take_source"},
               {"ll", "start_", "start_source"},
               {"ll", "take_", "take_source"},
               {"ll128", "start_", "start_source"},
               {"ll128", "take_", "take_source"},
               {"nvls", "start_", "start_source"},
               {"nvls", "take_", "take_source"}};
    const char *name = json_key(object);

    for (size_t i = 0; name && i < sizeof own / sizeof own[0]; i++)
        if (!strcmp(name, own[i].object) &&
            !strncmp(number, own[i].begins, strlen(own[i].begins)))
            return own[i].key;
    return "source";
}

/* Without the keys that only other topologies have. */
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

/* Merging. */

static const char *id_of(const struct json *v)
{
    return json_is_object(v) ? json_string(json_member(v, "id")) : NULL;
}

/* An array, not empty, of objects that have ids. */
static bool has_ids(const struct json *v)
{
    if (!json_is_array(v) || !json_size(v))
        return false;
    for (const struct json *c = json_at(v, 0); c; c = json_next(c))
        if (!id_of(c))
            return false;
    return true;
}

static int merge(struct json *into, const struct json *from, struct err *err);

static struct json *with_id(struct json *array, const char *id)
{
    for (struct json *c = json_at(array, 0); c; c = json_next(c))
        if (!strcmp(id_of(c), id))
            return c;
    return NULL;
}

static int merge_by_id(struct json *into, const struct json *from,
                       struct err *err)
{
    for (const struct json *c = json_at(from, 0); c; c = json_next(c)) {
        struct json *old = with_id(into, id_of(c));
        if (!old)
            json_append(into, json_copy(c));
        else if (merge(old, c, err) < 0)
            return fail_at_place(err, "[%.60s]", id_of(c));
    }
    return 0;
}

/* A number that changes takes its old source with it. */
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
    if (source_is_key(key)) { /* is one thing, and is not merged */
        json_replace(into, key, json_copy(new));
        return 0;
    }
    if (old && json_is_object(old) && json_is_object(new)) {
        if (merge(old, new, err) < 0)
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

static int merge(struct json *into, const struct json *from, struct err *err)
{
    const char *topology = json_string(json_member(from, "topology"));

    /* A new topology brings its own keys. */
    if (topology)
        leave_shape(into, topology);
    for (const struct json *c = json_at(from, 0); c; c = json_next(c))
        if (merge_member(into, from, c, err) < 0)
            return -1;
    return 0;
}

/* Finding the files. */

static bool same_file(const char *a, const char *b)
{
    char *ra = realpath(a, NULL), *rb = realpath(b, NULL);
    bool same = ra && rb && !strcmp(ra, rb);

    free(ra);
    free(rb);
    return same;
}

/* Returns the path of a base: a file beside the one that extends it, but not
 * that one itself, or else a platform that is known by name. */
static char *base_path(const char *name, const char *path, struct err *err)
{
    const char *slash = strrchr(path, '/');
    bool file = text_before(name, ".json");
    char *found = xasprintf("%.*s%s%s", slash ? (int)(slash - path) + 1 : 0,
                            path, name, file ? "" : ".json");

    if (name[0] == '/') {
        free(found);
        return xasprintf("%s%s", name, file ? "" : ".json");
    }
    bool itself = same_file(found, path);
    if (access(found, R_OK) == 0 && (!itself || strchr(name, '/') || file))
        return found;
    if (file) /* reading it says why not */
        return found;
    free(found);
    found = platform_find(name);
    if (found)
        return found;
    if (itself)
        return fail_null(err, "\"%.60s\": the file extends itself", name);
    return fail_null(err,
                     "\"%.60s\": expected a platform or a file %.60s.json "
                     "beside this one, found none",
                     name, name);
}

static int compose(struct composed *all, const struct chain *file,
                   struct err *err);

static bool read_already(const struct composed *all, const char *path)
{
    for (unsigned i = 0; i < all->n; i++)
        if (same_file(all->paths[i], path))
            return true;
    return false;
}

/* A file that several extend is merged once, where it is first named, so that
 * it does not undo what one of them changes. */
static int add_file(struct composed *all, const char *name, const char *path,
                    const struct chain *by, struct err *err)
{
    const struct chain file = {path, by, by->depth + 1};

    for (const struct chain *c = by; c; c = c->by)
        if (same_file(path, c->path))
            return fail(err,
                        c == by ? "\"%.60s\": the file extends itself"
                                : "\"%.60s\": a circle: it extends this file",
                        name);
    if (file.depth > MAX_DEPTH)
        return fail(err,
                    "\"%.60s\": expected at most %d files below each other",
                    name, MAX_DEPTH);
    return read_already(all, path) ? 0 : compose(all, &file, err);
}

static int add_base(struct composed *all, const struct json *base,
                    const struct chain *by, struct err *err)
{
    char got[80];

    if (!json_is_string(base))
        return fail(err, "expected the name of a platform, got %s",
                    json_describe(base, got, sizeof got));
    char *path = base_path(json_string(base), by->path, err);
    int result = path ? add_file(all, json_string(base), path, by, err) : -1;
    free(path);
    return result;
}

static int add_bases(struct composed *all, const struct json *extends,
                     const struct chain *by, struct err *err)
{
    size_t i = 0;

    if (!json_is_array(extends))
        return add_base(all, extends, by, err) < 0 ? fail_in(err, "extends")
                                                   : 0;
    for (const struct json *c = json_at(extends, 0); c; c = json_next(c), i++)
        if (add_base(all, c, by, err) < 0)
            return fail_in(err, "extends[%zu]", i);
    return 0;
}

/* References. */

static void composed_clear(struct composed *all)
{
    for (unsigned i = 0; i < all->n; i++)
        free(all->paths[i]);
    json_free(all->doc);
}

/* Returns a source's statements, each of which says that the number is another
 * machine's. */
static struct json *taken(const struct json *source, const char *from)
{
    struct json *list = json_new_array();
    bool several = json_is_array(source);
    const struct json *c = several ? json_at(source, 0) : source;

    for (; c; c = several ? json_next(c) : NULL) {
        struct json *o = json_new_object();
        char *text = source_phrase(c);
        if (json_member(c, "of"))
            json_add(o, "of", json_copy(json_member(c, "of")));
        json_add_string(o, "kind", provenance_names[PROVENANCE_TAKEN_OVER]);
        json_add_string(o, "from", from);
        json_add_string(o, "text", text);
        free(text);
        json_append(list, o);
    }
    return list;
}

void compose_take_over(struct json *v, const char *from)
{
    for (struct json *c = json_at(v, 0); c; c = json_next(c)) {
        if (!json_is_object(v) || !source_is_key(json_key(c))) {
            compose_take_over(c, from);
            continue;
        }
        char *key = xstrdup(json_key(c));
        struct json *list = taken(c, from);
        bool one = json_size(list) == 1;
        json_replace(v, key, json_copy(one ? json_at(list, 0) : list));
        json_free(list);
        c = json_member(v, key);
        free(key);
    }
}

/* The value at a path of a platform, which is its file's alone. */
static struct json *value_there(const char *name, const char *path,
                                const struct chain *by, struct err *err)
{
    struct composed all = {.doc = json_new_object()};
    char *file = base_path(name, by->path, err);
    struct json *found = NULL;

    if (file && add_file(&all, name, file, by, err) == 0) {
        const struct json *v = json_at_path(all.doc, path);
        if (v)
            found = json_copy(v);
        else
            (void)fail(err, "%s has no %.100s", name, path);
    }
    free(file);
    composed_clear(&all);
    return found;
}

/* Returns the value that {"same_as": "NAME:PATH", ...} refers to, taken over,
 * in which the other members replace its own. */
static struct json *referred(const struct json *o, const struct chain *by,
                             struct err *err)
{
    const struct json *v = json_member(o, "same_as");
    const char *words = json_string(v) ? json_string(v) : "";
    size_t n = strcspn(words, ":");
    char got[80];

    if (!n || !words[n] || !words[n + 1])
        return fail_null(err,
                         "same_as: expected a platform and a path as in "
                         "\"lassen:gpu.calls\", got %s",
                         json_describe(v, got, sizeof got));
    char *name = xasprintf("%.*s", (int)n, words);
    struct json *value = value_there(name, words + n + 1, by, err);
    if (value)
        compose_take_over(value, name);
    else
        (void)fail_in(err, "same_as");
    free(name);
    struct json *rest = json_copy(o);
    json_remove(rest, "same_as");
    if (value && json_is_object(value) && merge(value, rest, err) < 0) {
        json_free(value);
        value = NULL;
    }
    json_free(rest);
    return value;
}

/* Puts the value that c, the i-th member of v, refers to in its place. Returns
 * the value, NULL on an error. */
static struct json *replace_reference(struct json *v, size_t i,
                                      const struct json *c,
                                      const struct chain *by, struct err *err)
{
    struct json *value = referred(c, by, err);

    if (value && json_is_object(v)) {
        char *key = xstrdup(json_key(c));
        json_replace(v, key, value);
        free(key);
    } else if (value) {
        json_replace_at(v, i, value);
    }
    return value;
}

/* Puts values in the place of all references in v. */
static int follow(struct json *v, const struct chain *by, struct err *err)
{
    size_t i = 0;

    for (struct json *c = json_at(v, 0); c; c = json_next(c), i++) {
        struct json *at = c;
        if (json_is_object(c) && json_member(c, "same_as"))
            at = replace_reference(v, i, c, by, err);
        else if ((json_is_object(c) || json_is_array(c)) &&
                 follow(c, by, err) < 0)
            at = NULL;
        if (!at && json_is_object(v))
            return fail_at_place(err, "%.60s", json_key(c));
        if (!at)
            return fail_at_place(err, "[%zu]", i);
        c = at;
    }
    return 0;
}

static bool refers(const struct json *v)
{
    if (json_is_object(v) && json_member(v, "same_as"))
        return true;
    for (const struct json *c = json_at(v, 0); c; c = json_next(c))
        if ((json_is_object(c) || json_is_array(c)) && refers(c))
            return true;
    return false;
}

static int check_part(const struct json *doc, struct err *err)
{
    const struct json *format;
    char got[80];

    if (!json_is_object(doc))
        return fail(err, "expected an object, got %s", json_type_name(doc));
    format = json_member(doc, "format");
    if (json_number(format) != 1)
        return fail(err, "format: expected 1, got %s",
                    json_describe(format, got, sizeof got));
    return 0;
}

/* The bases of a document, then itself. The file that is asked for gives the
 * first keys, and alone a name. */
static int add_document(struct composed *all, struct json *doc,
                        const struct chain *file, struct err *err)
{
    static const char *const head[] = {"format", "name", "about"};

    if (check_part(doc, err) < 0)
        return -1;
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++) {
        const struct json *v = json_member(doc, head[i]);
        if (v && !file->by)
            json_replace(all->doc, head[i], json_copy(v));
        json_remove(doc, head[i]);
    }
    const struct json *extends = json_member(doc, "extends");
    if (extends && add_bases(all, extends, file, err) < 0)
        return -1;
    json_remove(doc, "extends");
    return follow(doc, file, err) < 0 ? -1 : merge(all->doc, doc, err);
}

/* Merges a file whose document is read, and those that it extends. */
static int compose_document(struct composed *all, struct json *doc,
                            const struct chain *file, struct err *err)
{
    all->paths[all->n++] = xstrdup(file->path);
    return add_document(all, doc, file, err) < 0
               ? fail_in(err, "%s", file->path)
               : 0;
}

static int compose(struct composed *all, const struct chain *file,
                   struct err *err)
{
    if (all->n == MAX_FILES)
        return fail(err, "%s: expected at most %d files in one platform",
                    file->path, MAX_FILES);
    struct json *doc = json_load(file->path, err);
    if (!doc)
        return -1;
    int result = compose_document(all, doc, file, err);
    json_free(doc);
    return result;
}

/* Whether a document is more than what its file says. */
static bool extends_any(const struct json *doc)
{
    return json_is_object(doc) && (json_member(doc, "extends") || refers(doc));
}

struct json *compose_load(const char *path, struct err *err)
{
    const struct chain file = {path, NULL, 0};
    struct json *doc = json_load(path, err);

    /* A document that extends nothing stays as it is, because its reader
     * checks it. */
    if (!doc || !extends_any(doc))
        return doc;
    struct composed all = {.doc = json_new_object()};
    struct json *whole = NULL;
    if (compose_document(&all, doc, &file, err) == 0) {
        whole = all.doc;
        all.doc = NULL;
    }
    json_free(doc);
    composed_clear(&all);
    return whole;
}

/* Returns how many keys of "messages.cpu.on_node.segments[2]: ..." a file has,
 * from the first on and up to an array. */
static unsigned keys_of(const char *path, const char *place)
{
    struct err err;
    struct json *doc = json_load(path, &err);
    const struct json *at = doc;
    unsigned n = 0;

    while (at && json_is_object(at)) {
        size_t len = strcspn(place, ".:[ ");
        char *key = xasprintf("%.*s", (int)len, place);
        at = json_member(at, key);
        free(key);
        n += at != NULL;
        place += len;
        if (*place != '.')
            break;
        place++;
    }
    json_free(doc);
    return n;
}

char *compose_owner(const char *path, const char *place)
{
    const struct chain file = {path, NULL, 0};
    struct composed all = {.doc = json_new_object()};
    struct err err;
    char *owner = NULL;
    unsigned best = 0;

    /* A file stands before those that it extends, and was merged after them;
     * of several bases the last one was. */
    if (compose(&all, &file, &err) == 0)
        for (unsigned i = all.n; i-- > 1;) {
            unsigned n = keys_of(all.paths[i], place);
            if (n > best) {
                best = n;
                free(owner);
                owner = xstrdup(all.paths[i]);
            }
        }
    if (owner && keys_of(path, place) >= best) {
        free(owner);
        owner = NULL;
    }
    composed_clear(&all);
    return owner;
}
