/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates graph searches as they were run on real GPUs: the same graph, parts
 * and source, by the preset of the execution's name. */
#include "base/datafile.h"
#include "base/json.h"
#include "base/packed.h"
#include "validate/measure/traverse_cases.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The graph and parts of the case before, which most cases share. */
struct ground {
    const struct traverse_case *by;
    struct graph g;
    bool there;
    const struct traverse_case *parted; /* the case to which part[] belongs */
    uint32_t *part;
};

static void ground_clear(struct ground *o)
{
    if (o->there)
        graph_clear(&o->g);
    free(o->part);
    *o = (struct ground){0};
}

/* --- graphs --------------------------------------------------------------- */

static char *readable(char *path)
{
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* Returns a file of that name, as it is or gzipped; NULL if there is none. */
static char *find_file(const char *name, const char *const *folders,
                       size_t nfolders)
{
    struct err ignored;
    char *path = NULL;

    for (size_t i = 0; i < nfolders && !path; i++)
        for (size_t e = 0; e <= PACKED_GZ && !path; e++)
            path = readable(
                xasprintf("%s/%s%s", folders[i], name, packed_endings[e]));
    for (size_t e = 0; e <= PACKED_GZ && !path; e++) {
        char *data = xasprintf("workloads/data/%s%s", name, packed_endings[e]);
        path = datafile_find(data, &ignored);
        free(data);
    }
    return path;
}

/* Reads the graph; if it is not found, the case gets the reason. */
static int ground_graph(struct ground *o, struct traverse_case *c,
                        const char *const *folders, size_t nfolders,
                        struct err *err)
{
    if (o->by && !strcmp(o->by->graph, c->graph)) {
        c->why = o->there ? NULL : xstrdup(o->by->why);
        return 0;
    }
    ground_clear(o);
    o->by = c;
    char *path = strchr(c->graph, ':') ? xstrdup(c->graph)
                                       : find_file(c->graph, folders, nfolders);
    if (!path) {
        c->why = xasprintf("no file %s", c->graph);
        return 0;
    }
    int result = graph_from_words(&o->g, path, err);
    o->there = result == 0;
    free(path);
    return result;
}

/* Compares sizes, because a file of the same name, or a generator of another
 * version, may give another graph. */
static void ground_compare(const struct ground *o, struct traverse_case *c)
{
    if (o->there && (o->g.n != c->vertices || graph_arcs(&o->g) != c->arcs))
        c->why =
            xasprintf("%s has %u vertices and %llu arcs here, "
                      "not %u and %llu",
                      c->graph, o->g.n, (unsigned long long)graph_arcs(&o->g),
                      c->vertices, (unsigned long long)c->arcs);
}

static bool same_parts(const struct traverse_case *a,
                       const struct traverse_case *b)
{
    return a && a->gpus == b->gpus && a->seed == b->seed &&
           !strcmp(a->partition, b->partition);
}

static int ground_parts(struct ground *o, const struct traverse_case *c,
                        struct err *err)
{
    const char *how = c->gpus > 1 ? c->partition : NULL;

    if (same_parts(o->parted, c))
        return 0;
    o->parted = c;
    free(o->part);
    o->part = xcalloc(o->g.n + 1ull, sizeof *o->part);
    return graph_partition_by(o->part, &o->g, c->gpus, how, c->seed, err);
}

/* --- the simulation ------------------------------------------------------- */

static bool is_preset(const char *name)
{
    for (size_t i = 0; i < NEXECUTIONS; i++)
        if (!strcmp(name, execution_names[i]))
            return true;
    return false;
}

/* Returns the preset of the execution; NULL, with c->why, if there is none. */
static char *preset_of(struct traverse_case *c)
{
    bool copied = strcmp(c->transfer, "-") && strcmp(c->transfer, "store");
    char *name = xasprintf("native-%s%s", c->execution, copied ? "-copy" : "");

    if (copied && !is_preset(name)) {
        free(name);
        name = xasprintf("native-%s", c->execution);
    }
    if (c->devices < c->gpus)
        c->why = xasprintf("%u GPUs on %u devices", c->gpus, c->devices);
    else if (!strcmp(c->transfer, "ring"))
        c->why = xstrdup("transfer ring");
    else if (!is_preset(name))
        c->why = xasprintf("no preset %s", name);
    if (!c->why)
        return name;
    free(name);
    return NULL;
}

static int algorithm_of(enum algorithm *out, const char *name, struct err *err)
{
    for (int i = 0; i < NALGORITHMS; i++)
        if (!strcmp(name, algorithm_name((enum algorithm)i))) {
            *out = (enum algorithm)i;
            return 0;
        }
    return fail(err, "algorithm: expected bfs or pagerank, got '%.60s'", name);
}

static void case_take(struct traverse_case *c, struct traverse_result *r)
{
    c->simulated_s = r->time_s;
    c->simulated_visits = (double)r->visits;
    c->simulated = r->levels;
    c->nsimulated = r->nlevels;
    r->levels = NULL;
    r->nlevels = 0;
}

static int simulate(struct traverse_case *c, const struct machine *m,
                    struct ground *o, const struct execution *x,
                    const struct exec_options *exec, struct err *err)
{
    struct traverse_result r;
    struct traverse_input in = {.m = m,
                                .g = &o->g,
                                .part = o->part,
                                .ngpus = c->gpus,
                                .x = x,
                                .source = c->source,
                                .damping = 0.85,
                                .threshold =
                                    c->threshold > 0 ? c->threshold : 1e-6,
                                .skew_s = c->skew_s,
                                .latency_s = c->latency_s,
                                .exec = exec};

    if (algorithm_of(&in.algorithm, c->algorithm, err) < 0 ||
        traverse_run(&r, &in, err) < 0)
        return -1;
    case_take(c, &r);
    traverse_result_clear(&r);
    return 0;
}

static int simulate_case(struct traverse_case *c, const struct machine *m,
                         struct ground *o, const char *const *folders,
                         size_t nfolders, const struct exec_options *exec,
                         struct err *err)
{
    char delta[48], *preset = preset_of(c);
    const char *sets[] = {delta};
    struct execution x;

    if (!preset)
        return 0;
    int result = ground_graph(o, c, folders, nfolders, err);
    if (result == 0 && !c->why)
        ground_compare(o, c);
    if (result == 0 && !c->why && ground_parts(o, c, err) < 0) {
        c->why = xstrdup(err->text);
        *err = (struct err){0};
        o->parted = NULL;
    }
    snprintf(delta, sizeof delta, "queue.delta=%u", c->delta);
    if (result == 0 && !c->why &&
        (result = execution_load(&x, preset, sets, c->delta > 0, err)) == 0) {
        result = simulate(c, m, o, &x, exec, err);
        execution_clear(&x);
    }
    free(preset);
    return result < 0 ? fail_in(err, "%s of %s", c->execution, c->graph) : 0;
}

int traverse_cases_simulate(struct traverse_cases *t, const struct machine *m,
                            const char *const *folders, size_t nfolders,
                            const struct exec_options *exec,
                            void (*progress)(size_t done, size_t all),
                            struct err *err)
{
    struct ground o = {0};
    int result = 0;

    for (size_t i = 0; i < t->n && result == 0; i++) {
        result =
            simulate_case(&t->cases[i], m, &o, folders, nfolders, exec, err);
        progress(i + 1, t->n);
    }
    ground_clear(&o);
    return result;
}
