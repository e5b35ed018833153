/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds a platform's document from the files that it extends. */
#include "platforms/compose.h"

#include "base/text.h"
#include "platforms/platform.h"
#include "platforms/read.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bounds a platform's files, because each level's path and place stand in an
 * error. */
enum { MAX_DEPTH = 8, MAX_FILES = 64 };

/* The files from which a platform is read are counted, and the documents to
 * which others refer are kept, because each of these is composed once. */
struct load {
    unsigned nfiles, nreferred;
    struct {
        char *path;
        struct json *doc;
    } referred[MAX_FILES];
};

/* The document that is merged so far, and the files that it was merged from. */
struct composed {
    struct load *load;
    struct json *doc;
    char *paths[MAX_FILES];
    unsigned n;
};

/* The file that is being read, and those that extend it or refer to it. */
struct chain {
    struct load *load;
    const char *path;
    const struct chain *by;
    unsigned depth;
};

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
    if (file) /* its reader reports why it is not there */
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

/* Merges a file once, where it is first named, even if several files extend it,
 * because it would undo the changes of one of them the second time. */
static int add_file(struct composed *all, const char *name, const char *path,
                    const struct chain *by, struct err *err)
{
    const struct chain file = {by->load, path, by, by->depth + 1};

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

static void load_clear(struct load *load)
{
    for (unsigned i = 0; i < load->nreferred; i++) {
        free(load->referred[i].path);
        json_free(load->referred[i].doc);
    }
}

/* Returns the document of a file to which another one refers, or NULL; the load
 * keeps it. */
static const struct json *referred_document(const char *name, const char *path,
                                            const struct chain *by,
                                            struct err *err)
{
    struct load *load = by->load;

    for (unsigned i = 0; i < load->nreferred; i++)
        if (same_file(load->referred[i].path, path))
            return load->referred[i].doc;
    struct composed all = {.load = load, .doc = json_new_object()};
    struct json *doc = NULL;
    if (add_file(&all, name, path, by, err) == 0) {
        doc = all.doc;
        all.doc = NULL;
        load->referred[load->nreferred].path = xstrdup(path);
        load->referred[load->nreferred++].doc = doc;
    }
    composed_clear(&all);
    return doc;
}

/* Adds to an error about the value at a path of a file the file that gives
 * it. */
static int fail_referred(const char *file, const char *path, struct err *err)
{
    (void)fail_at_place(err, "%s", path);
    char *owner = compose_owner(file, err->text);
    (void)fail_in(err, "%s", owner ? owner : file);
    free(owner);
    return -1;
}

/* Returns the value at a path of a platform, taken over from there, or NULL if
 * its composed file has none. */
static struct json *value_there(const char *name, const char *path,
                                const struct chain *by, struct err *err)
{
    char *file = base_path(name, by->path, err);
    const struct json *doc =
        file ? referred_document(name, file, by, err) : NULL;
    const struct json *v = doc ? json_at_path(doc, path) : NULL;
    struct json *found = v ? json_copy(v) : NULL;

    if (doc && !v)
        (void)fail(err, "%s has no %.100s", name, path);
    if (found && compose_take_over(found, name, err) < 0) {
        (void)fail_referred(file, path, err);
        json_free(found);
        found = NULL;
    }
    free(file);
    return found;
}

static int follow(struct json *v, const struct chain *by, struct err *err);

/* Divides "NAME:PATH"; the caller frees the name. NULL if it has another
 * form. */
static char *split_reference(const char **path, const char *words)
{
    size_t n = words ? strcspn(words, ":") : 0;

    if (!n || !words[n] || !words[n + 1])
        return NULL;
    *path = words + n + 1;
    return xasprintf("%.*s", (int)n, words);
}

/* Returns the value that {"same_as": "NAME:PATH", ...} refers to, taken over,
 * in which the other members, which may refer to values themselves, replace its
 * own. */
static struct json *referred(const struct json *o, const struct chain *by,
                             struct err *err)
{
    const struct json *v = json_member(o, "same_as");
    const char *path;
    char *name = split_reference(&path, json_string(v)), got[80];

    if (!name)
        return fail_null(err,
                         "same_as: expected a platform and a path as in "
                         "\"lassen:gpu.calls\", got %s",
                         json_describe(v, got, sizeof got));
    struct json *value = value_there(name, path, by, err);
    if (!value)
        (void)fail_in(err, "same_as");
    free(name);
    struct json *rest = json_copy(o);
    json_remove(rest, "same_as");
    if (value &&
        (follow(rest, by, err) < 0 ||
         (json_is_object(value) && compose_merge(value, rest, err) < 0))) {
        json_free(value);
        value = NULL;
    }
    json_free(rest);
    return value;
}

/* Puts the value to which c, the i-th member of v, refers in its place. Returns
 * the value, or NULL if there is an error. */
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

/* Merges the bases of a document, then itself. Only the file that is asked for
 * gives the first keys, because a name and a machine are not inherited. */
static int add_document(struct composed *all, struct json *doc,
                        const struct chain *file, struct err *err)
{
    static const char *const head[] = {"format", "name", "machine", "about"};

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
    return follow(doc, file, err) < 0 ? -1 : compose_merge(all->doc, doc, err);
}

/* Merges a file whose document is read, and those that it extends. */
static int compose_document(struct composed *all, struct json *doc,
                            const struct chain *file, struct err *err)
{
    all->load->nfiles++;
    all->paths[all->n++] = xstrdup(file->path);
    return add_document(all, doc, file, err) < 0
               ? fail_in(err, "%s", file->path)
               : 0;
}

static int compose(struct composed *all, const struct chain *file,
                   struct err *err)
{
    if (all->load->nfiles == MAX_FILES)
        return fail(err, "%s: expected at most %d files in one platform",
                    file->path, MAX_FILES);
    struct json *doc = json_load(file->path, err);
    if (!doc)
        return -1;
    int result = compose_document(all, doc, file, err);
    json_free(doc);
    return result;
}

/* Returns whether a document needs other files than its own. */
static bool extends_any(const struct json *doc)
{
    return json_is_object(doc) && (json_member(doc, "extends") || refers(doc));
}

struct json *compose_load(const char *path, struct err *err)
{
    struct load load = {.nfiles = 0};
    const struct chain file = {&load, path, NULL, 0};
    struct json *doc = json_load(path, err);

    /* A document that extends nothing stays as it is, because its reader checks
     * it. */
    if (!doc || !extends_any(doc))
        return doc;
    struct composed all = {.load = &load, .doc = json_new_object()};
    struct json *whole = NULL;
    if (compose_document(&all, doc, &file, err) == 0) {
        whole = all.doc;
        all.doc = NULL;
    }
    json_free(doc);
    composed_clear(&all);
    load_clear(&load);
    return whole;
}

/* Returns how many keys of "messages.cpu.on_node.segments[2]: ..." a file has,
 * from the first on and up to an array. If it refers to another platform, it
 * counts as having all of them, and *there, which the caller frees, is
 * "NAME:..." with the rest; otherwise *there is NULL. */
static unsigned keys_of(const char *path, const char *place, char **there)
{
    struct err err;
    struct json *doc = json_load(path, &err);
    const struct json *at = doc;
    unsigned n = 0;

    *there = NULL;
    while (at && json_is_object(at)) {
        const char *same = json_string(json_member(at, "same_as"));
        size_t len = strcspn(place, ".:[ ");
        char *key = xasprintf("%.*s", (int)len, place);
        at = json_member(at, key);
        free(key);
        if (!at && same && (len || *place == '['))
            *there = xasprintf("%s%s%s", same, len ? "." : "", place);
        n += at || (same && len);
        place += len + (place[len] == '.');
    }
    for (; *there && *place && !strchr(":[ ", *place); n++) {
        place += strcspn(place, ".:[ ");
        place += *place == '.';
    }
    json_free(doc);
    return n;
}

/* Returns the file that gives the value at "NAME:PLACE", to which a file
 * refers. */
static char *owner_there(const char *path, const char *there)
{
    struct err err;
    const char *place;
    char *name = split_reference(&place, there);
    char *file = name ? base_path(name, path, &err) : NULL;
    char *owner = file ? compose_owner(file, place) : NULL;

    free(name);
    if (!owner)
        return file;
    free(file);
    return owner;
}

char *compose_owner(const char *path, const char *place)
{
    struct load load = {.nfiles = 0};
    const struct chain file = {&load, path, NULL, 0};
    struct composed all = {.load = &load, .doc = json_new_object()};
    struct err err;
    char *there, *its, *owner = NULL;
    unsigned best = keys_of(path, place, &there), by = 0;

    /* A file stands before those that it extends, and was merged after them;
     * among several bases the last one was. */
    bool whole = compose(&all, &file, &err) == 0;
    for (unsigned i = all.n; whole && i-- > 1;) {
        unsigned n = keys_of(all.paths[i], place, &its);
        if (n > best) {
            char *old = there;
            best = n;
            by = i;
            there = its;
            its = old;
        }
        free(its);
    }
    if (whole && there)
        owner = owner_there(all.paths[by], there);
    else if (by)
        owner = xstrdup(all.paths[by]);
    free(there);
    composed_clear(&all);
    load_clear(&load);
    return owner;
}
