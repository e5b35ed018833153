/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice study: simulates the cells of Tables II to V of Chen et al. 2022 into
 * a CSV file. */
#include "base/number.h"
#include "cli/cli.h"
#include "cli/document.h"
#include "results/papers/study.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct study_names names_of(const struct texts *t)
{
    return (struct study_names){t->items, t->n};
}

/* Sets bit N of *gpus for each number N. */
static int read_gpus(unsigned *gpus, const struct texts *t, struct err *err)
{
    enum { MOST = 8 };

    *gpus = 0;
    for (size_t i = 0; i < t->n; i++) {
        uint64_t n;
        if (!number_whole(t->items[i], &n) || n < 1 || n > MOST)
            return fail(err, "--gpus %s: expected 1 to %d", t->items[i], MOST);
        *gpus |= 1U << n;
    }
    return 0;
}

static void print_done(const struct study_request *r,
                       const struct study_done *d)
{
    if (r->only_graphs) {
        printf("%s: graphs and partitions of %zu cells\n", r->graphs,
               d->chosen);
        return;
    }
    printf("%s: %zu cells, %zu of them simulated now", r->path, d->chosen,
           d->simulated);
    if (d->stale)
        printf(" (%zu had been made by another model)", d->stale);
    printf("\n");
}

/* Prints the chosen cells as they are in the file now; null if not
 * simulated. */
static int cmd_study_print_json(const struct study_request *r,
                                const struct study_done *d, struct err *err)
{
    struct cells cells;

    if (cells_read(&cells, r->path, err) < 0)
        return -1;
    struct json *doc = document_new("study"), *list = json_new_array();
    json_add_string(doc, "file", r->path);
    json_add_number(doc, "simulated_now", (double)d->simulated);
    for (size_t i = 0; i < cells.n; i++) {
        const struct cell *c = &cells.list[i];
        if (!study_wants(r->choices, &c->key))
            continue;
        struct json *o = json_new_object();
        json_add_string(o, "application", c->key.application);
        json_add_string(o, "machine", c->key.machine);
        json_add_string(o, "framework", c->key.framework);
        json_add_string(o, "graph", c->key.graph);
        json_add_number(o, "gpus", c->key.gpus);
        json_add_number(o, "scale", c->scale);
        json_add_number(o, "time_s", c->ms * 1e-3);
        json_add_number(o, "printed_time_s", c->printed_ms * 1e-3);
        json_add_number(o, "visits_per_vertex", c->workload);
        json_append(list, o);
    }
    json_add(doc, "cells", list);
    document_print(doc);
    cells_clear(&cells);
    return 0;
}

static const char more[] =
    "Simulates cells of Tables II to V and of Fig 7 of Chen et al. 2022 "
    "(Atos), "
    "each\nthat is not in the file yet, and adds it as a row when it is done: "
    "interrupted,\nit goes on where it was. A row that the model, a machine or "
    "a preset as they are\nnow would not make is simulated again. Options "
    "choose cells and may be given\nagain; without them all "
    "are chosen, which "
    "takes minutes. MACHINE is daisy,\nsummit-ib (one GPU a node) or "
    "summit-node. `sluice figure` makes tables and\nfigures of the file.\n";

int cmd_study(int argc, char **argv, struct err *err)
{
    struct texts applications = {0}, machines = {0}, frameworks = {0},
                 graphs = {0}, scales = {0}, gpus = {0};
    struct study_choice choice = {0};
    struct study_request r = {.choices = &choice, .nchoices = 1};
    struct study_done done;
    int noperands;
    bool helped, as_json = false;
    const struct opt opts[] = {
        {"o", OPT_OUTPUT, &r.path, "CELLS.csv",
         "the file of cells; rows are added to it [default: standard output]"},
        {"application", OPT_TEXTS, &applications, "A",
         "only this application: bfs or pagerank"},
        {"machine", OPT_TEXTS, &machines, "MACHINE",
         "only this machine: daisy, summit-ib or summit-node"},
        {"framework", OPT_TEXTS, &frameworks, "F",
         "Gunrock, Groute, Galois, Atos, Atos-standard-persistent, ..."},
        {"graph", OPT_TEXTS, &graphs, "NAME", "road_usa, ..."},
        {"gpus", OPT_TEXTS, &gpus, "N", "only cells with N GPUs, 1 to 8"},
        {"scale", OPT_TEXTS, &scales, "S|NAME=S",
         "scale of the synthetic graphs, or of one; 1 is full size [default: a "
         "few 10^6 arcs]"},
        {"graphs", OPT_TEXT, &r.graphs, "DIR",
         "keep graphs and partitions in this folder, so that each is made once "
         "[default: none are kept]"},
        {"only-graphs", OPT_FLAG, &r.only_graphs, NULL,
         "make the graphs and partitions of the chosen cells in DIR, and "
         "simulate nothing"},
        {"jobs", OPT_COUNT, &r.jobs, "J",
         "processes, up to 8 [default: one per processor]"},
        {"json", OPT_FLAG, &as_json, NULL,
         "the chosen cells of the file as JSON, when all are there"},
    };

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0],
                   "study [-o CELLS.csv] [OPTIONS]", more, &noperands, &helped,
                   err) < 0)
        return -1;
    if (helped)
        return 0;
    if (noperands)
        return fail(err, "study: expected no operand, got '%s'", argv[1]);
    if (r.only_graphs && !r.graphs)
        return fail(err, "--only-graphs: expected --graphs DIR, too");
    if (read_gpus(&choice.gpus, &gpus, err) < 0)
        return -1;
    choice.applications = names_of(&applications);
    choice.machines = names_of(&machines);
    choice.frameworks = names_of(&frameworks);
    choice.graphs = names_of(&graphs);
    r.scales = names_of(&scales);
    if (r.only_graphs && r.path)
        return fail(err, "--only-graphs: not with -o: no cell is simulated");
    if (as_json && (!r.path || !strcmp(r.path, "-")))
        return fail(err, "--json: expected -o CELLS.csv, too");
    r.path = r.path ? r.path : r.only_graphs ? "/dev/null" : "-";
    r.quiet = !isatty(2);
    if (study_run(&done, &r, err) < 0)
        return -1;
    if (as_json)
        return cmd_study_print_json(&r, &done, err);
    if (strcmp(r.path, "-") != 0)
        print_done(&r, &done);
    return 0;
}
