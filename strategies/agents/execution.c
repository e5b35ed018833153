/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads an execution of graph algorithms from a preset's JSON, with changes by
 * --set. */
#include "strategies/agents/execution.h"

#include "base/datafile.h"
#include "base/json.h"

#include <stdlib.h>
#include <string.h>

const char *const execution_names[NEXECUTIONS] = {
    "bsp",           "async-cpu",     "bulk-async",
    "atos-discrete", "atos-priority", "atos-persistent"};

void execution_clear(struct execution *x)
{
    free(x->name);
    free(x->about);
    free(x->source);
    memset(x, 0, sizeof *x);
}

/* One of two words. */
static int read_choice(const struct json *o, const char *key, const char *no,
                       const char *yes, bool *out, struct err *err)
{
    const char *word;

    if (json_get_string(o, key, &word, err) < 0)
        return -1;
    *out = !strcmp(word, yes);
    if (!*out && strcmp(word, no) != 0)
        return fail(err, "%s: expected \"%s\" or \"%s\", got \"%s\"", key, no,
                    yes, word);
    return 0;
}

static int read_time(const struct json *o, const char *key, double scale,
                     double *out, struct err *err)
{
    if (!json_member(o, key))
        return 0;
    if (json_get_not_negative(o, key, out, err) < 0)
        return -1;
    *out *= scale;
    return 0;
}

static int read_count(const struct json *o, const char *key, uint64_t least,
                      uint64_t most, uint64_t *out, struct err *err)
{
    if (json_get_count(o, key, out, err) < 0)
        return -1;
    if (*out < least || *out > most)
        return fail(err, "%s: expected %llu to %llu, got %llu", key,
                    (unsigned long long)least, (unsigned long long)most,
                    (unsigned long long)*out);
    return 0;
}

static int read_queue(struct execution *x, const struct json *doc,
                      struct err *err)
{
    struct json *q;
    static const char *const known[] = {"order",   "delta",   "capacity",
                                        "receive", "poll_us", "fetch"};
    bool priority;
    uint64_t delta = 0, fetch = 1;

    if (json_get_object(doc, "queue", &q, err) < 0)
        return -1;
    if (json_only_keys(q, known, 6, err) < 0 ||
        (json_member(q, "receive") &&
         read_choice(q, "receive", "shared", "per_gpu", &x->receive_queues,
                     err) < 0) ||
        (json_member(q, "fetch") &&
         read_count(q, "fetch", 1, 1 << 20, &fetch, err) < 0) ||
        read_time(q, "poll_us", 1e-6, &x->poll_s, err) < 0 ||
        read_choice(q, "order", "fifo", "priority", &priority, err) < 0 ||
        (priority && read_count(q, "delta", 1, UINT32_MAX, &delta, err) < 0) ||
        (json_member(q, "capacity") &&
         read_count(q, "capacity", 1, UINT64_MAX, &x->queue_capacity, err) < 0))
        return fail_in(err, "queue");
    x->priority_delta = (uint32_t)delta;
    x->fetch = (uint32_t)fetch;
    return 0;
}

static int read_aggregator(struct execution *x, const struct json *doc,
                           struct err *err)
{
    struct json *a;
    static const char *const known[] = {"batch_bytes", "wait_visits",
                                        "visit_us", "group"};
    uint64_t visits;

    if (!json_member(doc, "aggregator"))
        return 0;
    if (json_get_object(doc, "aggregator", &a, err) < 0)
        return -1;
    if (json_only_keys(a, known, 4, err) < 0 ||
        (json_member(a, "group") &&
         read_choice(a, "group", "gpu", "node", &x->by_node, err) < 0) ||
        read_count(a, "batch_bytes", 0, (uint64_t)1 << 40, &x->batch_B, err) <
            0 ||
        read_count(a, "wait_visits", 1, UINT32_MAX, &visits, err) < 0 ||
        json_get_positive(a, "visit_us", &x->visit_s, err) < 0)
        return fail_in(err, "aggregator");
    x->wait_visits = (uint32_t)visits;
    x->visit_s *= 1e-6;
    return 0;
}

static int read_work(struct execution *x, const struct json *doc,
                     struct err *err)
{
    struct json *w;
    static const char *const known[] = {
        "round_us",  "dense_ps_per_vertex", "edge_factor",     "edge_ns",
        "vertex_ns", "worker_edge_ns",      "pagerank_factor", "source"};
    const char *source;

