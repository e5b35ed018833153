/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice model: ranks the strategies by the closed forms of Lockhart et al.
 * 2022, without simulation. */
#include "platforms/platform.h"
#include "cli/cli.h"
#include "base/json.h"
#include "strategies/exchange/model.h"
#include "workloads/matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const struct strategy *strategy;
    struct model_time t;
};

struct request {
    const char *platform, *workload, *partition, *scenario, *reading;
    struct texts sets, wanted; /* --set, --strategy */
    unsigned gpus;
    uint64_t value_bytes; /* 0: not said */
    struct strategy_options options;
    bool json, csv;
};

/* One "key=value" of --scenario. */
static int read_key(struct model_scenario *s, char *item, struct err *err)
{
    static const char *const keys[] = {"messages", "nodes", "bytes",
                                       "duplicates"};
    double values[] = {s->messages, s->nodes, s->bytes, s->duplicates};
    char *equals = strchr(item, '='), *end;
    size_t k = 0;

    if (!equals)
        return fail(err, "expected key=value, got '%s'", item);
    *equals = '\0';
    while (k < 4 && strcmp(item, keys[k]) != 0)
        k++;
    if (k == 4)
        return fail(err,
                    "%s: unknown (known: messages, nodes, bytes, "
                    "duplicates)",
                    item);
    values[k] = strtod(equals + 1, &end);
    double least = k == 3 ? 0 : 1, most = k == 3 ? 1 : k == 2 ? 1e15 : 1e6;
    bool whole = k > 1 || values[k] == floor(values[k]);
    if (end == equals + 1 || *end || !whole ||
        !(values[k] >= least && values[k] <= most))
        return fail(err, "%s: expected a %snumber from %g to %g, got '%s'",
                    item, k < 2 ? "whole " : "", least, most, equals + 1);
    *s = (struct model_scenario){(unsigned)values[0], (unsigned)values[1],
                                 values[2], values[3]};
    return 0;
}

static int read_scenario(struct model_scenario *s, const char *text,
                         struct err *err)
{
    char *copy = xstrdup(text), *rest = copy, *item;
    int result = 0;

    *s = (struct model_scenario){0};
    while (result == 0 && (item = strsep(&rest, ",")) != NULL)
        result = read_key(s, item, err);
    free(copy);
    if (result < 0)
        return fail_in(err, "--scenario");
    if (!s->messages || !s->nodes || s->bytes <= 0)
        return fail(err, "--scenario: messages, nodes and bytes are needed");
    return 0;
}

static int read_reading(enum model_reading *reading, const char *text,
                        struct err *err)
{
    if (text && strcmp(text, "printed") != 0 && strcmp(text, "corrected") != 0)
        return fail(err, "--reading: expected printed or corrected, got '%s'",
                    text);
    *reading =
        text && !strcmp(text, "printed") ? MODEL_PRINTED : MODEL_CORRECTED;
    return 0;
}

static int load_halo(struct halo *halo, const struct request *r,
                     const struct machine *m, struct err *err)
{
    struct matrix matrix;
    enum partition how = PARTITION_CONTIGUOUS;

    if (r->partition && partition_from_name(&how, r->partition, err) < 0)
        return fail_in(err, "--partition");
    if (!r->gpus)
        return fail(err, "--workload needs --gpus");
    if (!m->ngpus)
        return fail(err, "%s has no GPUs", m->name);
    if (r->gpus > (uint64_t)m->network.nodes * m->ngpus)
        return fail(err, "%s has %u nodes of %u GPUs; %u GPUs wanted", m->name,
                    m->network.nodes, m->ngpus, r->gpus);
    if (matrix_from_workload(&matrix, r->workload, err) < 0)
        return -1;
    int result = matrix_halo_by(halo, &matrix, how, r->gpus, m->ngpus, err);
    matrix_clear(&matrix);
    return result;
}

