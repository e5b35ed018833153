/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every number that a platform takes over from another is equal to it. */
#include "platforms/compose.h"
#include "platforms/platform.h"
#include "platforms/provenance.h"

#include "tests/known.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* A number that is not its origin's differs from it, or the origin has none at
 * its place. */
enum lapse { DIFFERS, ABSENT };

#define EARLIER "an earlier fit of Lassen's"
#define AS_SHARES                                                              \
    "an earlier fit of Lassen's, which has shares where today's has send_us "  \
    "and recv_us; Lassen's NICs are other devices"

/*
 * Platforms with numbers that are not their origin's of today, and by which
 * part of it they differ at most, or how many the origin has not. To take over
 * Lassen's messages and copies as they are now moves all times of these
 * machines.
 */
static struct {
    const char *what, *from;
    enum lapse lapse;
    struct known known;
} known[] = {
    {"dgx-1v", "lassen", DIFFERS, {0.76, EARLIER, 0}},
    {"dgx-1v", "lassen", ABSENT, {40, AS_SHARES, 0}},
    {"dgx-2", "lassen", DIFFERS, {0.76, EARLIER, 0}},
    {"dgx-2", "lassen", ABSENT, {44, AS_SHARES, 0}},
    {"dgx-a100", "lassen", DIFFERS, {0.81, EARLIER, 0}},
    {"dgx-a100", "lassen", ABSENT, {32, AS_SHARES, 0}},
    {"dgx-h100", "lassen", DIFFERS, {0.81, EARLIER, 0}},
    {"dgx-h100", "lassen", ABSENT, {32, AS_SHARES, 0}},
    {"gb200-nvl72", "lassen", DIFFERS, {0.76, EARLIER, 0}},
    {"gb200-nvl72", "lassen", ABSENT, {14, AS_SHARES, 0}},
};

/* A walk through a platform's document. */
struct walk {
    const char *machine;
    const struct json *above[16];
    size_t depth;
    char path[300];
    size_t taken; /* number of compared numbers */
};

/* NULL: none is known. */
static struct known *known_of(const char *machine, const char *from,
                              enum lapse lapse)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strcmp(known[i].what, machine) && !strcmp(known[i].from, from) &&
            known[i].lapse == lapse)
            return &known[i].known;
    return NULL;
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

/* Returns by which part of the origin's a number differs from it, of a pair the
 * larger; 0: by nothing, INFINITY: the origin has none. */
static double apart(const struct json *v, const struct json *origin)
{
    double most = 0;

    if (!origin || json_size(v) != json_size(origin))
        return INFINITY;
    if (json_is_number(v)) {
        double of = json_number(origin), is = json_number(v);
        return is == of ? 0 : fabs(is - of) / fabs(of);
    }
    for (size_t i = 0; i < json_size(v); i++)
        most = fmax(most, apart(json_at(v, i), json_at(origin, i)));
    return most;
}

static void check_apart(const struct walk *w, const char *from, double part)
{
    enum lapse lapse = part < INFINITY ? DIFFERS : ABSENT;
    struct known *k = part > 0 ? known_of(w->machine, from, lapse) : NULL;
    bool right = part == 0 ||
                 (k && known_covers(k, lapse == ABSENT ? k->seen + 1 : part));

    if (!right)
        fprintf(stderr, "%s: %s is not that of %s, but differs by %.3g\n",
                w->machine, w->path, from, part);
    CHECK(right);
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
        strcmp(kind, provenance_names[PROVENANCE_TAKEN_OVER]) != 0)
        return;
    char *name = xstrdup(from), *path = strchr(name, ':');
    char *place =
        path ? xasprintf("%s.%s", path + 1, number) : xstrdup(w->path);
    if (path)
        *path = 0;
    struct json *origin = platform_json(name, NULL, 0, &err);
    if (!origin)
        err_print(&err);
    check_apart(w, from,
                origin ? apart(v, json_at_path(origin, place)) : INFINITY);
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
    KNOWN_CHECK_SEEN(known);
    return check_result();
}
