/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the times of matching on a machine, and their presets. */
#include "platforms/matching.h"

#include "base/text.h"
#include "base/datafile.h"
#include "platforms/platform.h"
#include "platforms/read.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

const char *const matcher_names[NMATCHERS] = {
    "none",
#define MATCHER(upper, lower) #lower,
#include "platforms/matchers.def"
#undef MATCHER
};

const char *const forbidden_names[NFORBIDDEN] = {"any_source", "any_tag",
                                                 "unexpected", "equal"};

/* --- one object ----------------------------------------------------------- */

/* The engines that need a key: bits 1 << enum matcher. */
enum {
    LIST = 1u << MATCHER_LIST,
    MATRICES = 1u << MATCHER_MATRIX | 1u << MATCHER_PARTITIONED,
    QUEUES = 1u << MATCHER_PARTITIONED,
    HASH = 1u << MATCHER_HASH,
    BY_GPU = MATRICES | HASH,
};

static const struct matching_number {
    const char *key;
    double unit; /* of the key; 0: a whole number from 1 on */
    size_t at;   /* in struct matching: a double, or an unsigned */
    unsigned needed_by;
    enum { NOT_NEGATIVE, POSITIVE, COST } least;
} numbers[] = {
#define FIELD(field) offsetof(struct matching, field)
    {"attempt_ns", 1e-9, FIELD(attempt_s), LIST, NOT_NEGATIVE},
    {"entry_ns", 1e-9, FIELD(entry_s), LIST, NOT_NEGATIVE},
    {"clock_MHz", 1e6, FIELD(clock_Hz), BY_GPU, POSITIVE},
    {"pass_cycles", 1, FIELD(pass_cycles), MATRICES, NOT_NEGATIVE},
    {"receive_cycles", 1, FIELD(receive_cycles), MATRICES, COST},
    {"miss_cycles", 1, FIELD(miss_cycles), MATRICES, NOT_NEGATIVE},
    {"scan_cycles", 1, FIELD(scan_cycles), MATRICES, NOT_NEGATIVE},
    {"short_cycles", 1, FIELD(short_cycles), MATRICES, COST},
    {"short_messages", 0, FIELD(short_messages), MATRICES, POSITIVE},
    {"cta_messages", 0, FIELD(cta_messages), MATRICES, POSITIVE},
    {"compaction", 1, FIELD(compaction), MATRICES, NOT_NEGATIVE},
    {"queues", 0, FIELD(queues), QUEUES, POSITIVE},
    {"queue_cycles", 1, FIELD(queue_cycles), QUEUES, NOT_NEGATIVE},
    {"ctas", 0, FIELD(ctas), BY_GPU, POSITIVE},
    {"resident_ctas", 0, FIELD(resident_ctas), BY_GPU, POSITIVE},
    {"round_cycles", 1, FIELD(round_cycles), HASH, NOT_NEGATIVE},
    {"hash_cycles", 1, FIELD(hash_cycles), HASH, NOT_NEGATIVE},
    {"slots", 1, FIELD(slots), HASH, POSITIVE},
#undef FIELD
};
enum { NNUMBERS = sizeof numbers / sizeof numbers[0] };

/* Ranks have no more queues, SMs no more CTAs. */
enum { MOST = 65536 };

static int read_number(struct matching *l, const struct json *o,
                       const struct matching_number *n, struct err *err)
{
    char *to = (char *)l + n->at;

    if (!json_member(o, n->key))
        return 0;
    if (n->unit <= 0)
        return read_unsigned(o, n->key, 1, MOST, (unsigned *)(void *)to, err);
    double *real = (double *)(void *)to;
    return n->least == COST ? read_cost(o, n->key, n->unit, real, err)
           : n->least == POSITIVE
               ? read_positive(o, n->key, n->unit, real, err)
               : read_not_negative(o, n->key, n->unit, real, err);
}

static int check_number(const struct matching *l, const struct json *o,
                        const struct matching_number *n, struct err *err)
{
    bool optional = n->at == offsetof(struct matching, attempt_s) ||
                    n->at == offsetof(struct matching, cta_messages);

    if (optional || !(n->needed_by >> l->engine & 1) || json_member(o, n->key))
        return 0;
    return fail(err,
                "engine: %s needs %s, which is not given here: name a device "
                "too, such as %s@%s (sluice list matchings)",
                matcher_names[l->engine], n->key, matcher_names[l->engine],
                l->engine == MATCHER_LIST ? "cpu" : "h200");
}

