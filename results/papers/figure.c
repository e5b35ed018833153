/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of figures and tables that can be redrawn, with the cells that each
 * needs. */
#include "results/papers/figure.h"
#include "base/known.h"

#include <stdlib.h>
#include <string.h>

/* --- cells for Chen et al.'s figures -------------------------------------- */

#define NAMES(...)                                                             \
    {                                                                          \
        (const char *const[]){__VA_ARGS__},                                    \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)        \
    }
#define SCALE_FREE                                                             \
    "soc-LiveJournal1", "hollywood-2009", "indochina-2004", "twitter50"
#define MESH "road_usa", "osm_eur"
/* Figs 7 to 9 are assumed to show the graphs that the text on Fig 5 names. */
#define FOUR NAMES("soc-LiveJournal1", "twitter50", "road_usa", "osm_eur")

static const struct study_choice
    table_2 = {NAMES("bfs"), NAMES("daisy"),
               NAMES("Gunrock", "Groute", "Atos-standard-persistent",
                     "Atos-priority-discrete"),
               NAMES(SCALE_FREE, MESH), 0},
    table_3 = {NAMES("bfs"), NAMES("daisy"),
               NAMES("Atos-standard-persistent", "Atos-priority-discrete"),
               NAMES(SCALE_FREE), 0},
    table_4 = {NAMES("pagerank"), NAMES("daisy"),
               NAMES("Gunrock", "Groute", "Atos-standard-discrete",
                     "Atos-standard-persistent"),
               NAMES(SCALE_FREE, MESH), 0},
    table_5 = {NAMES("bfs", "pagerank"), NAMES("summit-ib"),
               NAMES("Galois", "Atos"), NAMES(SCALE_FREE, MESH), 0},
    fig_5 = {NAMES("bfs", "pagerank"), NAMES("daisy"),
             NAMES("Gunrock", "Groute", "Atos-standard-persistent",
                   "Atos-priority-discrete", "Atos-standard-discrete"),
             FOUR, 0},
    fig_7 = {NAMES("bfs", "pagerank"), NAMES("summit-node"),
             NAMES("Gunrock", "Atos"), FOUR, 0},
    fig_8 = {NAMES("bfs"), NAMES("summit-ib"), NAMES("Galois", "Atos"), FOUR,
             0},
    fig_9 = {NAMES("pagerank"), NAMES("summit-ib"), NAMES("Galois", "Atos"),
             FOUR, 0};

/* -------------------------------------------------------------------------- */

