/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice model: ranks the strategies by the closed forms of Lockhart et al.
 * 2022, without simulation. */
#include "platforms/platform.h"
#include "base/csv.h"
#include "base/number.h"
#include "cli/cli.h"
#include "base/json.h"
#include "cli/document.h"
#include "strategies/exchange/model.h"
#include "cli/print_run.h"
#include "study/run/shapes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    const struct strategy *strategy;
    struct model_time t;
};

struct form {
    const char *scenario, *reading;
    bool json, csv;
};

/* Reads one "key=value" of --scenario. */
static int cmd_model_read_key(struct model_scenario *s, char *item,
                              struct err *err)
{
    static const char *const keys[] = {"messages", "nodes", "bytes",
                                       "duplicates"};
    double values[] = {s->messages, s->nodes, s->bytes, s->duplicates};
    char *equals = strchr(item, '=');
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
    if (values[k] > 0)
        return fail(err, "%s: given twice", item);
    bool number = number_real(equals + 1, &values[k]);
    double least = k == 3 ? 0 : 1, most = k == 3 ? 1 : k == 2 ? 1e15 : 1e6;
    bool whole = k > 1 || values[k] == floor(values[k]);
    if (!number || !whole || !(values[k] >= least && values[k] <= most))
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
        result = cmd_model_read_key(s, item, err);
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

static int scenario_input(struct model_input *in, const struct machine *m,
                          const struct form *form, const struct request *r,
                          struct err *err)
{
    struct strategy_options options = r->options;
    struct model_scenario scenario;

    if (read_scenario(&scenario, form->scenario, err) < 0)
        return -1;
    if (!m->ngpus)
        return fail(err, "%s has no GPUs", m->name);
    if (scenario.nodes >= m->network.nodes)
        return fail(err, "--scenario: one node to %u others: %s has %u",
                    scenario.nodes, m->name, m->network.nodes);
    options.ranks_per_node = r->work.ranks_per_node;
    model_input_from_scenario(in, m, &scenario, &options);
    return 0;
}

/* Sorts the fastest first; equal times stay in order. Strategies without a
 * closed form come last, because their time is infinite. */
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

/* Returns the time relative to the best; NAN if there is no closed form. */
static double times_best(const struct row *rows, size_t i)
{
    double best = rows[0].t.total_s;

    if (!rows[i].strategy->predict)
        return NAN;
    return best > 0 ? rows[i].t.total_s / best : 1;
}

static void cmd_model_print_table(const struct row *rows, size_t n)
{
    printf("%-18s %12s %12s %12s %12s %9s\n", "strategy", "total us",
           "off-node us", "on-node us", "copy us", "x fastest");
    for (size_t i = 0; i < n; i++) {
        const struct model_time *t = &rows[i].t;
        if (!rows[i].strategy->predict) {
            printf("%-18s %12s %12s %12s %12s %9s\n", rows[i].strategy->name,
                   "-", "-", "-", "-", "-");
            continue;
        }
        printf("%-18s %12.2f %12.2f %12.2f %12.2f %9.2f\n",
               rows[i].strategy->name, t->total_s * 1e6, t->off_node_s * 1e6,
               t->on_node_s * 1e6, t->copy_s * 1e6, times_best(rows, i));
    }
}

/* Prints the columns of `run`. A scenario has no partition, and its messages
 * are not distinguished by nodes. */
static void cmd_model_print_csv(const struct row *rows, size_t n,
                                const struct machine *m, const struct job *j)
{
    printf("strategy,total_s,off_node_s,on_node_s,copy_s,platform,workload,"
           "nodes,gpus");
    print_csv_origin_head();
    printf("\n");
    for (size_t i = 0; i < n; i++) {
        if (rows[i].strategy->predict)
            printf("%s,%.9g,%.9g,%.9g,%.9g,", rows[i].strategy->name,
                   rows[i].t.total_s, rows[i].t.off_node_s, rows[i].t.on_node_s,
                   rows[i].t.copy_s);
        else
            printf("%s,,,,,", rows[i].strategy->name);
        csv_print_text(stdout, m->name);
        putchar(',');
        csv_print_text(stdout, j ? j->words : "");
        if (j)
            printf(",%u,%u", j->load.nodes, j->load.gpus);
        else
            printf(",,");
        print_csv_origin(times_best(rows, i), j ? j->words : "",
                         j ? j->load.partition : NULL);
        printf("\n");
    }
}

/* Finds the least time of the strategies under the partition to compare
 * with. */
static int predict_compared(struct compared *best, const struct job *j,
                            const struct row *rows, size_t n,
                            enum model_reading reading, struct err *err)
{
    struct model_input in;