static int read_input(struct model_input *in, const struct request *r,
                      const struct machine *m, struct err *err)
{
    struct model_scenario scenario;
    struct halo halo;

    if (!r->workload == !r->scenario)
        return fail(err, "expected either --workload or --scenario");
    if (r->scenario && r->value_bytes)
        return fail(err, "--value-bytes: not for --scenario");
    if (r->scenario) {
        if (read_scenario(&scenario, r->scenario, err) < 0)
            return -1;
        if (!m->ngpus)
            return fail(err, "%s has no GPUs", m->name);
        if (scenario.nodes >= m->network.nodes)
            return fail(err, "--scenario: one node to %u others: %s has %u",
                        scenario.nodes, m->name, m->network.nodes);
        model_input_from_scenario(in, m, &scenario, &r->options);
        return 0;
    }
    if (load_halo(&halo, r, m, err) < 0)
        return -1;
    int result = halo_set_value_bytes(&halo, r->value_bytes, err);
    if (result == 0)
        model_input_from_halo(in, m, &halo, &r->options);
    halo_clear(&halo);
    return result;
}

/* The strategies of one --strategy, which may be a list; all for none. */
static int add_rows(struct row *rows, size_t *n, const char *names,
                    struct err *err)
{
    char *copy = xstrdup(names), *rest = copy, *name;
    int result = 0;

    while (result == 0 && (name = strsep(&rest, ",")) != NULL) {
        const struct strategy *s = strategy_find(name, err);
        bool twice = false;
        for (size_t i = 0; i < *n; i++)
            twice |= rows[i].strategy == s;
        if (!s)
            result = fail_in(err, "--strategy");
        else if (!twice)
            rows[(*n)++].strategy = s;
    }
    free(copy);
    return result;
}

static int choose(struct row *rows, size_t *n, const struct texts *wanted,
                  struct err *err)
{
    *n = 0;
    for (size_t i = 0; i < wanted->n; i++)
        if (add_rows(rows, n, wanted->items[i], err) < 0)
            return -1;
    for (size_t i = 0; !wanted->n && i < nstrategies; i++)
        rows[(*n)++].strategy = strategies[i];
    return 0;
}

/* Fastest first; equal times stay in order. Those without a closed form come
 * last: theirs is infinite. */
static void rank(struct row *rows, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && rows[j].t.total_s < rows[j - 1].t.total_s;
             j--) {
            struct row swapped = rows[j];
            rows[j] = rows[j - 1];
            rows[j - 1] = swapped;
        }
}

static void print_table(const struct row *rows, size_t n)
{
    printf("%-18s %12s %12s %12s %12s %9s\n", "strategy", "total us",
           "off-node us", "on-node us", "copy us", "x fastest");
    for (size_t i = 0; i < n; i++) {
        const struct model_time *t = &rows[i].t;
        double best = rows[0].t.total_s;
        if (!rows[i].strategy->predict) {
            printf("%-18s %12s %12s %12s %12s %9s\n", rows[i].strategy->name,
                   "-", "-", "-", "-", "-");
            continue;
        }
        printf("%-18s %12.2f %12.2f %12.2f %12.2f %9.2f\n",
               rows[i].strategy->name, t->total_s * 1e6, t->off_node_s * 1e6,
               t->on_node_s * 1e6, t->copy_s * 1e6,
               best > 0 ? t->total_s / best : 1);
    }
}

static void print_csv(const struct row *rows, size_t n)
{
    printf("strategy,total_s,off_node_s,on_node_s,copy_s\n");
    for (size_t i = 0; i < n; i++)
        if (rows[i].strategy->predict)
            printf("%s,%.9g,%.9g,%.9g,%.9g\n", rows[i].strategy->name,
                   rows[i].t.total_s, rows[i].t.off_node_s, rows[i].t.on_node_s,
                   rows[i].t.copy_s);
        else
            printf("%s,,,,\n", rows[i].strategy->name);
}

