/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each line is a --set KEY=VALUE of one machine, one after the other: it is
 * refused in one line, or gives a document that reads back as it is printed,
 * and a machine that is read or refused.
 */
#include "base/datafile.h"
#include "platforms/platform.h"
#include "tests/fuzz/memory_file.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* They are bounded because a document grows with them. */
enum { MOST_SETS = 8 };

static void check_error(const struct err *err)
{
    if (!err->text[0] || strchr(err->text, '\n'))
        abort();
}

static struct json *duo(void)
{
    static char *text;
    struct err err;

    if (!text) {
        char *path = datafile_find("platforms/duo.json", &err);
        struct json *doc = path ? json_load(path, &err) : NULL;
        if (!doc)
            abort();
        text = json_text(doc);
        json_free(doc);
        free(path);
    }
    struct json *copy = json_parse(text, "duo.json", &err);
    if (!copy)
        abort();
    return copy;
}

static void check(const struct json *doc)
{
    struct machine m;
    struct err err = {0};
    char *once = json_text(doc);
    struct json *again = json_parse(once, "again.json", &err);

    if (!again)
        abort();
    char *twice = json_text(again);
    if (strcmp(once, twice) != 0)
        abort();
    if (platform_read(&m, doc, &err) == 0)
        machine_clear(&m);
    else
        check_error(&err);
    json_free(again);
    free(once);
    free(twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = xmalloc(size + 1), *rest = text;
    struct json *doc = duo();

    memcpy(text, data, size);
    text[size] = 0;
    for (int i = 0; i < MOST_SETS && rest; i++) {
        struct err err = {0};
        if (json_set(doc, strsep(&rest, "\n"), &err) < 0)
            check_error(&err);
    }
    check(doc);
    json_free(doc);
    free(text);
    return 0;
}