    *best = (struct compared){.time_s = INFINITY};
    if (!j || !compared_is_made(best, &j->load))
        return 0;
    model_input_from_halo(&in, j->machine, &j->load.compared_halo, &j->options);
    for (size_t i = 0; i < n; i++) {
        struct model_time t;
        if (!rows[i].strategy->predict)
            continue;
        if (model_predict(&t, j->machine, &in, rows[i].strategy, reading, err) <
            0)
            return compared_failed(best, &j->load, err);
        if (t.total_s < best->time_s) {
            best->name = rows[i].strategy->name;
            best->time_s = t.total_s;
        }
    }
    return 0;
}

static void cmd_model_print_json(const struct row *rows, size_t n,
                                 const struct machine *m, const struct job *j,
                                 const struct compared *compared,
                                 enum model_reading reading)
{
    struct json *doc = document_new("model"), *list = json_new_array();

    for (size_t i = 0; i < n; i++) {
        struct json *o = json_new_object();
        /* Without a closed form the numbers are null. */
        json_add_string(o, "strategy", rows[i].strategy->name);
        json_add_number(o, "total_s", rows[i].t.total_s);
        json_add_number(o, "off_node_s", rows[i].t.off_node_s);
        json_add_number(o, "on_node_s", rows[i].t.on_node_s);
        json_add_number(o, "copy_s", rows[i].t.copy_s);
        json_add_number(o, "times_best", times_best(rows, i));
        json_append(list, o);
    }
    json_add_string(doc, "platform", m->name);
    if (j) {
        document_add_workload(doc, j->words);
        json_add_string(doc, "partition", j->load.partition);
        json_add_number(doc, "nodes", j->load.nodes);
        json_add_number(doc, "gpus", j->load.gpus);
    }
    json_add_string(doc, "reading",
                    reading == MODEL_PRINTED ? "printed" : "corrected");
    json_add(doc, "predictions", list);
    if (j)
        add_compared(doc, &j->load, compared);
    document_print(doc);
}

/* Predicts and prints; j is NULL for a scenario. */
static int cmd_model_predict(const struct machine *m, const struct job *j,
                             const struct model_input *in, struct row *rows,
                             size_t n, const struct form *form, struct err *err)
{
    enum model_reading reading;
    struct compared compared;

    if (read_reading(&reading, form->reading, err) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        rows[i].t = (struct model_time){INFINITY, INFINITY, INFINITY, INFINITY};
        if (!rows[i].strategy->predict)
            continue;
        int result = j && j->load.halo.nrounds
                         ? model_predict_rounds(&rows[i].t, m, &j->load.halo,
                                                &j->options, rows[i].strategy,
                                                reading, err)
                         : model_predict(&rows[i].t, m, in, rows[i].strategy,
                                         reading, err);
        if (result < 0)
            return -1;
    }
    rank(rows, n);
    if (predict_compared(&compared, j, rows, n, reading, err) < 0)
        return -1;
    if (form->json)
        cmd_model_print_json(rows, n, m, j, &compared, reading);
    else if (form->csv)
        cmd_model_print_csv(rows, n, m, j);
    else
        cmd_model_print_table(rows, n);
    if (j && !form->json && !form->csv)
        print_compared(&j->load, &compared, rows[0].t.total_s);
    return 0;
}

static int refuse_in_scenario(void *arg, const char *option, struct err *err)
{
    (void)arg;
    if (opt_in_list("platform set strategy message-cap ranks-per-node "
                    "keep-duplicates",
                    option))
        return 0;
    return fail(err, "--%s: not for --scenario", option);
}

/* Predicts a scenario, a pattern without a workload, which only closed forms
 * can use. */
static int predict_scenario(const struct request *r, const struct form *form,
                            struct err *err)
{
    const struct strategy **list = xcalloc(nstrategies, sizeof(void *));
    struct row *rows = xcalloc(nstrategies, sizeof *rows);
    struct machine m = {0};
    struct model_input in;
    size_t n;

