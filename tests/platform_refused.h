/* SPDX-License-Identifier: GPL-3.0-or-later */
/* platform_refused.h - the errors with which changes of duo.json are
 * refused. */
#ifndef TESTS_PLATFORM_REFUSED_H
#define TESTS_PLATFORM_REFUSED_H

#include "platforms/platform.h"

#include "tests/check.h"

#include <stdlib.h>

static char *duo; /* the text of duo.json */

static inline char *read_text(const char *path)
{
    struct err err = {0};
    struct json *doc = json_load(path, &err);

    if (!doc)
        exit(err_print(&err));
    char *text = json_text(doc);
    json_free(doc);
    return text;
}

/* Returns the error of a text; "" if it is read without one. */
static inline const char *error_of(const char *text)
{
    static struct err err;
    struct machine m;
    struct json *doc = json_parse(text, "x.json", &err);

    if (doc && platform_read(&m, doc, &err) == 0) {
        machine_clear(&m);
        err.text[0] = 0;
    }
    json_free(doc);
    return err.text;
}

/* Returns the error after the first `from` in duo.json is replaced by `to`. */
static inline const char *edited(const char *from, const char *to)
{
    char *at = strstr(duo, from);

    CHECK(at);
    if (!at)
        return "";
    char *text =
        xasprintf("%.*s%s%s", (int)(at - duo), duo, to, at + strlen(from));
    const char *error = error_of(text);
    free(text);
    return error;
}

/* Returns the error after up to three changes by --set. */
static inline const char *set3(const char *a, const char *b, const char *c)
{
    static struct err err;
    const char *sets[] = {a, b, c};
    struct machine m;

    err.text[0] = 0;
    if (platform_load(&m, "platforms/duo.json", sets, b ? c ? 3 : 2 : 1,
                      &err) == 0)
        machine_clear(&m);
    CHECK(!err.text[0] || strstr(err.text, "platforms/duo.json") == err.text);
    return err.text;
}

static inline const char *set(const char *change)
{
    return set3(change, NULL, NULL);
}

static inline void refused_open(void)
{
    duo = read_text("platforms/duo.json");
    CHECK(!*error_of(duo));
}

static inline void refused_close(void)
{
    free(duo);
}

#endif
