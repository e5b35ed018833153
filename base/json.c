/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements strict JSON on top of cJSON; this is the only file that includes
 * it. */
#include "base/json.h"

#include "base/number.h"
#include "base/printable.h"

#include <cjson/cJSON.h>

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_DEPTH = 100,       /* because readers recurse */
    MAX_BYTES = 256 << 20, /* largest file */
};

/* struct json is never defined: it is a cJSON under our name. */
static struct json *ours(const cJSON *item)
{
    return (struct json *)item;
}

static cJSON *theirs(const struct json *v)
{
    return (cJSON *)v;
}

static void give_our_memory(void)
{
    cJSON_Hooks hooks = {.malloc_fn = xmalloc, .free_fn = free};

    cJSON_InitHooks(&hooks);
}

/* Makes cJSON use our allocator, so that it never returns NULL when memory runs
 * out. This is done once, because all threads share it. */
static void use_our_memory(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, give_our_memory);
}

/* --- reading: the text ---------------------------------------------------- */

static int fail_at(struct err *err, const char *name, const char *text,
                   const char *at, const char *what)
{
    size_t line = 1;
    const char *start = text;

    for (const char *c = text; c < at; c++)
        if (*c == '\n') {
            line++;
            start = c + 1;
        }
    return fail(err, "%s:%zu:%zu: %s", name, line, (size_t)(at - start) + 1,
                what);
}

/* Refuses input that cJSON accepts or refuses silently: deep nesting, raw
 * control characters, and \u0000, which would end a string early. */
static int scan(const char *text, const char *name, struct err *err)
{
    unsigned depth = 0;
    bool quoted = false;

    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20 && (quoted || !strchr("\t\n\r", *c)))
            return fail_at(err, name, text, c, "control character");
        if (quoted && *c == '\\' && c[1]) {
            if (!strncmp(c, "\\u0000", 6))
                return fail_at(err, name, text, c, "\\u0000 in a string");
            c++;
        } else if (*c == '"') {
            quoted = !quoted;
        } else if (!quoted && (*c == '{' || *c == '[') && ++depth > MAX_DEPTH) {
            return fail_at(err, name, text, c, "nested too deep");
        } else if (!quoted && (*c == '}' || *c == ']') && depth) {
            depth--;
        }
    }
    return 0;
}

