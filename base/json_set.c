/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a value of a document by its path, and changes one from the command
 * line. */
#include "base/json.h"

#include "base/number.h"
#include "base/printable.h"

#include <stdlib.h>
#include <string.h>

const struct json *json_at_path(const struct json *v, const char *path)
{
    char *copy = xstrdup(path), *rest = copy, *key;

    while (v && (key = strsep(&rest, "."))) {
        uint64_t place;
        if (json_is_array(v))
            v = number_whole(key, &place) ? json_at(v, place) : NULL;
        else
            v = json_is_object(v) ? json_member(v, key) : NULL;
    }
    free(copy);
    return v;
}

/* Fails with "no key", and suggests the nearest existing key. */
static int json_set_unknown(const struct json *object, const char *setting,
                            const char *key, struct err *err)
{
    size_t n = json_size(object), i = 0;
    const char **keys = xcalloc(n, sizeof *keys);

    for (const struct json *c = json_at(object, 0); c; c = json_next(c))
        keys[i++] = json_key(c);
    const char *near = nearest_word(key, keys, n);
    free(keys);
    if (near)
        return fail(err, "%s: no key \"%s\" (did you mean %s?)", setting, key,
                    near);
    return fail(err, "%s: no key \"%s\"", setting, key);
}

static int element(const struct json *array, const char *setting,
                   const char *key, size_t *i, struct err *err)
{
    size_t n = json_size(array);
    uint64_t v;

    if (!number_whole(key, &v) || v >= n)
        return fail(err, "%s: expected a place in an array of %zu, got \"%s\"",
                    setting, n, key);
    *i = (size_t)v;
    return 0;
}

static struct json *json_set_step(struct json *at, const char *setting,
                                  const char *key, struct err *err)
{
    size_t i;

    if (json_is_array(at))
        return element(at, setting, key, &i, err) < 0 ? NULL : json_at(at, i);
    if (!json_is_object(at))
        return fail_null(err,
                         "%s: expected an object or array before \"%s\", "
                         "got %s",
                         setting, key, json_type_name(at));
    struct json *next = json_member(at, key);
    if (!next)
        (void)json_set_unknown(at, setting, key, err);
    return next;
}

static int store(struct json *at, const char *setting, const char *key,
                 struct json *value, struct err *err)
{
    size_t i;

    if (json_is_object(at)) {
        json_replace(at, key, value);
        return 0;
    }
    if (json_is_array(at)) {
        if (element(at, setting, key, &i, err) < 0)
            return -1;
        json_replace_at(at, i, value);
        return 0;
    }
    return fail(err, "%s: expected an object or array before \"%s\", got %s",
                setting, key, json_type_name(at));
}

/* Reads a value as JSON, or else as the text itself, such as fat_tree. */
static struct json *read_value(const char *text, const char *setting,
                               struct err *err)
{
    struct err why;
    struct json *v = json_parse(text, setting, &why);

    if (v)
        return v;
    if (*text && strchr("\"[{", *text)) {
        *err = why;
        return NULL;
    }
    return printable_check(text, setting, err) < 0 ? NULL
                                                   : json_new_string(text);
}

/* Walks to the last key of the path, and stores the value there; modifies
 * `path`. */
static int follow(struct json *doc, char *path, const char *setting,
                  const char *value, struct err *err)
{
    struct json *at = doc;
    char *key = path;

    for (char *dot = strchr(key, '.'); dot; dot = strchr(key, '.')) {
        *dot = 0;
        at = json_set_step(at, setting, key, err);
        if (!at)
            return -1;
        key = dot + 1;
    }
    struct json *new = read_value(value, setting, err);
    if (!new)
        return -1;
    const struct json *old = json_is_object(at) ? json_member(at, key) : NULL;
    if (old && json_is_object(old) && json_is_number(new)) {
        json_free(new);
        return fail(err, "%s: expected an object, got a number", setting);
    }
    if (store(at, setting, key, new, err) < 0) {
        json_free(new);
        return -1;
    }
    return 0;
}

int json_set(struct json *doc, const char *setting, struct err *err)
{
    const char *equals = strchr(setting, '=');

    if (!equals || equals == setting)
        return fail(err, "%s: expected KEY=VALUE", setting);
    char *path = xstrdup(setting);
    path[equals - setting] = 0;
    int result = printable_check(path, "a key", err);
    if (result == 0)
        result = follow(doc, path, setting, equals + 1, err);
    free(path);
    return result;
}