static void print_json(const struct row *rows, size_t n,
                       const struct machine *m, enum model_reading reading)
{
    struct json *doc = json_new_object(), *list = json_new_array();

    for (size_t i = 0; i < n; i++) {
        struct json *o = json_new_object();
        /* No closed form: null. */
        json_add_string(o, "strategy", rows[i].strategy->name);
        json_add_number(o, "total_s", rows[i].t.total_s);
        json_add_number(o, "off_node_s", rows[i].t.off_node_s);
        json_add_number(o, "on_node_s", rows[i].t.on_node_s);
        json_add_number(o, "copy_s", rows[i].t.copy_s);
        json_append(list, o);
    }
    json_add_string(doc, "platform", m->name);
    json_add_string(doc, "reading",
                    reading == MODEL_PRINTED ? "printed" : "corrected");
    json_add(doc, "predictions", list);
    json_print(doc, stdout);
    json_free(doc);
}

static int predict(const struct request *r, const struct machine *m,
                   struct err *err)
{
    struct row *rows = xcalloc(nstrategies, sizeof *rows);
    struct model_input in;
    enum model_reading reading;
    size_t n;
    int result = -1;

    if (read_reading(&reading, r->reading, err) < 0 ||
        choose(rows, &n, &r->wanted, err) < 0 || read_input(&in, r, m, err) < 0)
        goto out;
    for (size_t i = 0; i < n; i++) {
        rows[i].t = (struct model_time){INFINITY, INFINITY, INFINITY, INFINITY};
        if (rows[i].strategy->predict &&
            model_predict(&rows[i].t, m, &in, rows[i].strategy, reading, err) <
                0)
            goto out;
    }
    rank(rows, n);
    if (r->json)
        print_json(rows, n, m, reading);
    else if (r->csv)
        print_csv(rows, n);
    else
        print_table(rows, n);
    result = 0;
out:
    free(rows);
    return result;
}

int cmd_model(int argc, char **argv, struct err *err)
{
    struct request r = {0};
    bool helped;
    int noperands;
    const struct opt opts[] = {
        {"platform", OPT_TEXT, &r.platform, "NAME", "the machine (lassen)"},
        {"set", OPT_TEXTS, &r.sets, "KEY=VALUE", "override a platform value"},
        {"workload", OPT_TEXT, &r.workload, "W",
         "spmv:FILE.mtx, stencil:9pt:2000x2000, random:rows=N,..."},
        {"gpus", OPT_COUNT, &r.gpus, "G", "GPUs that share the matrix"},
        {"partition", OPT_TEXT, &r.partition, "HOW",
         "contiguous (default) or metis"},
        {"value-bytes", OPT_BYTES, &r.value_bytes, "BYTES",
         "of a value that is exchanged (8); 8 k: of k vectors at once"},
        {"scenario", OPT_TEXT, &r.scenario, "S",
         "messages=M,nodes=N,bytes=B[,duplicates=0.25]"},
        {"reading", OPT_TEXT, &r.reading, "R",
         "corrected (default), or printed as in the paper"},
        {"strategy", OPT_TEXTS, &r.wanted, "NAME,...", "only these"},
        {"message-cap", OPT_BYTES, &r.options.message_cap_B, "BYTES",
         "of split (the rendezvous limit)"},
        {"ranks-per-node", OPT_COUNT, &r.options.ranks_per_node, "N",
         "of split (all cores)"},
        {"keep-duplicates", OPT_FLAG, &r.options.keep_duplicates, NULL,
         "send a value once per GPU that needs it"},
        {"json", OPT_FLAG, &r.json, NULL, "as JSON"},
        {"csv", OPT_FLAG, &r.csv, NULL, "as CSV"},
    };

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0],
                   "model --platform P --workload W --gpus G | --scenario S",
                   "The closed forms of Lockhart et al. 2022: which strategy "
                   "is the fastest. A\nscenario is a node that sends M "
                   "messages of B bytes to N nodes.\n",
                   &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands)
        return fail(err, "%s: unexpected (see --help)", argv[1]);
    if (r.json && r.csv)
        return fail(err, "expected --json or --csv, not both");

    struct machine m;
    if (platform_load(&m, r.platform ? r.platform : "lassen", r.sets.items,
                      r.sets.n, err) < 0)
        return -1;
    int result = predict(&r, &m, err);
    machine_clear(&m);
    return result;
}
