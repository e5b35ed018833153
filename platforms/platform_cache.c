/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the documents of the platforms that were loaded last. */
#include "platforms/platform_cache.h"

#include "base/json.h"
#include "base/memo.h"
#include "platforms/platform.h"

#include <stdlib.h>

/* Suffices because a sweep compares a handful of machines. */
enum { KEEP_PLATFORMS = 32 };

struct platform_cache {
    struct memo *documents; /* one for each path */
};

static int make_document(void *value, const void *arg, struct err *err)
{
    struct json **doc = value;

    *doc = platform_document(arg, err);
    return *doc ? 0 : -1;
}

static void clear_document(void *value)
{
    json_free(*(struct json **)value);
}

struct platform_cache *platform_cache_new(void)
{
    static const struct memo_kind documents = {
        sizeof(struct json *), make_document, clear_document, KEEP_PLATFORMS};
    struct platform_cache *c = xcalloc(1, sizeof *c);

    c->documents = memo_new(&documents);
    return c;
}

void platform_cache_free(struct platform_cache *c)
{
    if (!c)
        return;
    memo_free(c->documents);
    free(c);
}

int platform_cache_load(struct machine *m, struct platform_cache *c,
                        const char *name_or_path, const char *const *sets,
                        size_t nsets, struct err *err)
{
    if (!c)
        return platform_load(m, name_or_path, sets, nsets, err);
    char *path = platform_path(name_or_path, err);
    struct json *const *doc =
        path ? memo_take(c->documents, path, path, err) : NULL;

    *m = (struct machine){0};
    int result =
        doc ? platform_load_document(m, path, *doc, sets, nsets, err) : -1;
    if (doc)
        memo_give(c->documents, doc);
    free(path);
    return result;
}