static int read_numbers(struct matching *l, const struct json *o,
                        struct err *err)
{
    for (size_t i = 0; i < NNUMBERS; i++)
        if (read_number(l, o, &numbers[i], err) < 0 ||
            check_number(l, o, &numbers[i], err) < 0)
            return -1;
    if (l->cta_messages % 32)
        return fail(err, "cta_messages: expected a multiple of 32, got %u",
                    l->cta_messages);
    return 0;
}

static int read_forbids(struct matching *l, const struct json *o,
                        struct err *err)
{
    struct json *list;

    if (!json_member(o, "forbids"))
        return 0;
    if (json_get_array(o, "forbids", &list, err) < 0)
        return -1;
    for (const struct json *c = json_at(list, 0); c; c = json_next(c)) {
        unsigned bit = 0;
        while (bit < NFORBIDDEN &&
               (!json_string(c) ||
                strcmp(json_string(c), forbidden_names[bit]) != 0))
            bit++;
        if (bit == NFORBIDDEN) {
            char got[64];
            return fail(err,
                        "forbids: expected any_source, any_tag, unexpected or "
                        "equal, got %s",
                        json_describe(c, got, sizeof got));
        }
        l->forbids |= 1u << bit;
    }
    /* With wildcards nobody could say which are alike. */
    const unsigned wild = 1u << FORBID_ANY_SOURCE | 1u << FORBID_ANY_TAG;
    if (l->forbids >> FORBID_EQUAL & 1 && (l->forbids & wild) != wild)
        return fail(err, "forbids: equal needs any_source and any_tag too");
    return 0;
}

static int read_engine(struct matching *l, const struct json *o,
                       struct err *err)
{
    unsigned engine = MATCHER_NONE;

    if (json_member(o, "engine")) {
        if (read_name(o, "engine", matcher_names, NMATCHERS, &engine, err) < 0)
            return -1;
    } else if (json_member(o, "entry_ns") || json_member(o, "attempt_ns")) {
        engine = MATCHER_LIST;
    }
    l->engine = (enum matcher)engine;
    return 0;
}

static int check_keys(const struct json *o, struct err *err)
{
    const char *known[NNUMBERS + 4] = {"engine", "forbids", "preset", "source"};

    for (size_t i = 0; i < NNUMBERS; i++)
        known[4 + i] = numbers[i].key;
    return json_only_keys(o, known, NNUMBERS + 4, err);
}

int matching_read(struct matching *l, const struct json *o, struct err *err)
{
    struct matching all = {.cta_messages = 1024};

    if (check_keys(o, err) < 0 || read_engine(&all, o, err) < 0 ||
        read_forbids(&all, o, err) < 0 || read_numbers(&all, o, err) < 0)
        return -1;
    if (json_member(o, "source") &&
        source_read(&all.source, o, "source", err) < 0)
        return -1;
    if (all.engine != MATCHER_NONE && !all.source)
        return fail(err,
                    "source: expected where the numbers are from, got nothing");
    if (json_member(o, "preset") &&
        read_text(o, "preset", &all.name, err) < 0) {
        source_free(all.source);
        return -1;
    }
    *l = all;
    return 0;
}

bool matching_number(const struct matching *l, size_t i, const char **key,
                     double *value)
{
    const struct matching_number *n = numbers;
    const struct matching_number *end = numbers + NNUMBERS;

    for (; n < end && (!(n->needed_by >> l->engine & 1) || i--); n++)
        ;
    if (n == end)
        return false;
    const char *from = (const char *)l + n->at;
    *key = n->key;
    *value = n->unit > 0 ? *(const double *)(const void *)from / n->unit
                         : *(const unsigned *)(const void *)from;
    return true;
}

void matching_clear(struct matching *l)
{
    free(l->name);
    source_free(l->source);
}

/* --- presets -------------------------------------------------------------- */

static bool is_matcher(const char *name)
{
    for (int i = 0; i < NMATCHERS; i++)
        if (!strcmp(name, matcher_names[i]))
            return true;
    return false;
}

static int preset_unknown(const char *name, struct err *err)
{
    size_t n;
    struct matching_preset *list = matching_presets(&n);
    const char **names = xcalloc(NMATCHERS + n, sizeof *names);

    for (size_t i = 0; i < NMATCHERS; i++)
        names[i] = matcher_names[i];
    for (size_t i = 0; i < n; i++)
        names[NMATCHERS + i] = list[i].name;
    const char *near = nearest_word(name, names, NMATCHERS + n);
    (void)fail(err, "%s: unknown matching%s%s%s (sluice list matchings)", name,
               near ? " (did you mean " : "", near ? near : "",
               near ? "?)" : "");
    free(names);
    matching_presets_free(list, n);
    return -1;
}

