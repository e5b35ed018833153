/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads an execution of graph algorithms from a preset's JSON document. */
#include "apps/agents/execution.h"

#include "base/json.h"
#include "apps/agents/execution_axes.h"

#include <stdlib.h>
#include <string.h>

/* --- axes ----------------------------------------------------------------- */

/* Reads the runtime of the transfers that the execution starts itself. The
 * copies and messages of the plans between bulk-synchronous steps are always
 * the CPU's. */
static int read_runtime(struct execution *x, const struct json *doc,
                        struct err *err)
{
    bool steps = x->schedule == SCHEDULE_BULK_SYNCHRONOUS;
    int runtime =
        x->control == CONTROL_GPU && !steps ? RUNTIME_SHMEM : RUNTIME_CPU_COPY;

    if (json_member(doc, "runtime") &&
        (runtime = read_axis(doc, &runtime_axis, err)) < 0)
        return -1;
    x->runtime = (enum runtime)runtime;
    if (steps && x->runtime != RUNTIME_CPU_COPY)
        return fail(err,
                    "runtime: schedule bulk_synchronous has cpu_copy, "
                    "got %s",
                    runtime_names[x->runtime]);
    return 0;
}

static int read_axes(struct execution *x, const struct json *doc,
                     struct err *err)
{
    int direction, pagerank, kernel, launch, schedule, control, forwarding,
        residues;

    if ((direction = read_axis(doc, &direction_axis, err)) < 0 ||
        (pagerank = read_axis(doc, &pagerank_axis, err)) < 0 ||
        (residues = read_axis(doc, &residues_axis, err)) < 0 ||
        (kernel = read_axis(doc, &kernel_axis, err)) < 0 ||
        (launch = read_axis(doc, &launch_axis, err)) < 0 ||
        (schedule = read_axis(doc, &schedule_axis, err)) < 0 ||
        (control = read_axis(doc, &control_axis, err)) < 0 ||
        (forwarding = read_axis(doc, &forwarding_axis, err)) < 0)
        return -1;
    x->direction = (enum direction)direction;
    x->pagerank = (enum pagerank_variant)pagerank;
    x->residues = (enum residues)residues;
    x->kernel = (enum kernel)kernel;
    x->launch = (enum launch)launch;
    x->schedule = (enum schedule)schedule;
    x->control = (enum control)control;
    x->forwarding = (enum forwarding)forwarding;
    if (x->forwarding == FORWARDING_RING &&
        (control != CONTROL_CPU || schedule != SCHEDULE_ASYNCHRONOUS))
        return fail(err, "transfer: ring is for schedule asynchronous and "
                         "control by the cpu only");
    return read_runtime(x, doc, err);
}

/* --- numbers -------------------------------------------------------------- */

/* Fails if a time or factor is so large that sums of times may not stay
 * finite. */
static int check_most(const char *key, double value, struct err *err)
{
    return value > 1e12 ? fail(err, "%s: expected a number up to 1e+12, got %g",
                               key, value)
                        : 0;
}

static int read_time(const struct json *o, const char *key, double scale,
                     double *out, struct err *err)
{
    if (!json_member(o, key))
        return 0;
    if (json_get_not_negative(o, key, out, err) < 0 ||
        check_most(key, *out, err) < 0)
        return -1;
    *out *= scale;
    return 0;
}

static int read_positive(const struct json *o, const char *key, double *out,
                         struct err *err)
{
    return json_get_positive(o, key, out, err) < 0 ? -1
                                                   : check_most(key, *out, err);
}

