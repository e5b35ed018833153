/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads what a command works on: machine, halo and strategies, from options or
 * an experiment file. */
#include "strategies/job.h"

#include "platforms/platform.h"
#include "base/json.h"
#include "workloads/matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int read_text_key(const struct json *o, const char *key,
                         const char **out, struct err *err)
{
    if (!json_member(o, key) || *out)
        return 0;
    return json_get_string(o, key, out, err);
}

static int read_count_key(const struct json *o, const char *key, unsigned *out,
                          struct err *err)
{
    uint64_t v;

    if (!json_member(o, key) || *out)
        return 0;
    if (json_get_count(o, key, &v, err) < 0)
        return -1;
    if (v == 0 || v > 1000000000)
        return fail(err, "%s: expected a whole number above 0", key);
    *out = (unsigned)v;
    return 0;
}

static int read_sets(const struct json *o, struct job_request *r,
                     struct err *err)
{
    struct json *list;

    if (!json_member(o, "set"))
        return 0;
    if (json_get_array(o, "set", &list, err) < 0)
        return -1;
    for (size_t i = 0; i < json_size(list); i++) {
        struct json *item = json_at(list, i);
        if (!json_is_string(item) ||
            r->sets.n == sizeof r->sets.items / sizeof r->sets.items[0])
            return fail(err, "set[%zu]: expected \"KEY=VALUE\", at most 64", i);
        r->sets.items[r->sets.n++] = json_string(item);
    }
    return 0;
}

/* A number of bytes above 0, at most `most`. */
static int read_bytes_key(const struct json *o, const char *key, uint64_t most,
                          uint64_t *out, struct err *err)
{
    uint64_t v;

    if (!json_member(o, key) || *out)
        return 0;
    if (json_get_count(o, key, &v, err) < 0)
        return -1;
    if (!v || v > most)
        return fail(err, "%s: expected bytes above 0, at most %llu", key,
                    (unsigned long long)most);
    *out = v;
    return 0;
}

static int read_options(const struct json *o, struct strategy_options *s,
                        struct err *err)
{
    if (json_member(o, "keep_duplicates") && !s->keep_duplicates &&
        json_get_bool(o, "keep_duplicates", &s->keep_duplicates, err) < 0)
        return -1;
    if (read_bytes_key(o, "message_cap_bytes", UINT64_C(1) << 53,
                       &s->message_cap_B, err) < 0)
        return -1;
    return read_count_key(o, "ranks_per_node", &s->ranks_per_node, err);
}

static int read_number_key(const struct json *o, const char *key, double *out,
                           struct err *err)
{
    if (!json_member(o, key) || !isnan(*out))
        return 0;
    return json_get_number(o, key, out, err);
}

static int read_traverse(const struct json *o, struct traverse_request *t,
                         struct err *err)
{
    uint64_t source;

    if (json_member(o, "source") && !t->source) {
        if (json_get_count(o, "source", &source, err) < 0)
            return -1;
        snprintf(t->number, sizeof t->number, "%llu",
                 (unsigned long long)source);
        t->source = t->number;
    }
    if (read_number_key(o, "damping", &t->damping, err) < 0 ||
        read_number_key(o, "threshold", &t->threshold, err) < 0)
        return -1;
    return read_number_key(o, "edge_ns", &t->edge_ns, err);
}

static int read_experiment(struct job_request *r, struct traverse_request *t,
                           const struct json *doc, struct err *err)
{
    static const char *const known[] = {"platform",
                                        "workload",
                                        "gpus",
                                        "nodes",
                                        "partition",
                                        "strategy",
                                        "keep_duplicates",
                                        "message_cap_bytes",
                                        "value_bytes",
                                        "set",
                                        "ranks_per_node",
                                        "source",
                                        "damping",
                                        "threshold",
                                        "edge_ns",
                                        "about"};
    unsigned gpus = r->gpus, nodes = r->nodes;

    if (!json_is_object(doc))
        return fail(err, "expected an object, got %s", json_type_name(doc));
    if (json_only_keys(doc, known, sizeof known / sizeof known[0], err) < 0 ||
        read_text_key(doc, "platform", &r->platform, err) < 0 ||
        read_text_key(doc, "workload", &r->workload, err) < 0 ||
        read_text_key(doc, "partition", &r->partition, err) < 0 ||
        read_text_key(doc, "strategy", &r->strategy, err) < 0 ||
        read_count_key(doc, "gpus", &r->gpus, err) < 0 ||
        read_count_key(doc, "nodes", &r->nodes, err) < 0 ||
        read_bytes_key(doc, "value_bytes", HALO_MAX_VALUE_BYTES,
                       &r->value_bytes, err) < 0 ||
        read_options(doc, &r->options, err) < 0 ||
        read_traverse(doc, t, err) < 0)
        return -1;
    /* What the command line says of the size replaces both keys. */
    if (gpus || nodes) {
        r->gpus = gpus;
        r->nodes = nodes;
    }
    return read_sets(doc, r, err);
}

