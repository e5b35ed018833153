/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every number that a platform takes over from another is equal to it. */
#include "platforms/compose.h"
#include "platforms/platform.h"
#include "platforms/provenance.h"

#include "tests/check.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* Numbers that differ from their origin's present ones, with the reason. To
 * take over Lassen's messages and copies as they are now would change all times
 * of these machines. */
static const struct {
    const char *machine, *from, *why;
} known[] = {
    {"dgx-1v", "lassen", "an earlier fit of Lassen's"},
    {"dgx-2", "lassen", "an earlier fit of Lassen's"},
    {"dgx-a100", "lassen", "an earlier fit of Lassen's"},
    {"dgx-h100", "lassen", "an earlier fit of Lassen's"},
    {"gb200-nvl72", "lassen", "an earlier fit of Lassen's"},
};

/* A walk through a platform's document. */
struct walk {
    const char *machine;
    const struct json *above[16];
    size_t depth;
    char path[300];
    size_t taken; /* number of compared numbers */
};

static bool is_known(const struct walk *w, const char *from)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strcmp(known[i].machine, w->machine) &&
            !strcmp(known[i].from, from))
            return true;
    return false;
}

/* The nearest source above a number, as JSON. */
static const struct json *source_above(const struct walk *w, const char *key,
                                       const char **number)
{
    const char *own = compose_source_key(w->above[w->depth - 1], key);
    const struct json *found = NULL;

    *number = w->path + strlen(w->path);
    for (size_t i = w->depth; i-- > 0 && !found;) {
        while (*number > w->path && (*number)[-1] != '.')
            --*number;
        found = json_member(w->above[i], own);
        if (!found)
            found = json_member(w->above[i], "source");
        own = "source";
        if (!found && *number > w->path)
            --*number;
    }
    return found;
}

static bool equal(const struct json *a, const struct json *b)
{
    char *x = json_text(a), *y = b ? json_text(b) : xstrdup("");
    bool same = !strcmp(x, y);

    free(x);
    free(y);
    return same;
}

static void compare(struct walk *w, const char *key, const struct json *v)
{
    const char *number;
    const struct json *s = source_above(w, key, &number);
    const struct json *statement = s ? source_at(s, number) : NULL;
    const char *kind = json_string(json_member(statement, "kind"));
    const char *from = json_string(json_member(statement, "from"));
    struct err err = {0};

    if (!kind || !from ||
        strcmp(kind, provenance_names[PROVENANCE_TAKEN_OVER]) != 0 ||
        is_known(w, from))
        return;
    char *name = xstrdup(from), *path = strchr(name, ':');
    char *place =
        path ? xasprintf("%s.%s", path + 1, number) : xstrdup(w->path);
    if (path)
        *path = 0;
    struct json *origin = platform_json(name, NULL, 0, &err);
    if (!origin)
        err_print(&err);
    bool same = origin && equal(v, json_at_path(origin, place));
    if (!same)
        fprintf(stderr, "%s: %s is not that of %s\n", w->machine, w->path,
                from);
    CHECK(same);
    free(place);
    free(name);
    w->taken++;
    json_free(origin);
}

static void walk(struct walk *w, const struct json *v)
{
    size_t length = strlen(w->path), nth = 0;

    w->above[w->depth++] = v;
    for (const struct json *c = json_at(v, 0); c; c = json_next(c), nth++) {
        const char *key = json_is_object(v) ? json_key(c) : NULL;
        char place[24];
        snprintf(place, sizeof place, "%zu", nth);
        snprintf(w->path + length, sizeof w->path - length, "%s%s",
                 length ? "." : "", key ? key : place);
        bool pair = json_is_array(c) && json_is_number(json_at(c, 0));
        if (key && source_is_key(key))
            continue;
        if (key && (json_is_number(c) || pair))
            compare(w, key, c);
        else if (json_is_object(c) || json_is_array(c))
            walk(w, c);
    }
    w->path[length] = 0;
    w->depth--;
}

int main(void)
{
    glob_t found;
    size_t taken = 0;

    CHECK_EQ(glob("platforms/*.json", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct err err = {0};
        struct json *doc = platform_json(found.gl_pathv[i], NULL, 0, &err);
        struct walk w = {.machine = json_string(json_member(doc, "name"))};
        CHECK(doc != NULL);
        walk(&w, doc);
        taken += w.taken;
        json_free(doc);
    }
    globfree(&found);
    CHECK(taken > 100);
    return check_result();
}