static int execution_read_count(const struct json *o, const char *key,
                                uint64_t least, uint64_t most, uint64_t *out,
                                struct err *err)
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
    static const char *const known[] = {
        "order",    "delta", "capacity",  "receive", "poll_us", "fetch",
        "received", "scan",  "threshold", "scope",   "quiet",   "push_threads"};
    int order, receive, received, scan, scope;
    uint64_t delta = 0, threshold = 0, fetch = 1, push = 1;

    if (json_get_object(doc, "queue", &q, err) < 0)
        return -1;
    if (json_only_keys(q, known, sizeof known / sizeof known[0], err) < 0 ||
        (receive = read_axis(q, &receive_axis, err)) < 0 ||
        (received = read_axis(q, &received_axis, err)) < 0 ||
        (scan = read_axis(q, &scan_axis, err)) < 0 ||
        (scope = read_axis(q, &scope_axis, err)) < 0 ||
        (json_member(q, "fetch") &&
         execution_read_count(q, "fetch", 1, 1 << 20, &fetch, err) < 0) ||
        read_time(q, "poll_us", 1e-6, &x->poll_s, err) < 0 ||
        read_time(q, "quiet", 1, &x->quiet, err) < 0 ||
        (json_member(q, "push_threads") &&
         execution_read_count(q, "push_threads", 1, 1024, &push, err) < 0) ||
        (order = read_axis(q, &order_axis, err)) < 0 ||
        (order == ORDER_PRIORITY &&
         execution_read_count(q, "delta", 1, UINT32_MAX, &delta, err) < 0) ||
        (json_member(q, "threshold") &&
         execution_read_count(q, "threshold", 1, UINT32_MAX, &threshold, err) <
             0) ||
        (json_member(q, "capacity") &&
         execution_read_count(q, "capacity", 1, UINT64_MAX, &x->queue_capacity,
                              err) < 0))
        return fail_in(err, "queue");
    x->receive_queues = (enum receive_queues)receive;
    x->received = (enum received_order)received;
    x->scan = (enum scan)scan;
    x->scope = (enum scope)scope;
    x->order = (enum order)order;
    x->priority_delta = (uint32_t)delta;
    x->threshold = (uint32_t)threshold;
    x->fetch = (uint32_t)fetch;
    x->push_threads = (uint32_t)push;
    return 0;
}

static int read_aggregator(struct execution *x, const struct json *doc,
                           struct err *err)
{
    struct json *a;
    static const char *const known[] = {"batch_bytes", "wait_visits",
                                        "visit_us", "group"};
    uint64_t visits;
    int group;

    if (!json_member(doc, "aggregator"))
        return 0;
    if (json_get_object(doc, "aggregator", &a, err) < 0)
        return -1;
    if (json_only_keys(a, known, 4, err) < 0 ||
        (group = read_axis(a, &group_axis, err)) < 0 ||
        execution_read_count(a, "batch_bytes", 0, (uint64_t)1 << 40,
                             &x->batch_B, err) < 0 ||
        execution_read_count(a, "wait_visits", 1, UINT32_MAX, &visits, err) <
            0 ||
        read_positive(a, "visit_us", &x->visit_s, err) < 0)
        return fail_in(err, "aggregator");
    x->batch_group = (enum batch_group)group;
    x->wait_visits = (uint32_t)visits;
    x->visit_s *= 1e-6;
    return 0;
}

/* Refuses the keys of older files, because their numbers were fitted to one
 * graph and GPU. */
static int check_older_work(const struct json *w, struct err *err)
{
    static const char *const older[] = {
        "edge_factor", "pagerank_factor", "edge_ns",
        "vertex_ns",   "worker_edge_ns",  "dense_ps_per_vertex"};

    for (size_t i = 0; i < sizeof older / sizeof older[0]; i++)
        if (json_member(w, older[i]))
            return fail(err,
                        "%s: no longer read: expected the accesses of bfs and "
                        "pagerank instead (apps/presets/README.md)",
                        older[i]);
    return 0;
}

static int read_counts(struct execution *x, const struct json *w,
                       struct err *err)
{
    for (int a = 0; a < NALGORITHMS; a++)
        if (counts_read(&x->work[a], w, (enum algorithm)a, err) < 0)
            return -1;
    return 0;
}

static int read_work(struct execution *x, const struct json *doc,
                     struct err *err)
{
    struct json *w;
    static const char *const known[] = {"round_us",
#define ALGORITHM(X, x) #x,
#include "apps/agents/algorithms.def"
#undef ALGORITHM
                                        "source"};
    const char *source;

    if (json_get_object(doc, "work", &w, err) < 0)
        return -1;
    if (check_older_work(w, err) < 0 ||
        json_only_keys(w, known, sizeof known / sizeof known[0], err) < 0 ||
        read_time(w, "round_us", 1e-6, &x->round_s, err) < 0 ||
        read_counts(x, w, err) < 0 ||
        json_get_string(w, "source", &source, err) < 0)
        return fail_in(err, "work");
    x->source = xstrdup(source);
    return 0;
}