const struct figure figures[] = {
    {"2.5", "one message between two CPU processes, by where they are",
     "lassen", false, NULL, OF_NOTHING, figure_ping},
    {"2.6", "a volume between two nodes, split over their processes", "lassen",
     false, NULL, OF_NOTHING, figure_ppn},
    {"3.1", "a copy from and to one GPU, split over processes", "lassen", false,
     NULL, OF_NOTHING, figure_copies},
    {"4.2",
     "the models compared with the simulation of a sparse product's halo",
     "lassen", true, NULL, OF_NOTHING, figure_halo_model},
    {"4.3", "messages from one node to others: models and simulation", "lassen",
     false, NULL, OF_NOTHING, figure_scenarios},
    {"5.1", "every strategy on a sparse product's halo", "lassen", true, NULL,
     OF_NOTHING, figure_halo},

    {"atos-table-2", "BFS on Daisy, ms, predicted and printed", NULL, false,
     &table_2, OF_NOTHING, figure_atos_times},
    {"atos-table-3", "visits by vertices of BFS, predicted and printed", NULL,
     false, &table_3, OF_NOTHING, figure_atos_workload},
    {"atos-table-4", "PageRank on Daisy, ms, predicted and printed", NULL,
     false, &table_4, OF_NOTHING, figure_atos_times},
    {"atos-table-5", "BFS and PageRank on Summit, one GPU a node", NULL, false,
     &table_5, OF_NOTHING, figure_atos_times},
    {"atos-2", "payload by bytes on the wire: NVLink and PCIe 3", "daisy",
     false, NULL, OF_NOTHING, figure_atos_payload},
    {"atos-4", "a put that a GPU starts into another node, by size", "summit",
     false, NULL, OF_NOTHING, figure_atos_put},
    {"atos-5", "strong scaling of BFS and PageRank on Daisy", NULL, false,
     &fig_5, OF_NOTHING, figure_atos_scaling},
    {"atos-6", "the GPUs of a node and their links: Daisy and Summit", NULL,
     false, NULL, OF_NOTHING, figure_atos_nodes},
    {"atos-7", "strong scaling on the six GPUs of one node of Summit", NULL,
     false, &fig_7, OF_NOTHING, figure_atos_scaling},
    {"atos-8", "strong scaling of BFS on Summit, one GPU a node", NULL, false,
     &fig_8, OF_NOTHING, figure_atos_scaling},
    {"atos-9", "strong scaling of PageRank on Summit, one GPU a node", NULL,
     false, &fig_9, OF_NOTHING, figure_atos_scaling},

    {"faraji-6", "GSB and BTB on one GPU of Helios, 4 to 24 processes", NULL,
     false, NULL, OF_NOTHING, figure_shared_6},
    {"faraji-7", "one node of Helios: GSB-GSB over MVAPICH2", NULL, false, NULL,
     OF_NOTHING, figure_shared_7},
    {"faraji-8", "one node of Helios: GSB-GSB over the other hierarchies", NULL,
     false, NULL, OF_NOTHING, figure_shared_8},
    {"faraji-9", "4 nodes of Helios: GSB-GSB over MVAPICH2", NULL, false, NULL,
     OF_NOTHING, figure_shared_9},
    {"faraji-10", "4 nodes of Helios: GSB-GSB over the other hierarchies", NULL,
     false, NULL, OF_NOTHING, figure_shared_10},
    {"faraji-11", "pairs of copies on a GPU of Odin, with and without MPS",
     NULL, false, NULL, OF_NOTHING, figure_shared_11},
    {"faraji-12", "pairs of copies on a GPU of Odin, all combinations", NULL,
     false, NULL, OF_NOTHING, figure_shared_12},
    {"faraji-15", "Static and Dynamic on one GPU of Odin", NULL, false, NULL,
     OF_NOTHING, figure_shared_15},
    {"faraji-16", "what Dynamic does, copy by copy", NULL, false, NULL,
     OF_NOTHING, figure_shared_16},
    {"faraji-17", "Static and Dynamic on 4 nodes of Odin", NULL, false, NULL,
     OF_NOTHING, figure_shared_17},
    {"faraji-18", "how much Static gains on 4 nodes of Odin", NULL, false, NULL,
     OF_NOTHING, figure_shared_18},

    {"klenk-table-1", "applications: wildcards, communicators, peers, tags",
     NULL, false, NULL, OF_NOTHING, figure_klenk_table_1},
    {"klenk-table-2", "six relaxations of MPI's matching and their rates", NULL,
     false, NULL, OF_NOTHING, figure_klenk_table_2},
    {"klenk-2", "longest queues of the ranks of traces at hand", NULL, false,
     NULL, OF_NOTHING, figure_klenk_2},
    {"klenk-4", "one queue by one CTA: three GPUs, and an H200 measured", NULL,
     false, NULL, OF_NOTHING, figure_klenk_4},
    {"klenk-5", "queues by source: GTX 1080, and an H200 measured", NULL, false,
     NULL, OF_NOTHING, figure_klenk_5},
    {"klenk-6a", "the most frequent source and tag of traces at hand", NULL,
     false, NULL, OF_NOTHING, figure_klenk_6a},
    {"klenk-6b", "hash tables: K80, GTX 1080, and an H200 measured", NULL,
     false, NULL, OF_NOTHING, figure_klenk_6b},
    {"matching", "sluice-native match on an H200, and the same simulated",
     "dgx-h100", false, NULL, OF_NOTHING, figure_match},

    {"lci-table-1", "graphs of Dang et al.: printed, expected, as run", NULL,
     false, NULL, OF_NOTHING, figure_runtime_table_1},
    {"lci-table-2", "LCI, probes, RMA on 128 hosts of two clusters: rmat28",
     NULL, false, NULL, OF_NOTHING, figure_runtime_table_2},
    {"lci-table-4", "LCI, probes, RMA on 128 hosts: kron30", NULL, false, NULL,
     OF_NOTHING, figure_runtime_table_4},

    {"lci-1", "latency by size and rate of 64 B by window: LCI and MPI",
     "stampede2", false, NULL, OF_NOTHING, figure_runtime_1},
    {"lci-3", "graph algorithms on 2 to 128 hosts by three runtimes", NULL,
     false, NULL, OF_NOTHING, figure_runtime_3},
    {"lci-4", "the same on Gemini's blocked edge cut, by two", NULL, false,
     NULL, OF_NOTHING, figure_runtime_4},
    {"lci-5", "memory of communication buffers, most and least of hosts", NULL,
     false, NULL, OF_NOTHING, figure_runtime_5},
    {"lci-6", "computation and what of communication is not overlapped", NULL,
     false, NULL, OF_NOTHING, figure_runtime_5},
    {"lci-order", "where the order of runtimes changes: three machines", NULL,
     false, NULL, OF_NOTHING, figure_runtime_order},

    {"native", "halo exchanges run natively, and predicted", NULL, false, NULL,
     OF_NATIVE, figure_native},

    {"ratio", "device-aware against staged all-to-alls: measured, simulated",
     "lassen", false, NULL, OF_MEASURED, figure_ratio},
    {"collective", "time and bus bandwidth of a collective, by its size",
     "lassen", true, NULL, OF_SIZES, figure_collective},
};
const size_t nfigures = sizeof figures / sizeof figures[0];

