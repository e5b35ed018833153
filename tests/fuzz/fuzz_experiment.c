/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as an experiment file: it is refused, or gives a request within the
 * limits of its options; options that were set before have precedence over the
 * file. */
#include "base/json.h"
#include "study/run/request.h"
#include "tests/fuzz/memory_file.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int count(void *arg, const char *option, struct err *err)
{
    size_t *n = arg;

    (void)err;
    if (!option || !*option)
        abort();
    ++*n;
    return 0;
}

static void check(const struct request *r)
{
    const struct workload_request *w = &r->work;
    struct err err = {0};
    size_t said = 0, all = sizeof r->sets.items / sizeof r->sets.items[0];

    if (request_said(r, count, &said, &err) < 0 || r->sets.n > all)
        abort();
    for (size_t i = 0; i < r->sets.n; i++)
        if (!r->sets.items[i])
            abort();
    if (isinf(w->source) || isinf(w->damping) || isinf(w->threshold) ||
        isinf(r->edge_ns))
        abort();
}

/* Checks that the options of the command line stay. */
static void check_before(const char *path)
{
    struct request r;
    struct json *doc = NULL;
    struct err err = {0};

    request_init(&r);
    r.platform = "duo";
    r.work.gpus = 3;
    if (request_read(&r, &doc, path, &err) == 0 &&
        (strcmp(r.platform, "duo") != 0 || r.work.gpus != 3))
        abort();
    json_free(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file f;
    struct request r;
    struct json *doc = NULL;
    struct err err = {0};

    memory_file_open(&f, data, size);
    request_init(&r);
    if (request_read(&r, &doc, f.path, &err) == 0)
        check(&r);
    else if (!err.text[0] || doc)
        abort();
    json_free(doc);
    check_before(f.path);
    memory_file_close(&f);
    return 0;
}