static int read_exchange(struct execution *x, const struct json *doc,
                         struct err *err)
{
    const char *name;

    if (!json_member(doc, exchange_axis.key))
        return 0;
    if (json_get_string(doc, exchange_axis.key, &name, err) < 0)
        return -1;
    if (axis_find(&exchange_axis, name) == EXCHANGE_COPIES)
        return 0;
    if (x->schedule != SCHEDULE_BULK_SYNCHRONOUS)
        return fail(err, "exchange: only schedule bulk_synchronous has one");
    x->exchange = strategy_find(name, err);
    return x->exchange ? 0 : fail_in(err, "exchange");
}

static int read_steps(struct execution *x, const struct json *doc,
                      struct err *err)
{
    static const char *const names[NALGORITHMS] = {
#define ALGORITHM(X, x) #x,
#include "apps/agents/algorithms.def"
#undef ALGORITHM
    };

    for (int i = 0; i < 2 * NALGORITHMS; i++) {
        struct step *s = &x->steps[i / 2][i % 2];
        if (step_read(s, doc, names[i / 2], i % 2, err) < 0)
            return -1;
        if (!s->given && execution_has_calls(x))
            step_plain(s, x->control == CONTROL_CPU);
    }
    return 0;
}

/* Fails if pulling is combined with an axis that it does not allow: a kernel
 * that pulls is one of the whole GPU, which knows its frontier. */
static int check_direction(const struct execution *x, struct err *err)
{
    const char *only = NULL;

    if (x->direction == DIRECTION_PUSH)
        return 0;
    if (x->kernel != KERNEL_DISCRETE)
        only = "discrete kernels";
    else if (x->order != ORDER_FIFO)
        only = "queues of order fifo";
    else if (x->worker_threads)
        only = "worker_threads 0";
    else if (x->control != CONTROL_CPU)
        only = "control by the cpu";
    else if (x->forwarding != FORWARDING_DIRECT)
        only = "direct transfers";
    else if (x->direction == DIRECTION_GUNROCK &&
             x->schedule != SCHEDULE_BULK_SYNCHRONOUS)
        only = "schedule bulk_synchronous";
    return only ? fail(err, "direction: %s is for %s only",
                       direction_axis.words[x->direction], only)
                : 0;
}

/* Reads the bounds of pulling; if left out, they are the defaults of Gunrock
 * v1.0. */
static int read_pull(struct execution *x, const struct json *doc,
                     struct err *err)
{
    x->pull_above = 0.001;
    x->pull_on_above = 0.2;
    return read_time(doc, "pull_above", 1, &x->pull_above, err) < 0 ||
                   read_time(doc, "pull_on_above", 1, &x->pull_on_above, err) <
                       0
               ? -1
               : 0;
}

static int read_sync_rounds(struct execution *x, const struct json *sync,
                            struct err *err)
{
    const char *known[NALGORITHMS];
    struct json *o;
    uint64_t n;

    for (int a = 0; a < NALGORITHMS; a++)
        known[a] = algorithm_name((enum algorithm)a);
    if (json_get_object(sync, "rounds", &o, err) < 0)
        return -1;
    if (json_only_keys(o, known, NALGORITHMS, err) < 0)
        return fail_in(err, "rounds");
    for (int a = 0; a < NALGORITHMS; a++) {
        if (execution_read_count(o, known[a], 0, 1000, &n, err) < 0)
            return fail_in(err, "rounds");
        x->sync_rounds[a] = (uint32_t)n;
    }
    return 0;
}

static int read_sync(struct execution *x, const struct json *doc,
                     struct err *err)
{
    static const char *const known[] = {"log2_us", "rounds", "source"};
    const char *source;
    struct json *o;

    if (!json_member(doc, "sync"))
        return 0;
    if (x->schedule != SCHEDULE_ASYNCHRONOUS || x->control != CONTROL_CPU)
        return fail(err, "sync: is for schedule asynchronous and control cpu "
                         "only");
    if (json_get_object(doc, "sync", &o, err) < 0)
        return -1;
    if (json_only_keys(o, known, 3, err) < 0 ||
        json_get_not_negative(o, "log2_us", &x->sync_s, err) < 0 ||
        check_most("log2_us", x->sync_s, err) < 0 ||
        read_sync_rounds(x, o, err) < 0 ||
        json_get_string(o, "source", &source, err) < 0)
        return fail_in(err, "sync");
    x->sync_s *= 1e-6;
    x->sync_source = xstrdup(source);
    return 0;
}

