/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds groups of a platform's numbers by name, and multiplies them for --set.
 */
#include "platforms/settings.h"

#include "base/printable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- paths ---------------------------------------------------------------- */

/* Returns whether a key is one of those in a step "a+b" of n characters. */
static bool step_has(const char *step, size_t n, const char *key, size_t nkey)
{
    if (n == 1 && *step == '*')
        return true;
    for (size_t from = 0; from <= n;) {
        const char *plus = memchr(step + from, '+', n - from);
        size_t length = plus ? (size_t)(plus - step) - from : n - from;
        if (length == nkey && !strncmp(step + from, key, nkey))
            return true;
        from += length + 1;
    }
    return false;
}

static bool path_has(const char *group, const char *path)
{
    for (;;) {
        size_t n = strcspn(group, "."), k = strcspn(path, ".");
        if (!step_has(group, n, path, k) || !group[n] != !path[k])
            return false;
        if (!group[n])
            return true;
        group += n + 1;
        path += k + 1;
    }
}

/* --- groups --------------------------------------------------------------- */

static void group_add_path(struct group *g, char *path, bool inverse)
{
    g->paths = xrealloc(g->paths, g->n + 1, sizeof *g->paths);
    g->paths[g->n++] = (struct group_path){path, inverse};
}

static bool is_nic(const struct json *node, const char *id)
{
    const struct json *d = json_at(json_member(node, "devices"), 0);

    for (; d && id; d = json_next(d)) {
        const char *its = json_string(json_member(d, "id"));
        const char *kind = json_string(json_member(d, "kind"));
        if (its && kind && !strcmp(its, id))
            return !strcmp(kind, "nic");
    }
    return false;
}

/* Adds the types of wires to NICs, one path each. */
static void add_nic_wires(struct group *g, const struct json *node)
{
    const struct json *wire = json_at(json_member(node, "wires"), 0);

    for (; wire; wire = json_next(wire)) {
        const struct json *ends = json_member(wire, "ends");
        const char *type = json_string(json_member(wire, "type"));
        if (!type || (!is_nic(node, json_string(json_at(ends, 0))) &&
                      !is_nic(node, json_string(json_at(ends, 1)))))
            continue;
        char *path = xasprintf("node.wire_types.%s.bandwidth_GBps", type);
        if (group_find(g, path) == SIZE_MAX)
            group_add_path(g, path, false);
        else
            free(path);
    }
}

void group_init(struct group *g, const struct json *doc, const char *name)
{
    static const char a_byte[] =
        "beta_ns_per_byte+send_ns_per_byte+recv_ns_per_byte";

    *g = (struct group){0};
    if (strcmp(name, SETTINGS_NIC) != 0) {
        group_add_path(g, xstrdup(name), false);
        return;
    }
    group_add_path(g, xstrdup("network.bandwidth_GBps+process_GBps+gpu_GBps"),
                   false);
    add_nic_wires(g, json_member(doc, "node"));
    group_add_path(g, xasprintf("messages.*.off_node.segments.*.%s", a_byte),
                   true);
    group_add_path(g, xasprintf("runtimes.*.*.off_node.segments.*.%s", a_byte),
                   true);
}

void group_clear(struct group *g)
{
    for (size_t i = 0; i < g->n; i++)
        free(g->paths[i].path);
    free(g->paths);
    *g = (struct group){0};
}

size_t group_find(const struct group *g, const char *path)
{
    for (size_t i = 0; i < g->n; i++)
        if (path_has(g->paths[i].path, path))
            return i;
    return SIZE_MAX;
}

/* --- settings ------------------------------------------------------------- */

bool setting_factor(const char *setting, double *factor)
{
    const char *equals = strchr(setting, '=');
    char *end;

    if (!equals || equals[1] != 'x' || !strchr("0123456789.", equals[2]))
        return false;
    *factor = strtod(equals + 2, &end);
    return end != equals + 2 && !*end && isfinite(*factor);
}

struct scaling {
    const struct group *group;
    double factor;
    char path[400];
    char **list;
    size_t n;
};

/* Adds the setting of a number, or of a pair of shares. */
static void scale_number(struct scaling *s, const struct json *v, size_t of)
{
    double by = s->group->paths[of].inverse ? 1 / s->factor : s->factor;
    char *text = json_is_number(v)
                     ? xasprintf("%s=%.17g", s->path, json_number(v) * by)
                     : xasprintf("%s=[%.17g,%.17g]", s->path,
                                 json_number(json_at(v, 0)) * by,
                                 json_number(json_at(v, 1)) * by);

    s->list = xrealloc(s->list, s->n + 1, sizeof *s->list);
    s->list[s->n++] = text;
}

static bool is_pair(const struct json *v)
{
    return json_is_array(v) && json_size(v) == 2 &&
           json_is_number(json_at(v, 0)) && json_is_number(json_at(v, 1));
}

static void scale_in(struct scaling *s, const struct json *v)
{
    size_t length = strlen(s->path), nth = 0;

    for (const struct json *c = json_at(v, 0); c; c = json_next(c), nth++) {
        char place[24];
        snprintf(place, sizeof place, "%zu", nth);
        int n = snprintf(s->path + length, sizeof s->path - length, "%s%s",
                         length ? "." : "",
                         json_is_object(v) ? json_key(c) : place);
        if ((size_t)n >= sizeof s->path - length)
            continue;
        size_t of = json_is_number(c) || is_pair(c)
                        ? group_find(s->group, s->path)
                        : SIZE_MAX;
        if (of != SIZE_MAX)
            scale_number(s, c, of);
        else if (json_is_object(c) || json_is_array(c))
            scale_in(s, c);
    }
    s->path[length] = 0;
}

/* Fails because a name matches no number, with json_set()'s own reason if there
 * is one. */
static void no_number(const struct json *doc, const char *setting,
                      const char *name, struct err *err)
{
    struct json *copy = json_copy(doc);
    char *plain = xasprintf("%s=0", name);

    if (strpbrk(name, "+*") || !strchr(name, '.') ||
        json_set(copy, plain, err) == 0)
        (void)fail(err, "%s: no number has this name", setting);
    free(plain);
    json_free(copy);
}

char **settings_scaled(size_t *n, const struct json *doc, const char *setting,
                       struct err *err)
{
    char *name = xstrdup(setting);
    struct scaling s = {0};
    struct group g;

    name[strcspn(name, "=")] = 0;
    group_init(&g, doc, name);
    s.group = &g;
    if (setting_factor(setting, &s.factor) &&
        printable_check(name, "a key", err) == 0) {
        scale_in(&s, doc);
        if (!s.n)
            no_number(doc, setting, name, err);
    }
    group_clear(&g);
    free(name);
    *n = s.n;
    return s.list;
}