    int result = strategies_pick(list, &n, r->strategy, err);
    if (result == 0)
        result = request_said(r, refuse_in_scenario, NULL, err);
    if (result == 0)
        result = platform_load(&m, r->platform ? r->platform : "lassen",
                               r->sets.items, r->sets.n, err);
    if (result == 0)
        result = scenario_input(&in, &m, form, r, err);
    for (size_t i = 0; result == 0 && i < n; i++)
        rows[i].strategy = list[i];
    if (result == 0)
        result = cmd_model_predict(&m, NULL, &in, rows, n, form, err);
    machine_clear(&m);
    free(rows);
    free(list);
    return result;
}

static int predict_workload(const struct request *r, const struct form *form,
                            struct err *err)
{
    struct model_input in;
    struct job j;

    if (r->no_packing)
        return fail(err, "--no-packing: the closed forms have none");
    if (job_load(&j, r, err) < 0)
        return -1;
    struct row *rows = xcalloc(j.nchoices, sizeof *rows);
    for (size_t i = 0; i < j.nchoices; i++)
        rows[i].strategy = j.choices[i].strategy;
    int result = -1;
    if (!job_shape(&j)->closed_forms) {
        result = fail(err,
                      "model: %s has no closed forms: only exchanges of "
                      "values between GPUs have",
                      j.words);
    } else {
        model_input_from_halo(&in, j.machine, &j.load.halo, &j.options);
        result =
            cmd_model_predict(j.machine, &j, &in, rows, j.nchoices, form, err);
    }
    free(rows);
    job_clear(&j);
    return result;
}

static const struct opts_page page = {
    .usage = "model [EXPERIMENT.json] --workload W | --scenario S",
    .about = "Ranks strategies by closed forms, without simulation. In a "
             "scenario a node sends M messages of B bytes to N nodes.\n",
    .examples = {{"Rank strategies for 256 messages of 2 KiB to 16 nodes",
                  "sluice model --scenario messages=256,nodes=16,bytes=2048"},
                 {"Rank strategies for a stencil's halo exchange",
                  "sluice model --workload stencil:9pt:1000x1000 --gpus 16"}},
};

int cmd_model(int argc, char **argv, struct err *err)
{
    struct request r;
    struct form form = {0};
    struct json *doc = NULL;
    bool helped;
    int noperands;

    request_init(&r);
    const struct opt opts[] = {
        REQUEST_OPTIONS(r),
        OPT_HEADING("Closed forms"),
        {"scenario", OPT_TEXT, &form.scenario, "S",
         "messages=M,nodes=N,bytes=B[,duplicates=0.25], instead of a workload"},
        {"reading", OPT_TEXT, &form.reading, "R",
         "formulas: corrected, or printed as in the paper "
         "[default: corrected]"},
        OPT_HEADING("Output"),
        {"json", OPT_FLAG, &form.json, NULL, "results as JSON"},
        {"csv", OPT_FLAG, &form.csv, NULL, "results as CSV"},
    };

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                   &noperands, &helped, err) < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands > 1)
        return fail(err, "%s: unexpected (see --help)", argv[2]);
    if (form.json && form.csv)
        return fail(err, "expected --json or --csv, not both");
    if (noperands == 1 && request_read(&r, &doc, argv[1], err) < 0)
        return -1;
    int result = -1;
    if (!form.csv && !form.scenario)
        request_compare(&r);
    if (form.csv && workload_compares(&r.work))
        result = fail(err, "--compare-partition: not with --csv, whose rows "
                           "are of one partition");
    else if (request_no_runtime(&r, "model", err) < 0)
        result = -1;
    else if (!r.work.words == !form.scenario)
        result = fail(err, "expected either --workload or --scenario");
    else
        result = form.scenario ? predict_scenario(&r, &form, err)
                               : predict_workload(&r, &form, err);
    json_free(doc);
    return result;
}
