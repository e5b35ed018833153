/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of figures and tables that can be redrawn, with the cells that each
 * needs. */
#include "results/papers/figure.h"

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

const struct figure_made figures_made[] = {
    {"2.5", NULL, figure_ping},
    {"2.6", NULL, figure_ppn},
    {"3.1", NULL, figure_copies},
    {"4.2", NULL, figure_halo_model},
    {"4.3", NULL, figure_scenarios},
    {"5.1", NULL, figure_halo},
    {"atos-table-2", &table_2, figure_atos_times},
    {"atos-table-3", &table_3, figure_atos_workload},
    {"atos-table-4", &table_4, figure_atos_times},
    {"atos-table-5", &table_5, figure_atos_times},
    {"atos-5", &fig_5, figure_atos_scaling},
    {"atos-7", &fig_7, figure_atos_scaling},
    {"atos-8", &fig_8, figure_atos_scaling},
    {"atos-9", &fig_9, figure_atos_scaling},
};
const size_t nfigures_made = sizeof figures_made / sizeof figures_made[0];

const struct figure figures_general[] = {
    {.name = "native",
     .about = "halo exchanges run natively, and predicted",
     .of = OF_NATIVE,
     .make = figure_native},
    {.name = "ratio",
     .about = "device-aware against staged all-to-alls: measured, simulated",
     .platform = "lassen",
     .of = OF_MEASURED,
     .make = figure_ratio},
    {.name = "collective",
     .about = "time and bus bandwidth of a collective, by its size",
     .platform = "lassen",
     .of_workloads = true,
     .of = OF_SIZES,
     .make = figure_collective},
};
const size_t nfigures_general =
    sizeof figures_general / sizeof figures_general[0];

const struct figure_made *figure_made(const char *name)
{
    for (size_t i = 0; i < nfigures_made; i++)
        if (!strcmp(name, figures_made[i].name))
            return &figures_made[i];
    return NULL;
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
