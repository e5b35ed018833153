/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads experiment files by the table of options, and reports which options are
 * given. */
#include "study/run/request.h"

#include "base/text.h"
#include "base/json.h"
#include "base/outfile.h"
#include "study/run/shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void request_init(struct request *r)
{
    *r = (struct request){
        .edge_ns = NAN,
        .replay = {.compute_scale = NAN, .flops = NAN},
        .work = {.source = NAN, .damping = NAN, .threshold = NAN}};
}

enum { MOST_ROWS = 64 };

/* Stores the rows of REQUEST_OPTIONS without the headings, and returns how many
 * these are. */
static size_t request_rows(struct opt *rows, struct request *r)
{
    const struct opt all[] = {REQUEST_OPTIONS(*r)};
    size_t n = 0;

    _Static_assert(sizeof all / sizeof all[0] <= MOST_ROWS, "too many options");
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (opt_is_option(&all[i]))
            rows[n++] = all[i];
    return n;
}

static bool is_said(const struct opt *o)
{
    switch (o->kind) {
    case OPT_FLAG:
        return *(const bool *)o->target;
    case OPT_TEXT:
    case OPT_OUTPUT:
        return *(const char *const *)o->target != NULL;
    case OPT_TEXTS:
        return ((const struct texts *)o->target)->n > 0;
    case OPT_COUNT:
        return *(const unsigned *)o->target > 0;
    case OPT_BYTES:
    case OPT_EVENTS:
        return *(const uint64_t *)o->target > 0;
    case OPT_NUMBER:
        return !isnan(*(const double *)o->target);
    case OPT_GROUP:
    case OPT_FORMER:
        break;
    }
    return false;
}

/* --- experiment files ----------------------------------------------------- */

/* Returns the key of an option; the caller frees it. */
static char *key_of(const struct opt *o)
{
    bool says = o->kind != OPT_BYTES || text_before(o->name, "bytes");
    char *key = xasprintf("%s%s", o->name, says ? "" : "_bytes");

    for (char *c = key; *c; c++)
        if (*c == '-')
            *c = '_';
    return key;
}

/* Puts the texts of a file in front of those of the command line, because the
 * last one of a key counts. */
static int read_texts(const struct json *o, const char *key, struct texts *t,
                      struct err *err)
{
    const size_t most = TEXTS;
    struct texts all = {0};
    struct json *list;

    if (json_get_array(o, key, &list, err) < 0)
        return -1;
    for (size_t i = 0; i < json_size(list); i++) {
        struct json *item = json_at(list, i);
        if (!json_is_string(item) || all.n + t->n == most)
            return fail(err, "%s[%zu]: expected \"KEY=VALUE\", at most %zu",
                        key, i, most);
        all.items[all.n++] = json_string(item);
    }
    for (size_t i = 0; i < t->n; i++)
        all.items[all.n++] = t->items[i];
    *t = all;
    return 0;
}

static int request_read_count(const struct json *o, const char *key,
                              uint64_t most, uint64_t *out, struct err *err)
{
    if (json_get_count(o, key, out, err) < 0)
        return -1;
    if (!*out || *out > most)
        return fail(err, "%s: expected a whole number above 0, at most %llu",
                    key, (unsigned long long)most);
    return 0;
}

static int request_read_key(const struct json *doc, const struct opt *o,
                            const char *key, struct err *err)
{
    uint64_t count;

    switch (o->kind) {
    case OPT_FLAG:
        return json_get_bool(doc, key, o->target, err);
    case OPT_TEXT:
    case OPT_OUTPUT:
        return json_get_string(doc, key, o->target, err);
    case OPT_TEXTS:
        return read_texts(doc, key, o->target, err);
    case OPT_COUNT:
        if (request_read_count(doc, key, 1000000000, &count, err) < 0)
            return -1;
        *(unsigned *)o->target = (unsigned)count;
        return 0;
    case OPT_BYTES:
    case OPT_EVENTS:
        return request_read_count(doc, key, UINT64_C(1) << 53, o->target, err);
    case OPT_NUMBER:
        return json_get_number(doc, key, o->target, err);
    case OPT_GROUP:
    case OPT_FORMER:
        break;
    }
    return fail(err, "%s: unknown kind of key", key);
}

/* Reads all keys. An option of the command line replaces a key, but texts of
 * the command line are added to the file's and override them. */
static int read_doc(struct request *r, const struct json *doc, struct err *err)
{
    struct opt opts[MOST_ROWS];
    size_t n = request_rows(opts, r);
    char *keys[MOST_ROWS + 1];
    unsigned gpus = r->work.gpus, nodes = r->work.nodes;
    int result = -1;

    for (size_t i = 0; i < n; i++)
        keys[i] = key_of(&opts[i]);
    keys[n] = xstrdup("about");
    if (!json_is_object(doc))
        err_set(err, ERR_INPUT, __FILE__, __LINE__,
                "expected an object, got %s", json_type_name(doc));
    else
        result = json_only_keys(doc, (const char *const *)keys, n + 1, err);
    for (size_t i = 0; i < n && result == 0; i++)
        if (json_member(doc, keys[i]) &&
            (opts[i].kind == OPT_TEXTS || !is_said(&opts[i])))
            result = request_read_key(doc, &opts[i], keys[i], err);
    /* --gpus or --nodes on the command line replaces both keys. */
    if (gpus || nodes) {
        r->work.gpus = gpus;
        r->work.nodes = nodes;
    }
    for (size_t i = 0; i <= n; i++)
        free(keys[i]);
    return result;
}