int job_read_experiment(struct job_request *r, struct traverse_request *t,
                        struct json **doc, const char *path, struct err *err)
{
    *doc = json_load(path, err);
    if (!*doc)
        return -1;
    if (read_experiment(r, t, *doc, err) < 0) {
        json_free(*doc);
        *doc = NULL;
        return fail_in(err, "%s", path);
    }
    return 0;
}

/* "a,b,c", or all that the machine can do. */
static int pick_strategies(struct job *j, const char *names, struct err *err)
{
    j->strategies = xcalloc(nstrategies + 1, sizeof(void *));
    j->all = !names;
    if (!names) {
        for (size_t i = 0; i < nstrategies; i++)
            j->strategies[j->nstrategies++] = strategies[i];
        return 0;
    }

    char *list = xstrdup(names), *rest = list;
    int result = 0;
    for (char *name; result == 0 && (name = strsep(&rest, ","));) {
        const struct strategy *s = strategy_find(name, err);
        if (!s) {
            result = -1;
            break;
        }
        for (size_t i = 0; i < j->nstrategies; i++)
            if (j->strategies[i] == s)
                result = fail(err, "--strategy: %s is named twice", s->name);
        if (result == 0)
            j->strategies[j->nstrategies++] = s;
    }
    free(list);
    return result;
}

/* An option that none of the named strategies would look at. */
static int check_option(const struct job *j, const char *option,
                        struct err *err)
{
    char *takers = NULL;

    for (size_t i = 0; i < j->nstrategies; i++)
        if (opt_in_list(j->strategies[i]->options, option))
            return 0;
    for (size_t i = 0; i < nstrategies; i++) {
        if (!opt_in_list(strategies[i]->options, option))
            continue;
        char *longer = takers ? xasprintf("%s, %s", takers, strategies[i]->name)
                              : xstrdup(strategies[i]->name);
        free(takers);
        takers = longer;
    }
    int result = fail(err, "--%s: only for %s", option, takers);
    free(takers);
    return result;
}

static int check_options(const struct job *j, struct err *err)
{
    if (j->options.message_cap_B && check_option(j, "message-cap", err) < 0)
        return -1;
    if (j->options.keep_duplicates)
        return check_option(j, "keep-duplicates", err);
    return 0;
}

#define DEFAULT_NODES 16

int job_count_gpus(unsigned *gpus, const struct machine *m,
                   const struct job_request *r, unsigned default_nodes,
                   struct err *err)
{
    if (r->gpus && r->nodes)
        return fail(err, "--gpus and --nodes: say one of them");
    if (!m->ngpus)
        return fail(err, "%s has no GPUs", m->name);
    unsigned nodes = r->nodes                           ? r->nodes
                     : default_nodes < m->network.nodes ? default_nodes
                                                        : m->network.nodes;
    *gpus = r->gpus ? r->gpus : nodes * m->ngpus;
    if (nodes > m->network.nodes ||
        *gpus > (uint64_t)m->network.nodes * m->ngpus)
        return fail(err, "%s has %u nodes of %u GPUs; %u %s wanted", m->name,
                    m->network.nodes, m->ngpus, r->gpus ? r->gpus : nodes,
                    r->gpus ? "GPUs" : "nodes");
    return 0;
}

static int make_halo(struct job *j, const struct job_request *r,
                     struct err *err)
{
    struct matrix matrix;
    enum partition how = PARTITION_CONTIGUOUS;
    unsigned gpus;

    if (!r->workload)
        return fail(err, "expected --workload (such as spmv:FILE.mtx)");
    if (job_count_gpus(&gpus, &j->machine, r, DEFAULT_NODES, err) < 0 ||
        (r->partition && partition_from_name(&how, r->partition, err) < 0) ||
        matrix_from_workload(&matrix, r->workload, err) < 0)
        return -1;
    int result =
        matrix_halo_by(&j->halo, &matrix, how, gpus, j->machine.ngpus, err);
    if (result == 0)
        result = halo_set_value_bytes(&j->halo, r->value_bytes, err);
    matrix_clear(&matrix);
    return result;
}

int job_load(struct job *j, const struct job_request *r, struct err *err)
{
    memset(j, 0, sizeof *j);
    j->options = r->options;
    j->exec = r->exec;
    j->workload = xstrdup(r->workload ? r->workload : "");
    j->partition = xstrdup(r->partition ? r->partition : "contiguous");
    if (platform_load(&j->machine, r->platform ? r->platform : "lassen",
                      r->sets.items, r->sets.n, err) < 0 ||
        pick_strategies(j, r->strategy, err) < 0 || check_options(j, err) < 0 ||
        make_halo(j, r, err) < 0) {
        job_clear(j);
        return -1;
    }
    return 0;
}

void job_clear(struct job *j)
{
    machine_clear(&j->machine);
    halo_clear(&j->halo);
    free(j->workload);
    free(j->partition);
    free(j->strategies);
    memset(j, 0, sizeof *j);
}
