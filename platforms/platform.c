/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a platform's JSON file, applies --set to it and reads it into a
 * machine. */
#include "platforms/platform.h"

#include "base/number.h"

#include "platforms/compose.h"
#include "platforms/keys.h"
#include "platforms/nccl_parts.h"
#include "platforms/provenance.h"
#include "platforms/read.h"
#include "platforms/settings.h"

#include <stdlib.h>
#include <string.h>

/* Reads one part of the document, which must be there. */
static int read_part(struct machine *m, const struct json *doc, const char *key,
                     int (*read)(struct machine *, const struct json *,
                                 struct err *),
                     struct err *err)
{
    struct json *part;

    if (json_get_object(doc, key, &part, err) < 0)
        return -1;
    if (read(m, part, err) < 0)
        return fail_at_place(err, "%s", key);
    return 0;
}

static int read_matching(struct machine *m, const struct json *o,
                         struct err *err)
{
    return matching_read(&m->matching, o, err);
}

/* Limits the GPUs to the first of a node if the file says so; the others stay
 * idle. */
static int read_gpus_used(struct machine *m, const struct json *doc,
                          struct err *err)
{
    if (!json_member(doc, "gpus_used"))
        return 0;
    if (!m->ngpus)
        return fail(err, "gpus_used: there are no GPUs");
    return read_unsigned(doc, "gpus_used", 1, m->ngpus, &m->ngpus, err);
}

static int read_all(struct machine *m, const struct json *doc, struct err *err)
{
    if (read_head(m, doc, err) < 0 ||
        read_part(m, doc, "node", read_node, err) < 0 ||
        read_gpus_used(m, doc, err) < 0 ||
        read_part(m, doc, "network", read_network, err) < 0 ||
        read_part(m, doc, "messages", read_messages, err) < 0)
        return -1;
    if (json_member(doc, "matching") &&
        read_part(m, doc, "matching", read_matching, err) < 0)
        return -1;
    if (json_member(doc, "runtimes") &&
        read_part(m, doc, "runtimes", read_runtimes, err) < 0)
        return -1;
    if ((m->ngpus || json_member(doc, "copies")) &&
        read_part(m, doc, "copies", read_copies, err) < 0)
        return -1;
    if (json_member(doc, "gpu") && read_part(m, doc, "gpu", read_gpu, err) < 0)
        return -1;
    if (json_member(doc, "nccl") && !m->gpu.arch)
        return fail(err, "gpu.arch: expected one such as sm_90, by which NCCL "
                         "takes algorithms, got nothing");
    if (json_member(doc, "nccl") &&
        read_part(m, doc, "nccl", read_nccl_model, err) < 0)
        return -1;
    if (json_member(doc, "libraries") &&
        read_part(m, doc, "libraries", read_libraries, err) < 0)
        return -1;
    if (json_member(doc, "graph") &&
        read_part(m, doc, "graph", read_graph, err) < 0)
        return -1;
    if (json_member(doc, "measured") &&
        read_part(m, doc, "measured", read_measured, err) < 0)
        return -1;
    return check_machine(m, err);
}

int platform_read(struct machine *m, const struct json *doc, struct err *err)
{
    memset(m, 0, sizeof *m);
    if (read_all(m, doc, err) < 0) {
        machine_clear(m);
        return -1;
    }
    return 0;
}

/* A number's source in the JSON, and the number's path below that object. */
struct sourced {
    struct json *owner;
    const char *key;
    char *number;
};

/* Returns whether a key may stand beside the one that is set. */
static bool may_have(const char *setting, const char *key)
{
    char *path = xasprintf("%.*s", (int)strcspn(setting, "="), setting);
    bool may = key_may_stand_at(path, key);

    free(path);
    return may;
}

/* Follows a path, which exists, to the nearest source above its end; if a
 * number has none, it gets one beside it. Returns the value. */
static const struct json *find_source(struct sourced *s, struct json *doc,
                                      const char *setting)
{
    size_t length = strcspn(setting, "="), from = 0;
    char *path = xasprintf("%.*s", (int)length, setting), *rest = path, *key;
    struct json *at = doc, *parent = doc;

    *s = (struct sourced){.owner = NULL};
    while ((key = strsep(&rest, "."))) {
        const char *its = compose_source_key(at, key);
        uint64_t place = 0;
        parent = at;
        at = json_is_array(parent)
                 ? number_whole(key, &place) ? json_at(parent, place) : NULL
                 : json_member(parent, key);
        if (source_is_key(key)) {
            s->owner = NULL;
            break;
        }
        bool alone = !rest && !s->owner && parent != doc &&
                     json_is_number(at) && may_have(setting, its);
        if (json_is_object(parent) && (json_member(parent, its) || alone)) {
            s->owner = parent;
            s->key = its;
            from = (size_t)(key - path);
        }
        if (!rest && json_is_array(parent) && key > path)
            length = (size_t)(key - path) - 1;
    }
    s->number = xasprintf("%.*s", (int)(length - from), setting + from);
    free(path);
    return at;
}