int request_read(struct request *r, struct json **doc, const char *path,
                 struct err *err)
{
    *doc = json_load(path, err);
    if (!*doc)
        return -1;
    if (read_doc(r, *doc, err) == 0)
        return 0;
    json_free(*doc);
    *doc = NULL;
    return fail_in(err, "%s", path);
}

int request_read_json(struct request *r, const struct json *doc,
                      struct err *err)
{
    return read_doc(r, doc, err);
}

int request_check_output(const struct request *r, const char *path,
                         struct err *err)
{
    struct request copy = *r;
    struct opt opts[MOST_ROWS];
    size_t n = request_rows(opts, &copy);
    int result = 0;

    for (size_t i = 0; i < n; i++) {
        const char *const *text = opts[i].target;
        if (path && opts[i].kind == OPT_TEXT && *text && result == 0)
            result = outfile_check_words(path, *text, err);
    }
    return result;
}

static void print_option(FILE *to, const struct opt *o)
{
    switch (o->kind) {
    case OPT_FLAG:
        fprintf(to, " --%s", o->name);
        return;
    case OPT_TEXT:
    case OPT_OUTPUT:
        fprintf(to, " --%s %s", o->name, *(const char *const *)o->target);
        return;
    case OPT_TEXTS:
        for (size_t i = 0; i < ((const struct texts *)o->target)->n; i++)
            fprintf(to, " --%s %s", o->name,
                    ((const struct texts *)o->target)->items[i]);
        return;
    case OPT_COUNT:
        fprintf(to, " --%s %u", o->name, *(const unsigned *)o->target);
        return;
    case OPT_BYTES:
    case OPT_EVENTS:
        fprintf(to, " --%s %llu", o->name,
                (unsigned long long)*(const uint64_t *)o->target);
        return;
    case OPT_NUMBER:
        fprintf(to, " --%s %.17g", o->name, *(const double *)o->target);
        return;
    case OPT_GROUP:
    case OPT_FORMER:
        return;
    }
}

char *request_words(const struct request *r)
{
    struct request copy = *r;
    struct opt opts[MOST_ROWS];
    size_t n = request_rows(opts, &copy), length;
    char *words;
    FILE *to = open_memstream(&words, &length);

    if (!to)
        err_no_memory("the words of a request");
    for (size_t i = 0; i < n; i++)
        if (is_said(&opts[i]))
            print_option(to, &opts[i]);
    if (fclose(to))
        err_no_memory("the words of a request");
    return words;
}

int request_key(const char *key, struct opt *option, struct err *err)
{
    struct request none;
    struct opt opts[MOST_ROWS];
    char *keys[MOST_ROWS] = {NULL};
    size_t n = request_rows(opts, &none), at = n;

    for (size_t i = 0; i < n; i++) {
        keys[i] = key_of(&opts[i]);
        at = !strcmp(keys[i], key) ? i : at;
    }
    const char *near = nearest_word(key, (const char *const *)keys, n);
    int result = 0;
    if (at < n) {
        *option = opts[at];
        option->target = NULL;
    } else if (near) {
        result = fail(err, "%s: unknown key (did you mean %s?)", key, near);
    } else {
        result = fail(err,
                      "%s: unknown key: neither one of an experiment nor, "
                      "with a dot in it, of the platform",
                      key);
    }
    for (size_t i = 0; i < n; i++)
        free(keys[i]);
    return result;
}

int request_no_runtime(const struct request *r, const char *command,
                       struct err *err)
{
    if (!r->runtime)
        return 0;
    return fail(err, "--runtime: only for run, not for %s", command);
}

void request_compare(struct request *r)
{
    struct workload_request *w = &r->work;
    const struct workload *known = request_workload(r);

    if (w->compared || !known || !known->matrix)
        return;
    w->compared = "metis";
    w->compared_nnz = UINT64_C(1) << 20;
}

void request_one_candidate(struct request *r)
{
    const struct workload *known = request_workload(r);

    if (known && known->trace && !r->strategy)
        r->strategy = "as-given";
}

const struct workload *request_workload(const struct request *r)
{
    struct err ignored;

    return r->work.words ? workload_find(r->work.words, &ignored) : NULL;
}

enum shape request_shape(const struct request *r, const struct workload *w)
{
    return w->algorithm && (r->runtime || !w->options) ? SHAPE_ROUNDS
                                                       : workload_shape(w);
}

const char *request_platform(const struct request *r, const struct workload *w)
{
    const char *of_shape = job_shapes[request_shape(r, w)].platform;

    return r->platform ? r->platform : of_shape ? of_shape : w->platform;
}

int request_said(const struct request *r,
                 int (*each)(void *arg, const char *option, struct err *err),
                 void *arg, struct err *err)
{
    struct request copy = *r;
    struct opt opts[MOST_ROWS];
    size_t n = request_rows(opts, &copy);

    for (size_t i = 0; i < n; i++)
        if (is_said(&opts[i]) && each(arg, opts[i].name, err) < 0)
            return -1;
    return 0;
}