static struct json *preset_load(const char *name, struct err *err)
{
    char *file = xasprintf("matching/%s", name);
    char *path = strchr(name, '/') ? NULL : platform_find(file);
    struct json *doc = NULL;

    free(file);
    if (!path)
        (void)preset_unknown(name, err);
    else
        doc = json_load(path, err);
    free(path);
    return doc;
}

/* All members but for `preset`, in place of those that are there. */
static void merge_flat(struct json *into, const struct json *from)
{
    for (const struct json *c = json_at(from, 0); c; c = json_next(c))
        json_replace(into, json_key(c), json_copy(c));
}

static int merge_preset(struct json *into, const char *name, struct err *err)
{
    struct json *object;

    if (is_matcher(name)) {
        json_replace(into, "engine", json_new_string(name));
        json_remove(into, "forbids");
        return 0;
    }
    struct json *doc = preset_load(name, err);
    if (!doc)
        return -1;
    int result = json_get_object(doc, "matching", &object, err);
    if (result == 0)
        merge_flat(into, object);
    else
        (void)fail_in(err, "matching/%s", name);
    json_free(doc);
    return result;
}

/* "NAME@DEVICE": the device's constants come first. */
static int merge_words(struct json *into, const char *words, struct err *err)
{
    char *name = xstrdup(words), *device = strchr(name, '@');

    if (device)
        *device++ = 0;
    int result = !*name || (device && !*device)
                     ? fail(err, "expected NAME or NAME@DEVICE, such as "
                                 "list@cpu (sluice list matchings)")
                 : device ? merge_preset(into, device, err)
                          : 0;
    if (result == 0)
        result = merge_preset(into, name, err);
    free(name);
    if (result == 0)
        json_replace(into, "preset", json_new_string(words));
    return result;
}

int matching_apply(struct json *doc, const char *words, struct err *err)
{
    if (!json_is_object(json_member(doc, "matching")))
        json_replace(doc, "matching", json_new_object());
    if (merge_words(json_member(doc, "matching"), words, err) == 0)
        return 0;
    return fail_in(err, "matching=%s", words);
}

int matching_unpack(struct json *doc, struct err *err)
{
    const struct json *own = json_member(doc, "matching");
    const struct json *preset =
        own && json_is_object(own) ? json_member(own, "preset") : own;
    const char *words = preset ? json_string(preset) : NULL;

    if (!words)
        return 0;
    struct json *all = json_new_object();
    if (merge_words(all, words, err) < 0) {
        json_free(all);
        return fail_in(err, "matching");
    }
    if (json_is_object(own))
        merge_flat(all, own);
    json_replace(doc, "matching", all);
    return 0;
}

/* --- the list of them ----------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct matching_preset *x = a, *y = b;

    return strcmp(x->name, y->name);
}

static bool listed(const struct matching_preset *list, size_t n,
                   const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i].name, name))
            return true;
    return false;
}

static void read_preset(struct matching_preset *p)
{
    struct err err = {0};
    struct json *doc = preset_load(p->name, &err);
    const char *about = NULL;
    struct json *object = NULL;

    if (doc && json_get_string(doc, "about", &about, &err) == 0 &&
        json_get_object(doc, "matching", &object, &err) == 0)
        p->device = !json_member(object, "engine");
    p->about = xstrdup(object ? about : err.text);
    json_free(doc);
}

static void list_folder(struct matching_preset **list, size_t *n,
                        const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *file;

    while (dir && (file = readdir(dir))) {
        size_t len = text_before(file->d_name, ".json");
        if (!len || file->d_name[0] == '.')
            continue;
        char *name = xasprintf("%.*s", (int)len, file->d_name);
        if (listed(*list, *n, name)) {
            free(name);
            continue;
        }
        *list = xrealloc(*list, *n + 1, sizeof **list);
        (*list)[*n] = (struct matching_preset){.name = name};
        read_preset(&(*list)[(*n)++]);
    }
    if (dir)
        closedir(dir);
}

struct matching_preset *matching_presets(size_t *n)
{
    struct matching_preset *list = NULL;
    const char *given = getenv("SLUICE_PLATFORMS");

    *n = 0;
    if (given && *given) {
        char *folder = xasprintf("%s/matching", given);
        list_folder(&list, n, folder);
        free(folder);
    }
    for (int i = 0; i < DATAFILE_PLACES; i++) {
        char *folder = datafile_place("platforms/matching", i);
        if (folder)
            list_folder(&list, n, folder);
        free(folder);
    }
    if (*n)
        qsort(list, *n, sizeof *list, by_name);
    return list;
}

void matching_presets_free(struct matching_preset *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(list[i].name);
        free(list[i].about);
    }
    free(list);
}