/* Fails if the queue has a key that only workers of a persistent kernel use. */
static int check_queue(const struct execution *x, struct err *err)
{
    if (x->kernel == KERNEL_PERSISTENT ||
        (!(x->quiet > 0) && x->push_threads == 1))
        return 0;
    return fail(err, "queue: %s: is for persistent kernels only",
                x->quiet > 0 ? "quiet" : "push_threads");
}

/* Fails if the step has `came` without supersteps, because only GPUs that wait
 * for each other know whether any update came. */
static int check_came(const struct execution *x, struct err *err)
{
    for (int i = 0; i < 2 * NALGORITHMS; i++)
        if (x->schedule != SCHEDULE_BULK_SYNCHRONOUS &&
            x->steps[i / 2][i % 2].parts[STEP_CAME].length > 0)
            return fail(err, "step: came: is for schedule bulk_synchronous "
                             "only");
    return 0;
}

/* Fails if a variant of PageRank is combined with an axis that it does not
 * allow, because a sweep is a step of all GPUs together. */
static int check_pagerank(const struct execution *x, struct err *err)
{
    if (x->pagerank == PAGERANK_TOPOLOGY &&
        (x->kernel != KERNEL_DISCRETE || x->worker_threads))
        return fail(err, "pagerank: topology is for discrete kernels and "
                         "worker_threads 0 only");
    if (x->pagerank != PAGERANK_SWEEP)
        return 0;
    if (x->kernel != KERNEL_DISCRETE ||
        x->schedule != SCHEDULE_BULK_SYNCHRONOUS)
        return fail(err, "pagerank: sweep is for discrete kernels and schedule "
                         "bulk_synchronous only");
    return 0;
}

int execution_read(struct execution *x, const struct json *doc, struct err *err)
{
    static const char *const known[] = {
        "format",         "name",         "about",          "kernel",
        "direction",      "schedule",     "steps",          "exchange",
        "control",        "queue",        "runtime",        "aggregator",
        "work",           "update_bytes", "worker_threads", "pagerank",
        "max_iterations", "pull_above",   "pull_on_above",  "step",
        "sync",           "launch",       "transfer",       "residues"};
    const char *name, *about;
    uint64_t format, update, worker = 0, iterations = 0;

    if (!json_is_object(doc))
        return fail(err, "expected an object, got %s", json_type_name(doc));
    if (json_only_keys(doc, known, sizeof known / sizeof known[0], err) < 0 ||
        execution_read_count(doc, "format", 1, 1, &format, err) < 0 ||
        json_get_string(doc, "name", &name, err) < 0 ||
        json_get_string(doc, "about", &about, err) < 0)
        return -1;
    x->name = xstrdup(name);
    x->about = xstrdup(about);
    if (read_axes(x, doc, err) < 0 ||
        execution_read_count(doc, "update_bytes", 4, 1024, &update, err) < 0 ||
        (json_member(doc, "worker_threads") &&
         execution_read_count(doc, "worker_threads", 0, 1024, &worker, err) <
             0) ||
        (json_member(doc, "max_iterations") &&
         execution_read_count(doc, "max_iterations", 1, UINT32_MAX, &iterations,
                              err) < 0) ||
        read_pull(x, doc, err) < 0 || read_sync(x, doc, err) < 0 ||
        read_exchange(x, doc, err) < 0 || read_queue(x, doc, err) < 0 ||
        read_aggregator(x, doc, err) < 0 || read_work(x, doc, err) < 0 ||
        read_steps(x, doc, err) < 0)
        return -1;
    x->update_B = (uint32_t)update;
    x->worker_threads = (uint32_t)worker;
    x->max_iterations = (uint32_t)iterations;
    return check_direction(x, err) < 0 || check_queue(x, err) < 0 ||
                   check_came(x, err) < 0
               ? -1
               : check_pagerank(x, err);
}

bool execution_has_calls(const struct execution *x)
{
    return x->kernel == KERNEL_DISCRETE || x->control == CONTROL_CPU ||
           x->schedule == SCHEDULE_BULK_SYNCHRONOUS;
}
