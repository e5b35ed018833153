/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks that each number that a platform takes over from another equals the
 * other's number of today or, if the source names a commit, of that commit. */
#include "platforms/compose.h"
#include "platforms/platform.h"
#include "platforms/provenance.h"

#include "tests/check.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* The documents of origins: "lassen", or "lassen@e730f06b" for the file of that
 * commit. Each is read once, because many numbers have one origin. */
static struct origin {
    char *name;
    struct json *doc; /* NULL: a commit that this copy of the source lacks */
} origins[40];
static size_t norigins;

/* Returns the standard output of a command, which the caller frees. */
static char *output_of(const char *command)
{
    char *text, buffer[4096];
    size_t size, n;
    FILE *from = popen(command, "r"), *to = open_memstream(&text, &size);

    while (from && (n = fread(buffer, 1, sizeof buffer, from)) > 0)
        fwrite(buffer, 1, n, to);
    if (from)
        pclose(from);
    fclose(to);
    return text;
}

/* Returns the file as a commit has it; NULL without git or its history. */
static struct json *committed(const char *name, const char *commit)
{
    struct err err = {0};

    CHECK(strlen(commit) >= 8 &&
          strspn(commit, "0123456789abcdef") == strlen(commit));
    for (const char *c = name; c < commit - 1; c++)
        CHECK(isalnum((unsigned char)*c) || *c == '-');
    char *command = xasprintf("git show %s:platforms/%.*s.json 2>/dev/null",
                              commit, (int)(commit - 1 - name), name);
    char *text = output_of(command);
    struct json *doc = *text ? json_parse(text, name, &err) : NULL;

    CHECK(doc || !*text);
    if (!doc)
        printf("%s: not compared: no such commit here\n", name);
    free(text);
    free(command);
    return doc;
}

static const struct origin *origin_of(const char *name)
{
    const char *at = strchr(name, '@');
    struct err err = {0};

    for (size_t i = 0; i < norigins; i++)
        if (!strcmp(origins[i].name, name))
            return &origins[i];
    CHECK(norigins < sizeof origins / sizeof origins[0]);
    struct origin *new = &origins[norigins++];
    new->name = xstrdup(name);
    new->doc =
        at ? committed(name, at + 1) : platform_json(name, NULL, 0, &err);
    if (!new->doc && !at)
        err_print(&err);
    CHECK(new->doc || at);
    return new;
}

/* A walk through a platform's document. */
struct walk {
    const char *machine;
    const struct json *above[16];
    size_t depth;
    char path[300];
    size_t taken; /* number of compared numbers */
};

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

/* Returns the relative difference of a number and its origin's; of a pair the
 * larger one. It is 0 if they are equal, and INFINITY if the origin has no such
 * number. */
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

static void check_equal(const struct walk *w, const char *from, double part)
{
    if (part != 0)
        fprintf(stderr, "%s: %s is not that of %s, but differs by %.3g\n",
                w->machine, w->path, from, part);
    CHECK(part == 0);
}

static void compare(struct walk *w, const char *key, const struct json *v)
{
    const char *number;
    const struct json *s = source_above(w, key, &number);
    const struct json *statement = s ? source_at(s, number) : NULL;
    const char *kind = json_string(json_member(statement, "kind"));
    const char *from = json_string(json_member(statement, "from"));

    if (!kind || !from ||
        strcmp(kind, provenance_names[PROVENANCE_TAKEN_OVER]) != 0)
        return;
    char *name = xstrdup(from), *path = strchr(name, ':');
    char *place =
        path ? xasprintf("%s.%s", path + 1, number) : xstrdup(w->path);
    if (path)
        *path = 0;
    const struct origin *origin = origin_of(name);
    if (origin->doc)
        check_equal(w, from, apart(v, json_at_path(origin->doc, place)));
    free(place);
    free(name);
    w->taken++;
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
    for (size_t i = 0; i < norigins; i++) {
        free(origins[i].name);
        json_free(origins[i].doc);
    }
    return check_result();
}