static int fail_syntax(struct err *err, const char *name, const char *text,
                       const char *at)
{
    char what[64];

    if (!at || !*at)
        return fail_at(err, name, text, text + strlen(text),
                       "the text ends before the JSON does");
    snprintf(what, sizeof what, "not JSON from here: %.*s",
             (int)strcspn(at, "\r\n") < 24 ? (int)strcspn(at, "\r\n") : 24, at);
    return fail_at(err, name, text, at, what);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Refuses repeated keys. They are sorted, because an object may have very
 * many. */
static int check_keys(const cJSON *object, struct err *err)
{
    size_t n = (size_t)cJSON_GetArraySize(object);
    const char **keys = xcalloc(n, sizeof *keys);
    const cJSON *item;
    size_t i = 0;
    int result = 0;

    cJSON_ArrayForEach(item, object) keys[i++] = item->string;
    qsort(keys, n, sizeof *keys, by_text);
    for (i = 1; i < n && !result; i++)
        if (!strcmp(keys[i - 1], keys[i]))
            result =
                fail(err, "%s: this key stands twice in one object", keys[i]);
    free(keys);
    return result;
}

/* Checks keys and strings, because they become names, which are shown and
 * written to files. */
static int check_text(const cJSON *item, struct err *err)
{
    if (item->string && printable_check(item->string, "a key", err) < 0)
        return -1;
    if (!cJSON_IsString(item))
        return 0;
    return printable_check(item->valuestring,
                           item->string ? item->string : "a string", err);
}

static int check_tree(const cJSON *item, struct err *err)
{
    const cJSON *child;

    if (check_text(item, err) < 0)
        return -1;
    if (cJSON_IsNumber(item) && !isfinite(item->valuedouble))
        return fail(err, "%s: expected a finite number",
                    item->string ? item->string : "a number");
    if (cJSON_IsObject(item) && check_keys(item, err) < 0)
        return -1;
    cJSON_ArrayForEach(child, item) if (check_tree(child, err) < 0) return -1;
    return 0;
}

struct json *json_parse(const char *text, const char *name, struct err *err)
{
    const char *end = NULL;

    use_our_memory();
    if (scan(text, name, err) < 0)
        return NULL;
    cJSON *doc = cJSON_ParseWithOpts(text, &end, true);
    if (!doc) {
        fail_syntax(err, name, text, end);
        return NULL;
    }
    if (check_tree(doc, err) < 0) {
        (void)fail_in(err, "%s", name);
        cJSON_Delete(doc);
        return NULL;
    }
    return ours(doc);
}

/* Returns the whole file and a 0 after it; the caller frees it. */
static char *json_read_file(FILE *f, const char *path, struct err *err)
{
    size_t size = 4096, n = 0;
    char *text = xmalloc(size);

    for (;;) {
        n += fread(text + n, 1, size - n - 1, f);
        if (n + 1 < size)
            break;
        if (size >= MAX_BYTES) {
            free(text);
            return fail_null(err, "%s: larger than %d MiB", path,
                             MAX_BYTES >> 20);
        }
        size *= 2;
        text = xrealloc(text, size, 1);
    }
    text[n] = 0;
    if (ferror(f)) {
        free(text);
        return fail_null(err, "%s: cannot be read: %s", path, strerror(errno));
    }
    if (strlen(text) != n) {
        fail_at(err, path, text, text + strlen(text),
                "a 0 byte: this is no text");
        free(text);
        return NULL;
    }
    return text;
}

struct json *json_load(const char *path, struct err *err)
{
    FILE *f = fopen(path, "r");

    if (!f)
        return fail_null(err, "%s: cannot be read: %s", path, strerror(errno));
    char *text = json_read_file(f, path, err);
    fclose(f);
    if (!text)
        return NULL;
    struct json *doc = json_parse(skip_byte_order_mark(text), path, err);
    free(text);
    return doc;
}

void json_free(struct json *doc)
{
    cJSON_Delete(theirs(doc));
}

/* --- reading: values ------------------------------------------------------ */

bool json_is_object(const struct json *v)
{
    return cJSON_IsObject(theirs(v));
}

bool json_is_array(const struct json *v)
{
    return cJSON_IsArray(theirs(v));
}

bool json_is_string(const struct json *v)
{
    return cJSON_IsString(theirs(v));
}

bool json_is_number(const struct json *v)
{
    return cJSON_IsNumber(theirs(v));
}

bool json_is_null(const struct json *v)
{
    return v && cJSON_IsNull(theirs(v));
}

const char *json_type_name(const struct json *v)
{
    const cJSON *item = theirs(v);

    if (!item)
        return "nothing";
    if (cJSON_IsObject(item))
        return "an object";
    if (cJSON_IsArray(item))
        return "an array";
    if (cJSON_IsString(item))
        return "a string";
    if (cJSON_IsNumber(item))
        return "a number";
    return cJSON_IsTrue(item) ? "true" : cJSON_IsFalse(item) ? "false" : "null";
}

const char *json_describe(const struct json *v, char *buf, size_t size)
{
    const cJSON *item = theirs(v);

    if (cJSON_IsString(item))
        snprintf(buf, size, "\"%.60s\"", item->valuestring);
    else if (cJSON_IsNumber(item))
        snprintf(buf, size, "%.15g", item->valuedouble);
    else
        snprintf(buf, size, "%s", json_type_name(v));
    return buf;
}

size_t json_size(const struct json *v)
{
    return (size_t)cJSON_GetArraySize(theirs(v));
}

struct json *json_at(const struct json *array, size_t i)
{
    const cJSON *item = array ? theirs(array)->child : NULL;

    while (item && i--)
        item = item->next;
    return ours(item);
}

struct json *json_next(const struct json *v)
{
    return ours(theirs(v)->next);
}

const char *json_key(const struct json *member)
{
    return theirs(member)->string;
}

const char *json_string(const struct json *v)
{
    return cJSON_GetStringValue(theirs(v));
}

double json_number(const struct json *v)
{
    return cJSON_GetNumberValue(theirs(v));
}

struct json *json_member(const struct json *object, const char *key)
{
    return ours(cJSON_GetObjectItemCaseSensitive(theirs(object), key));
}

static int wrong(struct err *err, const char *key, const char *wanted,
                 const struct json *v)
{
    char got[80];

    return fail(err, "%s: expected %s, got %s", key, wanted,
                json_describe(v, got, sizeof got));
}

int json_get_object(const struct json *o, const char *key, struct json **out,
                    struct err *err)
{
    struct json *v = json_member(o, key);

    if (!json_is_object(v))
        return wrong(err, key, "an object", v);
    *out = v;
    return 0;
}

int json_get_array(const struct json *o, const char *key, struct json **out,
                   struct err *err)
{
    struct json *v = json_member(o, key);

    if (!json_is_array(v))
        return wrong(err, key, "an array", v);
    *out = v;
    return 0;
}

int json_get_string(const struct json *o, const char *key, const char **out,
                    struct err *err)
{
    struct json *v = json_member(o, key);

    if (!json_is_string(v))
        return wrong(err, key, "a string", v);
    *out = theirs(v)->valuestring;
    return 0;
}

int json_get_bool(const struct json *o, const char *key, bool *out,
                  struct err *err)
{
    struct json *v = json_member(o, key);

    if (!cJSON_IsBool(theirs(v)))
        return wrong(err, key, "true or false", v);
    *out = cJSON_IsTrue(theirs(v));
    return 0;
}

int json_get_number(const struct json *o, const char *key, double *out,
                    struct err *err)
{
    struct json *v = json_member(o, key);

    if (!json_is_number(v) || !isfinite(theirs(v)->valuedouble))
        return wrong(err, key, "a number", v);
    *out = theirs(v)->valuedouble;
    return 0;
}

int json_get_positive(const struct json *o, const char *key, double *out,
                      struct err *err)
{
    double v = 0;

    if (!json_is_number(json_member(o, key)) ||
        json_get_number(o, key, &v, err) < 0 || v <= 0)
        return wrong(err, key, "a number above 0", json_member(o, key));
    *out = v;
    return 0;
}

int json_get_not_negative(const struct json *o, const char *key, double *out,
                          struct err *err)
{
    double v = -1;

    if (!json_is_number(json_member(o, key)) ||
        json_get_number(o, key, &v, err) < 0 || v < 0)
        return wrong(err, key, "a number not below 0", json_member(o, key));
    *out = v;
    return 0;
}

int json_get_count(const struct json *o, const char *key, uint64_t *out,
                   struct err *err)
{
    double v = -1;

    if (!json_is_number(json_member(o, key)) ||
        json_get_number(o, key, &v, err) < 0 || v < 0 || v != floor(v) ||
        v >= (double)NUMBER_EXACT_END)
        return wrong(err, key, "a whole number not below 0",
                     json_member(o, key));
    *out = (uint64_t)v;
    return 0;
}

/* Returns the nearest known key. "bandwidth" is near to bandwidth_GBps, because
 * users easily forget a unit. */
static const char *nearest_key(const char *key, const char *const *known,
                               size_t n)
{
    const char *near = nearest_word(key, known, n);

    for (size_t i = 0; i < n && !near; i++)
        if (strlen(key) > 2 && !strncmp(known[i], key, strlen(key)))
            near = known[i];
    return near;
}

int json_only_keys(const struct json *o, const char *const *known, size_t n,
                   struct err *err)
{
    for (const struct json *c = json_at(o, 0); c; c = json_next(c)) {
        const char *key = json_key(c);
        size_t i = 0;
        while (i < n && strcmp(key, known[i]) != 0)
            i++;
        if (i < n)
            continue;
        const char *near = nearest_key(key, known, n);
        if (near)
            return fail(err, "%s: unknown key (did you mean %s?)", key, near);
        return fail(err, "%s: unknown key", key);
    }
    return 0;
}

/* --- writing -------------------------------------------------------------- */

struct json *json_new_object(void)
{
    use_our_memory();
    return ours(cJSON_CreateObject());
}

struct json *json_new_array(void)
{
    use_our_memory();
    return ours(cJSON_CreateArray());
}

struct json *json_new_string(const char *text)
{
    use_our_memory();
    return ours(cJSON_CreateString(text));
}

struct json *json_new_number(double value)
{
    use_our_memory();
    return ours(cJSON_CreateNumber(value));
}

void json_add(struct json *o, const char *key, struct json *child)
{
    assert(json_is_object(o));
    cJSON_AddItemToObject(theirs(o), key, theirs(child));
}

void json_add_number(struct json *o, const char *key, double value)
{
    json_add(o, key, ours(cJSON_CreateNumber(value)));
}

void json_add_known(struct json *o, const char *key, double value)
{
    if (!isnan(value))
        json_add_number(o, key, value);
}

void json_add_string(struct json *o, const char *key, const char *value)
{
    json_add(o, key, ours(cJSON_CreateString(value)));
}

void json_add_bool(struct json *o, const char *key, bool value)
{
    json_add(o, key, ours(cJSON_CreateBool(value)));
}

void json_append(struct json *array, struct json *child)
{
    assert(json_is_array(array));
    cJSON_AddItemToArray(theirs(array), theirs(child));
}

void json_replace(struct json *o, const char *key, struct json *child)
{
    if (!json_member(o, key))
        json_add(o, key, child);
    else
        cJSON_ReplaceItemInObjectCaseSensitive(theirs(o), key, theirs(child));
}

struct json *json_object_in(struct json *o, const char *key)
{
    if (!json_is_object(json_member(o, key)))
        json_replace(o, key, json_new_object());
    return json_member(o, key);
}

void json_replace_at(struct json *array, size_t i, struct json *child)
{
    assert(json_is_array(array) && i < json_size(array));
    cJSON_ReplaceItemViaPointer(theirs(array), theirs(json_at(array, i)),
                                theirs(child));
}

void json_remove(struct json *o, const char *key)
{
    cJSON_DeleteItemFromObjectCaseSensitive(theirs(o), key);
}

void json_set_number(struct json *number, double value)
{
    cJSON_SetNumberHelper(theirs(number), value);
}

struct json *json_copy(const struct json *v)
{
    use_our_memory();
    return ours(cJSON_Duplicate(theirs(v), 1));
}
