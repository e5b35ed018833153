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

static const struct opts_page page = {
    .usage = "study [-o CELLS.csv] [OPTIONS]",
    .about =
        "Simulates cells of Tables II to V and of Fig 7 of Chen et al. 2022 "
        "(Atos) that are not in the file yet, and adds each as a row when it "
        "is complete: a study that was interrupted resumes. Rows of an older "
        "model, machine or preset are simulated again. Options choose cells "
        "and may be repeated; without them all cells are chosen, which takes "
        "minutes. MACHINE is daisy, summit-ib (one GPU per node) or "
        "summit-node. `sluice figure` draws tables and figures of the file.\n",
    .examples = {{"Simulate BFS on Daisy with 4 GPUs at a small scale",
                  "sluice study --application bfs --machine daisy --graph "
                  "road_usa --framework Gunrock --gpus 4 --scale 0.001"}},
};

/* The values of the command line. */
struct study_words {
    struct texts applications, machines, frameworks, graphs, scales, gpus;
    bool as_json, helped;
};

static int study_parse(struct study_words *w, struct study_request *r, int argc,
                       char **argv, struct err *err)
{
    int noperands;
    const struct opt opts[] = {
        OPT_HEADING("Cells"),
        {"application", OPT_TEXTS, &w->applications, "A",
         "only this application: bfs or pagerank"},
        {"machine", OPT_TEXTS, &w->machines, "MACHINE",
         "only this machine: daisy, summit-ib or summit-node"},
        {"framework", OPT_TEXTS, &w->frameworks, "F",
         "only this framework: Gunrock, Groute, Galois, Atos, "
         "Atos-standard-persistent, ..."},
        {"graph", OPT_TEXTS, &w->graphs, "NAME",
         "only this graph: road_usa, ..."},
        {"gpus", OPT_TEXTS, &w->gpus, "N", "only cells with N GPUs, 1 to 8"},
        OPT_HEADING("Simulation"),
        {"scale", OPT_TEXTS, &w->scales, "S|NAME=S",
         "scale of the synthetic graphs, or of one; 1 is full size [default: "
         "a few 10^6 arcs]"},
        {"graphs", OPT_TEXT, &r->graphs, "DIR",
         "keep graphs and partitions in this folder, so that each is made "
         "once [default: none are kept]"},
        {"only-graphs", OPT_FLAG, &r->only_graphs, NULL,
         "make the graphs and partitions of the chosen cells in DIR, and "
         "simulate nothing"},
        {"jobs", OPT_COUNT, &r->jobs, "J",
         "processes, up to 8 [default: one per processor]"},
        OPT_HEADING("Output"),
        {"o", OPT_OUTPUT, &r->path, "CELLS.csv",
         "file to which rows are added [default: standard output]"},
        {"json", OPT_FLAG, &w->as_json, NULL,
         "the chosen cells of the file as JSON, when all are simulated"},
    };

    if (opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                   &noperands, &w->helped, err) < 0)
        return -1;
    if (noperands && !w->helped)
        return fail(err, "study: expected no operand, got '%s'", argv[1]);
    return 0;
}

int cmd_study(int argc, char **argv, struct err *err)
{
    struct study_words w = {0};
    struct study_choice choice = {0};
    struct study_request r = {.choices = &choice, .nchoices = 1};
    struct study_done done;

    if (study_parse(&w, &r, argc, argv, err) < 0)
        return -1;
    if (w.helped)
        return 0;
    if (r.only_graphs && !r.graphs)
        return fail(err, "--only-graphs: expected --graphs DIR, too");
    if (read_gpus(&choice.gpus, &w.gpus, err) < 0)
        return -1;
    choice.applications = names_of(&w.applications);
    choice.machines = names_of(&w.machines);
    choice.frameworks = names_of(&w.frameworks);
    choice.graphs = names_of(&w.graphs);
    r.scales = names_of(&w.scales);
    if (r.only_graphs && r.path)
        return fail(err, "--only-graphs: not with -o: no cell is simulated");
    if (w.as_json && (!r.path || !strcmp(r.path, "-")))
        return fail(err, "--json: expected -o CELLS.csv, too");
    r.path = r.path ? r.path : r.only_graphs ? "/dev/null" : "-";
    r.quiet = !isatty(2);
    if (study_run(&done, &r, err) < 0)
        return -1;
    if (w.as_json)
        return cmd_study_print_json(&r, &done, err);
    if (strcmp(r.path, "-") != 0)
        print_done(&r, &done);
    return 0;
}