/* Marks the source of a changed number, because the old source is not about
 * it. */
static void mark_source(struct json *doc, const char *setting)
{
    struct sourced s;
    const struct json *v = find_source(&s, doc, setting);

    if (s.owner && (json_is_number(v) || json_is_array(v))) {
        char *text = xasprintf("--set %s", setting);
        source_put(s.owner, s.key, (const char *const[]){s.number, NULL},
                   source_json(PROVENANCE_SET, NULL, text));
        free(text);
    }
    free(s.number);
}

/* Changes one key; if it is "matching=WORDS", the words are presets. */
static int platform_set(struct json *doc, const char *setting, struct err *err)
{
    if (!strncmp(setting, "matching=", 9))
        return matching_apply(doc, setting + 9, err);
    if (!strncmp(setting, "nccl.", 5) && !json_member(doc, "nccl"))
        return fail(err, "%s: the platform has no NCCL", setting);
    return json_set(doc, setting, err);
}

static int platform_set_one(struct json *doc, const char *setting,
                            struct err *err)
{
    if (platform_set(doc, setting, err) < 0)
        return -1;
    mark_source(doc, setting);
    if (!strncmp(setting, "network.topology=", 17))
        compose_topology(doc);
    return 0;
}

/* Changes a value, or each number of a group if the setting is a factor. */
static int platform_change(struct json *doc, const char *setting,
                           struct err *err)
{
    double factor;
    size_t n;
    int result = 0;

    if (!setting_factor(setting, &factor))
        return platform_set_one(doc, setting, err);
    char **list = settings_scaled(&n, doc, setting, err);
    for (size_t i = 0; i < n; i++) {
        if (result == 0)
            result = platform_set_one(doc, list[i], err);
        free(list[i]);
    }
    free(list);
    return list ? result : -1;
}

struct json *platform_document(const char *path, struct err *err)
{
    struct json *doc = compose_load(path, err);

    if (doc &&
        (matching_unpack(doc, err) < 0 || nccl_parts_add(doc, err) < 0)) {
        (void)fail_in(err, "%s", path);
        json_free(doc);
        return NULL;
    }
    return doc;
}

static int change_all(struct json *doc, const char *path,
                      const char *const *sets, size_t nsets, struct err *err)
{
    for (size_t i = 0; i < nsets; i++)
        if (platform_change(doc, sets[i], err) < 0)
            return fail_in(err, "%s: --set", path);
    nccl_version_as_text(doc);
    return 0;
}

struct json *platform_json(const char *name_or_path, const char *const *sets,
                           size_t nsets, struct err *err)
{
    char *path = platform_path(name_or_path, err);

    if (!path)
        return NULL;
    struct json *doc = platform_document(path, err);
    if (doc && change_all(doc, path, sets, nsets, err) < 0) {
        json_free(doc);
        doc = NULL;
    }
    free(path);
    return doc;
}

int platform_load_document(struct machine *m, const char *path,
                           const struct json *doc, const char *const *sets,
                           size_t nsets, struct err *err)
{
    struct json *changed = nsets ? json_copy(doc) : NULL;

    memset(m, 0, sizeof *m);
    if (changed && change_all(changed, path, sets, nsets, err) < 0) {
        json_free(changed);
        return -1;
    }
    int result = platform_read(m, changed ? changed : doc, err);
    if (result < 0) {
        char *owner = compose_owner(path, err->text);
        if (owner)
            (void)fail_in(err, "in %s", owner);
        (void)fail_in(err, nsets ? "%s, changed by --set" : "%s", path);
        free(owner);
    } else {
        m->path = xstrdup(path);
    }
    json_free(changed);
    return result;
}

int platform_load(struct machine *m, const char *name_or_path,
                  const char *const *sets, size_t nsets, struct err *err)
{
    char *path = platform_path(name_or_path, err);
    struct json *doc = path ? platform_document(path, err) : NULL;

    memset(m, 0, sizeof *m);
    int result =
        doc ? platform_load_document(m, path, doc, sets, nsets, err) : -1;
    json_free(doc);
    free(path);
    return result;
}

bool platform_stands_for(const char *platform, const char *machine)
{
    size_t n = strlen(machine);

    return !n || (!strncasecmp(platform, machine, n) &&
                  (!platform[n] || platform[n] == '-'));
}
