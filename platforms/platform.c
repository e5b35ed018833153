/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a platform's JSON file, applies --set to it and reads it into a
 * machine. */
#include "platforms/platform.h"

#include "base/number.h"

#include "platforms/compose.h"
#include "platforms/read.h"
#include "platforms/settings.h"

#include <stdlib.h>
#include <string.h>

/* Reads one part of the document, if the key is there. */
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

static int read_head(struct machine *m, const struct json *doc, struct err *err)
{
    double format;

    if (!json_is_object(doc))
        return fail(err, "expected an object, got %s", json_type_name(doc));
    if (json_get_number(doc, "format", &format, err) < 0)
        return -1;
    if (format != 1)
        return fail(err, "format: expected 1, got %g", format);
    if (ONLY_KEYS(doc, err, "format", "name", "about", "mpi", "node", "network",
                  "messages", "matching", "runtimes", "copies", "gpudirect",
                  "gpu", "nccl", "libraries", "graph", "gpus_used") < 0 ||
        read_text(doc, "name", &m->name, err) < 0 ||
        read_text(doc, "about", &m->about, err) < 0 ||
        (json_member(doc, "mpi") && read_text(doc, "mpi", &m->mpi, err) < 0) ||
        json_get_bool(doc, "gpudirect", &m->gpudirect, err) < 0)
        return -1;
    return 0;
}

static int read_matching(struct machine *m, const struct json *o,
                         struct err *err)
{
    return matching_read(&m->matching, o, err);
}

static int read_graph(struct machine *m, const struct json *o, struct err *err)
{
    struct graph_model *g = &m->graph;

    if (ONLY_KEYS(o, err, "arc_ns", "vertex_ns", "source",
                  "spare_bytes_per_arc", "spare_source") < 0 ||
        read_cost(o, "arc_ns", 1e-9, &g->arc_s, err) < 0 ||
        read_cost(o, "vertex_ns", 1e-9, &g->vertex_s, err) < 0 ||
        read_text(o, "source", &g->source, err) < 0)
        return -1;
    if (!json_member(o, "spare_bytes_per_arc"))
        return 0;
    if (read_not_negative(o, "spare_bytes_per_arc", 1, &g->spare_B_per_arc,
                          err) < 0)
        return -1;
    return read_text(o, "spare_source", &g->spare_source, err);
}

/* The first so many GPUs of a node; the others stay idle. */
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
        read_part(m, doc, "nccl", read_nccl, err) < 0)
        return -1;
    if (json_member(doc, "libraries") &&
        read_part(m, doc, "libraries", read_libraries, err) < 0)
        return -1;
    if (json_member(doc, "graph") &&
        read_part(m, doc, "graph", read_graph, err) < 0)
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

/*
 * A changed number has another source, so the nearest one above it says so; a
 * new number without one gets one. The path exists: it was just set.
 */
static void mark_source(struct json *doc, const char *setting)
{
    char *path = xstrdup(setting), *rest = path, *key;
    struct json *at = doc, *owner = NULL, *parent = doc;
    const char *name = "source";

    path[strcspn(path, "=")] = 0;
    while ((key = strsep(&rest, "."))) {
        parent = at;
        if (json_is_object(at) && json_member(at, compose_source_key(key)))
            owner = at;
        if (owner == at)
            name = compose_source_key(key);
        uint64_t place = 0;
        at = json_is_array(at)
                 ? number_whole(key, &place) ? json_at(at, place) : NULL
                 : json_member(at, key);
        if (!rest && !owner && parent != doc && json_is_object(parent) &&
            json_is_number(at)) {
            owner = parent;
            name = compose_source_key(key);
        }
    }
    bool number = json_is_number(at) || json_is_array(at);
    if (number && owner && at != json_member(owner, name)) {
        const char *old = json_string(json_member(owner, name));
        char *text = old ? xasprintf("--set %s; else: %s", setting, old)
                         : xasprintf("--set %s", setting);
        json_replace(owner, name, json_new_string(text));
        free(text);
    }
    free(path);
}

/* "matching=WORDS" are presets. */
static int platform_set(struct json *doc, const char *setting, struct err *err)
{
    if (!strncmp(setting, "matching=", 9))
        return matching_apply(doc, setting + 9, err);
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

/* A value, or the factor of each number of a group. */
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

static struct json *platform_open(const char *path, const char *const *sets,
                                  size_t nsets, struct err *err)
{
    struct json *doc = compose_load(path, err);

    if (doc && matching_unpack(doc, err) < 0) {
        (void)fail_in(err, "%s", path);
        json_free(doc);
        return NULL;
    }
    for (size_t i = 0; doc && i < nsets; i++) {
        if (platform_change(doc, sets[i], err) < 0) {
            (void)fail_in(err, "%s: --set", path);
            json_free(doc);
            return NULL;
        }
    }
    return doc;
}

struct json *platform_json(const char *name_or_path, const char *const *sets,
                           size_t nsets, struct err *err)
{
    char *path = platform_path(name_or_path, err);

    if (!path)
        return NULL;
    struct json *doc = platform_open(path, sets, nsets, err);
    free(path);
    return doc;
}

int platform_load(struct machine *m, const char *name_or_path,
                  const char *const *sets, size_t nsets, struct err *err)
{
    char *path = platform_path(name_or_path, err);

    memset(m, 0, sizeof *m);
    if (!path)
        return -1;
    struct json *doc = platform_open(path, sets, nsets, err);
    int result = doc ? platform_read(m, doc, err) : -1;
    if (doc && result < 0) {
        char *owner = compose_owner(path, err->text);
        if (owner)
            (void)fail_in(err, "in %s", owner);
        (void)fail_in(err, nsets ? "%s, changed by --set" : "%s", path);
        free(owner);
    }
    json_free(doc);
    if (result < 0)
        free(path);
    else
        m->path = path;
    return result;
}