    if (json_get_object(doc, "work", &w, err) < 0)
        return -1;
    if (json_only_keys(w, known, 8, err) < 0 ||
        json_get_not_negative(w, "round_us", &x->round_s, err) < 0 ||
        json_get_positive(w, "edge_factor", &x->edge_factor, err) < 0 ||
        json_get_positive(w, "pagerank_factor", &x->pagerank_factor, err) < 0 ||
        read_time(w, "dense_ps_per_vertex", 1e-12, &x->dense_s_per_vertex,
                  err) < 0 ||
        read_time(w, "edge_ns", 1e-9, &x->edge_s, err) < 0 ||
        read_time(w, "vertex_ns", 1e-9, &x->vertex_s, err) < 0 ||
        read_time(w, "worker_edge_ns", 1e-9, &x->worker_edge_s, err) < 0 ||
        json_get_string(w, "source", &source, err) < 0)
        return fail_in(err, "work");
    x->round_s *= 1e-6;
    x->source = xstrdup(source);
    return 0;
}

static int read_exchange(struct execution *x, const struct json *doc,
                         struct err *err)
{
    const char *name;

    if (!json_member(doc, "exchange"))
        return 0;
    if (json_get_string(doc, "exchange", &name, err) < 0)
        return -1;
    if (!strcmp(name, "copies"))
        return 0;
    if (!x->supersteps)
        return fail(err, "exchange: only supersteps have one");
    x->exchange = strategy_find(name, err);
    return x->exchange ? 0 : fail_in(err, "exchange");
}

/* A kernel that pulls is one of the whole GPU, which knows its frontier. */
static int check_direction(const struct execution *x, struct err *err)
{
    const char *only = NULL;

    if (!x->optimised)
        return 0;
    if (x->persistent)
        only = "discrete kernels";
    else if (x->priority_delta)
        only = "queues of order fifo";
    else if (x->worker_threads)
        only = "worker_threads 0";
    else if (!x->cpu_control)
        only = "control by the cpu";
    return only ? fail(err, "direction: optimised is for %s only", only) : 0;
}

static int read_doc(struct execution *x, const struct json *doc,
                    struct err *err)
{
    static const char *const known[] = {
        "format", "name",         "about",         "kernel", "direction",
        "steps",  "exchange",     "control",       "queue",  "aggregator",
        "work",   "update_bytes", "worker_threads"};
    const char *name, *about;
    uint64_t format, update, worker = 0;

    if (!json_is_object(doc))
        return fail(err, "expected an object, got %s", json_type_name(doc));
    if (json_only_keys(doc, known, sizeof known / sizeof known[0], err) < 0 ||
        read_count(doc, "format", 1, 1, &format, err) < 0 ||
        json_get_string(doc, "name", &name, err) < 0 ||
        json_get_string(doc, "about", &about, err) < 0)
        return -1;
    x->name = xstrdup(name);
    x->about = xstrdup(about);
    if ((json_member(doc, "direction") &&
         read_choice(doc, "direction", "push", "optimised", &x->optimised,
                     err) < 0) ||
        read_choice(doc, "kernel", "discrete", "persistent", &x->persistent,
                    err) < 0 ||
        read_choice(doc, "steps", "asynchronous", "supersteps", &x->supersteps,
                    err) < 0 ||
        read_choice(doc, "control", "gpu", "cpu", &x->cpu_control, err) < 0 ||
        read_count(doc, "update_bytes", 4, 1024, &update, err) < 0 ||
        (json_member(doc, "worker_threads") &&
         read_count(doc, "worker_threads", 0, 1024, &worker, err) < 0) ||
        read_exchange(x, doc, err) < 0 || read_queue(x, doc, err) < 0 ||
        read_aggregator(x, doc, err) < 0 || read_work(x, doc, err) < 0)
        return -1;
    x->update_B = (uint32_t)update;
    x->worker_threads = (uint32_t)worker;
    return check_direction(x, err);
}

static char *preset_path(const char *name, struct err *err)
{
    size_t len = strlen(name);

    if (strchr(name, '/') || (len > 5 && !strcmp(name + len - 5, ".json")))
        return xstrdup(name);
    char *file = xasprintf("strategies/presets/%s.json", name);
    char *path = datafile_find(file, err);
    free(file);
    return path;
}

int execution_load(struct execution *x, const char *name,
                   const char *const *sets, size_t nsets, struct err *err)
{
    memset(x, 0, sizeof *x);
    char *path = preset_path(name, err);
    if (!path) {
        const char *near = nearest_word(name, execution_names, NEXECUTIONS);
        return fail(err,
                    "%s: unknown execution%s%s%s (see sluice list executions)",
                    name, near ? ": did you mean " : "", near ? near : "",
                    near ? "?" : "");
    }
    struct json *doc = json_load(path, err);
    int result = doc ? 0 : -1;

    for (size_t i = 0; result == 0 && i < nsets; i++)
        result = json_set(doc, sets[i], err);
    if (result == 0 && read_doc(x, doc, err) < 0) {
        execution_clear(x);
        result = fail_in(err, "%s", path);
    }
    json_free(doc);
    free(path);
    return result;
}
