/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the times of matching on a machine, and their presets. */
#include "platforms/matching.h"

#include "base/text.h"
#include "base/datafile.h"
#include "platforms/keys.h"
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

/* Bits 1 << enum matcher of the engines that need a key. */
enum {
    LIST = 1u << MATCHER_LIST,
    MATRICES = 1u << MATCHER_MATRIX | 1u << MATCHER_PARTITIONED,
    QUEUES = 1u << MATCHER_PARTITIONED,
    HASH = 1u << MATCHER_HASH,
    BY_GPU = MATRICES | HASH,
};

/* Limits queues and CTAs, because ranks and SMs have no more. */
enum { MOST = 65536 };

#define AT(field) offsetof(struct matching, field)
static const struct key rows[] = {
    {"engine", KEY_OTHER,
     .help = "none, list, matrix, partitioned or hash (left out: list if it "
             "has a number, otherwise none)"},
    {"forbids", KEY_OTHER,
     .help = "a list of any_source, any_tag, unexpected, equal"},
    {"preset", KEY_TEXT, AT(name),
     .help = "names of presets, whose members these change; the object may be "
             "such names alone (sluice list matchings)"},
    {"source", KEY_SOURCE, AT(source),
     .help = "where the numbers are from; needed by all engines but none"},
    {"attempt_ns", KEY_FROM_0, AT(attempt_s), .help = "a search"},
    {"entry_ns", KEY_FROM_0, AT(entry_s), LIST,
     .help = "each posted receive, or unexpected message, that a search looks "
             "at"},
    {"clock_MHz", KEY_POSITIVE, AT(clock_Hz), BY_GPU, .help = "of the cycles"},
    {"pass_cycles", KEY_FROM_0, AT(pass_cycles), MATRICES,
     .help = "a pass over messages of a queue"},
    {"receive_cycles", KEY_COST, AT(receive_cycles), MATRICES,
     .help = "a receive that is matched"},
    {"miss_cycles", KEY_FROM_0, AT(miss_cycles), MATRICES,
     .help = "a receive that is not"},
    {"scan_cycles", KEY_FROM_0, AT(scan_cycles), MATRICES,
     .help = "each receive, if all warps scan and none reduces"},
    {"short_cycles", KEY_COST, AT(short_cycles), MATRICES,
     .help = "each receive of short queues, by one warp without a matrix"},
    {"short_messages", KEY_WHOLE, AT(short_messages), MATRICES, .least = 1,
     .most = MOST, .help = "messages of a short queue at most"},
    {"cta_messages", KEY_WHOLE, AT(cta_messages), .initial = 1024, .least = 1,
     .most = MOST, .help = "messages of a pass at most"},
    {"compaction", KEY_FROM_0, AT(compaction), MATRICES,
     .help = "share of the time more, to make the queues dense"},
    {"queues", KEY_WHOLE, AT(queues), QUEUES, .least = 1, .most = MOST,
     .help = "queues, by the source modulo their number"},
    {"queue_cycles", KEY_FROM_0, AT(queue_cycles), QUEUES,
     .help = "each receive, for each warp of other queues in its CTA"},
    {"ctas", KEY_WHOLE, AT(ctas), BY_GPU, .least = 1, .most = MOST,
     .help = "CTAs at most"},
    {"resident_ctas", KEY_WHOLE, AT(resident_ctas), BY_GPU, .least = 1,
     .most = MOST, .help = "CTAs that run at a time"},
    {"round_cycles", KEY_FROM_0, AT(round_cycles), HASH,
     .help = "a round, for each 1024 receives of a CTA"},
    {"hash_cycles", KEY_FROM_0, AT(hash_cycles), HASH,
     .help = "each receive that is entered"},
    {"slots", KEY_POSITIVE, AT(slots), HASH,
     .help = "slots of the first table for each thread"},
};
#undef AT
const struct key_table matching_keys = {
    "matching",
    "how a runtime that matches finds the receive of a message, and its time "
    "(left out: none); an engine needs the numbers that are its own",
    KEY_ROWS(rows), KEY_ROWS(matcher_names), .benchmark = "matching"};

/* Refuses an engine without a number that it needs. */
static int check_needed(const struct json *o, enum matcher engine,
                        struct err *err)
{
    for (size_t i = 0; i < matching_keys.n; i++)
        if (rows[i].needed >> engine & 1 && !json_member(o, rows[i].key))
            return fail(err,
                        "engine: %s needs %s, which is not given here: name a "
                        "device too, such as %s@%s (sluice list matchings)",
                        matcher_names[engine], rows[i].key,
                        matcher_names[engine],
                        engine == MATCHER_LIST ? "cpu" : "h200");
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
    /* If there are wildcards, equal messages cannot be distinguished. */
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

static int read_all(struct matching *l, const struct json *o, struct err *err)
{
    if (read_engine(l, o, err) < 0 ||
        keys_read(&matching_keys, l, o, 0, err) < 0 ||
        check_needed(o, l->engine, err) < 0 || read_forbids(l, o, err) < 0)
        return -1;
    if (l->cta_messages % 32)
        return fail(err, "cta_messages: expected a multiple of 32, got %u",
                    l->cta_messages);
    if (l->engine != MATCHER_NONE && !l->source)
        return fail(err,
                    "source: expected where the numbers are from, got nothing");
    return 0;
}

int matching_read(struct matching *l, const struct json *o, struct err *err)
{
    struct matching all = {.engine = MATCHER_NONE};

    if (read_all(&all, o, err) < 0) {
        keys_free(&matching_keys, &all);
        return -1;
    }
    *l = all;
    return 0;
}

void matching_clear(struct matching *l)
{
    keys_free(&matching_keys, l);
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

/* Replaces all members by those of `from`. */
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

/* Merges "NAME@DEVICE": the device's constants come first. */
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
    if (merge_words(json_object_in(doc, "matching"), words, err) == 0)
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

/* --- the list of presets -------------------------------------------------- */

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