bool figure_is_atos(const struct figure *f)
{
    return !strncmp(f->name, "atos-", 5);
}

bool figure_is_faraji(const struct figure *f)
{
    return !strncmp(f->name, "faraji-", 7);
}

bool figure_is_klenk(const struct figure *f)
{
    return !strncmp(f->name, "klenk-", 6) || !strcmp(f->name, "matching");
}

bool figure_is_lci(const struct figure *f)
{
    return !strncmp(f->name, "lci-", 4);
}

bool figure_is_table(const struct figure *f)
{
    return strstr(f->name, "-table-");
}

unsigned figure_text(struct figure_texts *texts, const char *text)
{
    putc('t', texts->to);
    for (; *text; text++)
        fprintf(texts->to, "%03u", (unsigned)(unsigned char)*text);
    putc('\n', texts->to);
    return ++texts->n;
}

unsigned figure_workload(struct figure_texts *texts, const char *workload)
{
    const char *slash = strrchr(workload, '/');
    bool file = !strncmp(workload, "spmv:", 5);
    const char *name = !file ? workload : slash ? slash + 1 : workload + 5;
    const char *dot = file ? strchr(name, '.') : NULL;
    char *shown =
        xasprintf("%.*s", dot ? (int)(dot - name) : (int)strlen(name), name);
    unsigned number = figure_text(texts, shown);

    free(shown);
    return number;
}

void figure_scale(FILE *md, double scale, double usual)
{
    if (!(scale > 0) || cells_same_scale(scale, usual))
        return;
    char *text = cells_scale_text(scale);
    fprintf(md, " (%s)", text);
    free(text);
}

const struct figure *figure_find(const char *name, struct err *err)
{
    static const char *const groups[] = {"all",    "lockhart", "atos",
                                         "faraji", "klenk",    "lci"};
    enum { NGROUPS = sizeof groups / sizeof groups[0] };
    const char *names[sizeof figures / sizeof figures[0] + NGROUPS];

    for (size_t i = 0; i < NGROUPS; i++)
        names[i] = groups[i];
    for (size_t i = 0; i < nfigures; i++) {
        names[NGROUPS + i] = figures[i].name;
        if (!strcmp(name, figures[i].name))
            return &figures[i];
    }
    char *hint =
        known_hint(name, names, NGROUPS + nfigures, "sluice figure --help");
    err_set(err, ERR_INPUT, __FILE__, __LINE__, "%s: unknown figure%s", name,
            hint);
    free(hint);
    return NULL;
}
