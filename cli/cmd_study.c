/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice study: simulates the cells of Tables II to V of Chen et al. 2022 into
 * a CSV file. */
#include "base/number.h"
#include "cli/cli.h"
#include "cli/document.h"
#include "cli/script.h"

#include <string.h>

/* Adds numbers of GPUs, 1 to 8. */
static int add_gpus(struct json *doc, const struct texts *t, struct err *err)
{
    enum { MOST = 8 };
    struct json *list = json_new_array();

    json_add(doc, "gpus", list);
    for (size_t i = 0; i < t->n; i++) {
        uint64_t n;
        if (!number_whole(t->items[i], &n) || n < 1 || n > MOST)
            return fail(err, "--gpus %s: expected 1 to %d", t->items[i], MOST);
        json_append(list, json_new_number((double)n));
    }
    return 0;
}

static void add_texts(struct json *doc, const char *key, const struct texts *t)
{
    struct json *list = json_new_array();

    for (size_t i = 0; i < t->n; i++)
        json_append(list, json_new_string(t->items[i]));
    json_add(doc, key, list);
}

static const struct opts_page page = {
    .usage = "study [-o CELLS.csv] [OPTIONS]",
    .about =
        "Simulates BFS and PageRank on GPUs, each graph under each framework "
        "on each machine, for the figures of atos. Adds each cell that is not "
        "in the file yet as a row when it is complete: a study that was "
        "interrupted resumes. Rows of an older "
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
    const char *path, *folder;
    unsigned jobs;
    bool only_graphs, as_json, helped;
};

static int study_parse(struct study_words *w, int argc, char **argv,
                       struct err *err)
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
        {"graphs", OPT_TEXT, &w->folder, "DIR",
         "keep graphs and partitions in this folder, so that each is made "
         "once [default: none are kept]"},
        {"only-graphs", OPT_FLAG, &w->only_graphs, NULL,
         "make the graphs and partitions of the chosen cells in DIR, and "
         "simulate nothing"},
        {"jobs", OPT_COUNT, &w->jobs, "J",
         "processes, up to 8 [default: one per processor]"},
        OPT_HEADING("Output"),
        {"o", OPT_OUTPUT, &w->path, "CELLS.csv",
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

static int study_check(const struct study_words *w, struct err *err)
{
    if (w->only_graphs && !w->folder)
        return fail(err, "--only-graphs: expected --graphs DIR, too");
    if (w->only_graphs && w->path)
        return fail(err, "--only-graphs: not with -o: no cell is simulated");
    if (w->as_json && (!w->path || !strcmp(w->path, "-")))
        return fail(err, "--json: expected -o CELLS.csv, too");
    return 0;
}

int cmd_study(int argc, char **argv, struct err *err)
{
    struct study_words w = {0};

    if (study_parse(&w, argc, argv, err) < 0)
        return -1;
    if (w.helped)
        return 0;
    struct json *doc = document_new("study");
    add_texts(doc, "applications", &w.applications);
    add_texts(doc, "machines", &w.machines);
    add_texts(doc, "frameworks", &w.frameworks);
    add_texts(doc, "graphs", &w.graphs);
    add_texts(doc, "scales", &w.scales);
    json_add_number(doc, "jobs", w.jobs);
    json_add_bool(doc, "only_graphs", w.only_graphs);
    json_add_bool(doc, "json", w.as_json);
    if (w.folder)
        json_add_string(doc, "folder", w.folder);
    if (w.path)
        json_add_string(doc, "file", w.path);
    int result = study_check(&w, err);
    if (result == 0)
        result = add_gpus(doc, &w.gpus, err);
    if (result == 0)
        result = script_start("results/papers/study.py", "", doc, err);
    json_free(doc);
    return result;
}
