/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims on the cells of Tables II to V of Chen et al. 2022: A01 to A48. */
#include "results/papers/cell_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- tests ---------------------------------------------------------------- */

#define BFS_DAISY "bfs", "daisy"
#define PAGERANK_DAISY "pagerank", "daisy"
#define BFS_IB "bfs", "summit-ib"
#define PAGERANK_IB "pagerank", "summit-ib"
#define BFS_NODE "bfs", "summit-node"
#define PAGERANK_NODE "pagerank", "summit-node"

#define GUNROCK "Gunrock"
#define GROUTE "Groute"
#define GALOIS "Galois"
#define ATOS "Atos"
#define PERSISTENT "Atos-standard-persistent"
#define PRIORITY "Atos-priority-discrete"
#define DISCRETE "Atos-standard-discrete"

#define LJ "soc-LiveJournal1"
#define HOLLYWOOD "hollywood-2009"
#define INDOCHINA "indochina-2004"
#define TWITTER "twitter50"
#define ROAD "road_usa"
#define OSM "osm_eur"
#define MESHES ROAD, OSM
#define SCALE_FREE LJ, HOLLYWOOD, INDOCHINA, TWITTER
/* The graphs without twitter50, for which Groute has no room. */
#define WITHOUT_TWITTER LJ, HOLLYWOOD, INDOCHINA, MESHES
/* The four graphs of Figs 5 and 8, which the text names. */
#define PLOTTED LJ, TWITTER, MESHES

#define LIST(...)                                                              \
    (const char *const[])                                                      \
    {                                                                          \
        __VA_ARGS__, NULL                                                      \
    }

/* Tolerances: geometric means, single numbers, slopes. */
#define MEAN(x) .average = true, .number = (x), .within = 1.3
#define NUMBER(x) .number = (x), .within = 1.5
#define AS_PRINTED .within = 1.5
#define SLOPE .within = 2
/* neither faster nor slower */
#define FLAT .above = 0.8, .below = 1.25

static const struct cell_test tests[] = {
    {"A01", BFS_DAISY, LIST(GUNROCK, GROUTE, PRIORITY), LIST(MESHES), 1, 4,
     .than = PERSISTENT, .above = 1},

    {"A02", BFS_DAISY, LIST(GUNROCK), LIST(MESHES), 1, 4, .than = GROUTE,
     .above = 1},
    {"A02", BFS_DAISY, LIST(GUNROCK), LIST(MESHES), 1, 4, .than = PRIORITY,
     .above = 1},
    {"A02", BFS_DAISY, LIST(GROUTE, PRIORITY), LIST(MESHES), 1, 4,
     .than = PERSISTENT, .above = 1},

    {"A03", BFS_DAISY, LIST(GUNROCK), LIST(MESHES), 1, 4, .than = PERSISTENT,
     MEAN(13.8)},
    {"A04", BFS_DAISY, LIST(GROUTE), LIST(MESHES), 1, 4, .than = PERSISTENT,
     MEAN(2.44)},

    {"A05", BFS_DAISY, LIST(PRIORITY), LIST(MESHES), 1, 4, .than = PERSISTENT,
     .above = 1},
    {"A05", BFS_DAISY, LIST(PERSISTENT), LIST(LJ, HOLLYWOOD, TWITTER), 1, 4,
     .than = PRIORITY, .above = 1},
    {"A05", BFS_DAISY, LIST(PERSISTENT), LIST(INDOCHINA), 2, 4,
     .than = PRIORITY, .above = 1},

    {"A06", BFS_DAISY, LIST(GROUTE), LIST(LJ, HOLLYWOOD, INDOCHINA), 1, 4,
     .than = PRIORITY, MEAN(1.71)},
    {"A07", BFS_DAISY, LIST(GUNROCK), LIST(SCALE_FREE), 1, 4, .than = PRIORITY,
     MEAN(1.29)},

    {"A08", BFS_DAISY, LIST(PRIORITY, PERSISTENT), LIST(TWITTER), 1, 4,
     .than = GUNROCK, .above = 1},
    {"A08", BFS_DAISY, LIST(PRIORITY), LIST(TWITTER), 1, 4, .than = GUNROCK,
     .below = 1.2},
    {"A08", BFS_DAISY, LIST(PERSISTENT), LIST(TWITTER), 1, 4, .than = GUNROCK,
     .within = 1.3},

    {"A09", BFS_DAISY, LIST(GUNROCK, PERSISTENT, PRIORITY), LIST(INDOCHINA), 1,
     2, .than = GROUTE, .above = 1},
    {"A09", BFS_DAISY, LIST(GUNROCK, PERSISTENT, PRIORITY), LIST(INDOCHINA), 3,
     4, .than = GROUTE, .below = 1},
    {"A09", BFS_DAISY, LIST(GROUTE), LIST(INDOCHINA), 3, 3, .base = 2, SLOPE},
    {"A09", BFS_DAISY, LIST(PERSISTENT, PRIORITY), LIST(INDOCHINA), 3, 4,
     .base = ONE_LESS, .above = 1},

    {"A10", BFS_DAISY, LIST(GUNROCK), LIST(MESHES, INDOCHINA), 4, 4, .base = 1,
     .below = 1},

    {"A11", BFS_DAISY, LIST(GUNROCK), LIST(MESHES), 2, 2, LEVEL_us, .base = 1,
     SLOPE},
    {"A11", BFS_DAISY, LIST(GUNROCK), LIST(MESHES), 3, 4, LEVEL_us,
     .base = ONE_LESS, SLOPE},
    {"A11", BFS_DAISY, LIST(GUNROCK), LIST(ROAD), 2, 4, LEVEL_us, .base = 1,
     .than_graphs = LIST(OSM), FLAT},

    {"A12", BFS_DAISY, LIST(GROUTE), LIST(MESHES), 2, 4, .base = 1, FLAT},

    {"A13", BFS_DAISY, LIST(PERSISTENT), LIST(ROAD), 2, 4, .base = 1,
     .below = 1},
    {"A13", BFS_DAISY, LIST(PERSISTENT), LIST(OSM), 2, 4, .base = 1, .above = 1,
     .below = 1.25},
    {"A13", BFS_DAISY, LIST(PERSISTENT), LIST(MESHES), 4, 4, .base = 1, SLOPE},

    {"A14", BFS_DAISY, LIST(GUNROCK, PRIORITY, PERSISTENT), LIST(TWITTER), 2, 4,
     .base = ONE_LESS, .above = 1},
    {"A14", BFS_DAISY, LIST(GUNROCK, PRIORITY, PERSISTENT), LIST(TWITTER), 4, 4,
     .base = 1, .within = 1.3},

    {"A15", BFS_DAISY, LIST(GUNROCK, PERSISTENT, PRIORITY), LIST(LJ, TWITTER),
     4, 4, .base = 1, .than_graphs = LIST(MESHES), .above = 1},
    {"A15", BFS_DAISY, LIST(GROUTE), LIST(LJ), 4, 4, .base = 1,
     .than_graphs = LIST(MESHES), .above = 1},

    {"A16", BFS_DAISY, LIST(PERSISTENT, GUNROCK, GROUTE), LIST(LJ), 4, 4,
     .base = 1, .than = PRIORITY, .below = 1},

    {"A17", BFS_DAISY, LIST(PERSISTENT), LIST(HOLLYWOOD), 2, 2, .base = 1,
     .below = 1},
    {"A17", BFS_DAISY, LIST(PRIORITY), LIST(HOLLYWOOD), 2, 4, .base = ONE_LESS,
     .above = 1},

    {"A18", BFS_DAISY, LIST(GROUTE), LIST(LJ, HOLLYWOOD), 2, 3, .base = 1,
     .above = 1},
    {"A18", BFS_DAISY, LIST(GROUTE), LIST(LJ, HOLLYWOOD), 4, 4, .base = 3,
     .below = 1},

    {"A19", BFS_DAISY, LIST(PERSISTENT), LIST(LJ, HOLLYWOOD, TWITTER), 2, 4,
     WORKLOAD, .base = ONE_LESS, .below = 1},
    {"A19", BFS_DAISY, LIST(PERSISTENT), LIST(LJ, HOLLYWOOD, TWITTER), 4, 4,
     REDUNDANT, SLOPE},

    {"A20", BFS_DAISY, LIST(PERSISTENT), LIST(LJ, HOLLYWOOD), 4, 4, WORKLOAD,
     .than = PRIORITY, .above = 1.05},
    {"A20", BFS_DAISY, LIST(PERSISTENT), LIST(INDOCHINA), 1, 4, WORKLOAD,
     .than = PRIORITY, .above = 0.98, .below = 1.02},

    {"A21", BFS_DAISY, LIST(PERSISTENT), LIST(TWITTER), 1, 1, WORKLOAD,
     .than = PRIORITY, .above = 1.05},
    {"A21", BFS_DAISY, LIST(PERSISTENT), LIST(TWITTER), 2, 4, WORKLOAD,
     .base = ONE_LESS, .than = PRIORITY, .above = 1},

    {"A22", PAGERANK_DAISY, LIST(GUNROCK, GROUTE), LIST(WITHOUT_TWITTER), 1, 4,
     .than = DISCRETE, .above = 1},
    {"A22", PAGERANK_DAISY, LIST(GUNROCK), LIST(TWITTER), 1, 4,
     .than = DISCRETE, .above = 1},
    {"A22", PAGERANK_DAISY, LIST(GUNROCK), LIST(LJ, INDOCHINA, TWITTER, MESHES),
     1, 4, .than = PERSISTENT, .above = 1},
    {"A22", PAGERANK_DAISY, LIST(GUNROCK), LIST(HOLLYWOOD), 2, 4,
     .than = PERSISTENT, .above = 1},
    {"A22", PAGERANK_DAISY, LIST(GROUTE), LIST(WITHOUT_TWITTER), 1, 4,
     .than = PERSISTENT, .above = 1},

    {"A23", PAGERANK_DAISY, LIST(GUNROCK), LIST(SCALE_FREE, MESHES), 1, 4,
     .than = DISCRETE, MEAN(2.59)},
    {"A23", PAGERANK_DAISY, LIST(GUNROCK), LIST(SCALE_FREE, MESHES), 1, 4,
     .than = PERSISTENT, MEAN(2.37)},

    {"A24", PAGERANK_DAISY, LIST(GUNROCK), LIST(LJ, HOLLYWOOD, MESHES), 1, 4,
     .than = GROUTE, MEAN(0.85)},
    {"A24", PAGERANK_DAISY, LIST(GROUTE), LIST(INDOCHINA), 1, 4,
     .than = GUNROCK, SLOPE},
    {"A24", PAGERANK_DAISY, LIST(GROUTE), LIST(INDOCHINA), 2, 4, .base = 1,
     FLAT},

    {"A25", PAGERANK_DAISY, LIST(GROUTE), LIST(LJ, HOLLYWOOD), 4, 4, .base = 1,
     .than = GUNROCK, .below = 1},
    {"A25", PAGERANK_DAISY, LIST(GUNROCK), LIST(LJ, HOLLYWOOD), 4, 4,
     .than = GROUTE, .below = 1},
    {"A25", PAGERANK_DAISY, LIST(GROUTE), LIST(MESHES), 4, 4, .base = 1,
     .than = GUNROCK, .above = 1},
    {"A25", PAGERANK_DAISY, LIST(GUNROCK), LIST(MESHES), 4, 4, .than = GROUTE,
     .above = 1},

    {"A26", PAGERANK_DAISY, LIST(DISCRETE), LIST(TWITTER), 1, 4,
     .than = PERSISTENT, .above = 1},
    {"A26", PAGERANK_DAISY, LIST(DISCRETE), LIST(ROAD), 2, 4,
     .than = PERSISTENT, .above = 1},
    {"A26", PAGERANK_DAISY, LIST(PERSISTENT), LIST(LJ), 1, 1, .than = DISCRETE,
     .above = 1},
    {"A26", PAGERANK_DAISY, LIST(PERSISTENT), LIST(LJ, OSM), 3, 4,
     .than = DISCRETE, .above = 1},
    {"A26", PAGERANK_DAISY, LIST(PERSISTENT), LIST(HOLLYWOOD, INDOCHINA), 1, 4,
     .than = DISCRETE, .above = 1},

    {"A27", PAGERANK_DAISY, LIST(GUNROCK), LIST(PLOTTED), 4, 4, .base = 1,
     .than_application = "bfs", .average = true, .above = 1},
    {"A27", PAGERANK_DAISY, LIST(GROUTE), LIST(LJ, MESHES), 4, 4, .base = 1,
     .than_application = "bfs", .average = true, .above = 1},
    {"A27", PAGERANK_DAISY, LIST(PERSISTENT), LIST(PLOTTED), 4, 4, .base = 1,
     .than_application = "bfs", .average = true, .above = 1},
    {"A27", PAGERANK_DAISY, LIST(DISCRETE), LIST(PLOTTED), 4, 4, .base = 1,
     .than = PRIORITY, .than_application = "bfs", .average = true, .above = 1},

    {"A28", PAGERANK_DAISY, LIST(DISCRETE), LIST(LJ), 4, 4, .base = 1,
     .above = 4},
    {"A28", PAGERANK_DAISY, LIST(DISCRETE), LIST(HOLLYWOOD), 2, 2, .base = 1,
     .above = 2},

    {"A29", PAGERANK_DAISY, LIST(PERSISTENT), LIST(TWITTER), 2, 2, VISITS,
     .than_application = "bfs", NUMBER(10)},
    {"A29", PAGERANK_DAISY, LIST(PERSISTENT), LIST(TWITTER), 3, 3, VISITS,
     .than_application = "bfs", NUMBER(13)},
    {"A29", PAGERANK_DAISY, LIST(PERSISTENT), LIST(TWITTER), 4, 4, VISITS,
     .than_application = "bfs", NUMBER(14)},

    {"A30", PAGERANK_DAISY, LIST(GUNROCK), LIST(TWITTER, OSM), 4, 4, .base = 1,
     .than = PERSISTENT, .above = 0.8},
    {"A30", PAGERANK_DAISY, LIST(GUNROCK), LIST(TWITTER, OSM), 4, 4, .base = 1,
     .than = DISCRETE, .above = 0.8},
    {"A30", PAGERANK_DAISY, LIST(GROUTE), LIST(MESHES), 4, 4, .base = 1,
     .than = PERSISTENT, .above = 1},
    {"A30", PAGERANK_DAISY, LIST(GROUTE), LIST(MESHES), 4, 4, .base = 1,
     .than = DISCRETE, .above = 1},

    /* Fig 7 does not name its graphs, so these are tested on average. */
    {"A31", BFS_NODE, LIST(GUNROCK), LIST(PLOTTED), 6, 6, .base = 3,
     .average = true, .below = 1},
    {"A31", PAGERANK_NODE, LIST(GUNROCK), LIST(PLOTTED), 6, 6, .base = 3,
     .average = true, .below = 1},

    {"A32", BFS_NODE, LIST(ATOS), LIST(PLOTTED), 6, 6, .base = 3,
     .average = true, .below = 1},
    {"A32", BFS_NODE, LIST(ATOS), LIST(PLOTTED), 6, 6, .base = 3,
     .average = true, .than = GUNROCK, .above = 1},

    {"A33", PAGERANK_NODE, LIST(ATOS), LIST(PLOTTED), 6, 6, .base = 3,
     .average = true, .above = 1},

    {"A34", BFS_IB, LIST(GALOIS), LIST(WITHOUT_TWITTER), 1, 8, .than = ATOS,
     .above = 1},
    {"A34", BFS_IB, LIST(GALOIS), LIST(TWITTER), 3, 8, .than = ATOS,
     .above = 1},

    {"A35", BFS_IB, LIST(GALOIS), LIST(SCALE_FREE, MESHES), 8, 8, .base = 1,
     .below = 1},

    {"A36", BFS_IB, LIST(GALOIS), LIST(LJ), 2, 2, .base = 1, FLAT},
    {"A36", BFS_IB, LIST(GALOIS), LIST(LJ), 3, 3, .base = 2, SLOPE},

    {"A37", BFS_IB, LIST(GALOIS), LIST(TWITTER), 2, 8, .base = 1, .below = 1},
    {"A37", BFS_IB, LIST(ATOS), LIST(TWITTER), 1, 1, .than = GALOIS,
     .above = 2},
    {"A37", BFS_IB, LIST(GALOIS), LIST(TWITTER), 3, 8, .than = ATOS,
     .above = 1},

    /* The last step is 2.459 to 2.455. */
    {"A38", BFS_IB, LIST(ATOS), LIST(TWITTER), 2, 8, .base = ONE_LESS,
     .than = GALOIS, .above = 0.98},
    {"A38", BFS_IB, LIST(ATOS), LIST(TWITTER), 8, 8, .base = 1, .than = GALOIS,
     SLOPE},

    {"A39", BFS_IB, LIST(GALOIS), LIST(LJ, HOLLYWOOD, INDOCHINA), 8, 8,
     .than = ATOS, .above = 100},

    {"A40", BFS_IB, LIST(GALOIS), LIST(MESHES), 2, 8, .than = ATOS,
     .above = 100},
    {"A40", BFS_IB, LIST(GALOIS), LIST(MESHES), 2, 8, .than = ATOS,
     .average = true, SLOPE},

    {"A41", BFS_IB, LIST(ATOS), LIST(MESHES), 1, 1, .base = 2, .below = 1},
    {"A41", BFS_IB, LIST(ATOS), LIST(MESHES), 3, 8, .base = 2, .below = 1},

    {"A42", BFS_IB, LIST(ATOS), LIST(SCALE_FREE), 6, 6, .base = 1, .above = 1},
    {"A42", BFS_IB, LIST(ATOS), LIST(SCALE_FREE), 8, 8, .base = 6,
     .below = 1.1},

    {"A43", BFS_IB, LIST(GALOIS), LIST(OSM), 2, 8, LEVEL_us, SLOPE},
    {"A43", BFS_IB, LIST(GALOIS), LIST(OSM), 3, 8, .base = ONE_LESS,
     .below = 1},

    /* With 2 GPUs Galois gains 1.13 on osm_eur, Atos 1.12. */
    {"A44", BFS_IB, LIST(ATOS), LIST(PLOTTED), 2, 8, .base = 1, .than = GALOIS,
     .above = 0.98},
    {"A44", BFS_IB, LIST(ATOS), LIST(PLOTTED), 8, 8, .base = 1, .than = GALOIS,
     .above = 1},

    {"A45", PAGERANK_IB, LIST(GALOIS), LIST(SCALE_FREE, MESHES), 1, 8,
     .than = ATOS, .above = 1},

    /* On one GPU the meshes have a smaller ratio. */
    {"A46", PAGERANK_IB, LIST(GALOIS), LIST(WITHOUT_TWITTER), 2, 8,
     .than = ATOS, .than_graphs = LIST(TWITTER), .above = 1},
    {"A46", PAGERANK_IB, LIST(ATOS), LIST(TWITTER), 8, 8, .base = 1,
     .than = GALOIS, .above = 1},
    {"A46", PAGERANK_IB, LIST(ATOS), LIST(TWITTER), 4, 8, .base = ONE_LESS,
     .than = GALOIS, .above = 1},

    {"A47", PAGERANK_IB, LIST(ATOS),
     LIST(TWITTER, LJ, HOLLYWOOD, INDOCHINA, ROAD), 8, 8, .base = 1,
     AS_PRINTED},
    {"A47", PAGERANK_IB, LIST(ATOS), LIST(TWITTER), 8, 8, .base = 1,
     .than_graphs = LIST(LJ, HOLLYWOOD, INDOCHINA, ROAD), .above = 1},
    /* From 6 to 8 GPUs; perfect scaling would be 1.33. */
    {"A47", PAGERANK_IB, LIST(ATOS), LIST(LJ, HOLLYWOOD, INDOCHINA, ROAD), 8, 8,
     .base = 6, .below = 1.25},

    {"A48", PAGERANK_IB, LIST(GALOIS), LIST(HOLLYWOOD, MESHES), 8, 8, .base = 1,
     .below = 1},
    {"A48", PAGERANK_IB, LIST(GALOIS), LIST(LJ, INDOCHINA, TWITTER), 8, 8,
     .base = 1, .above = 1},
    {"A48", PAGERANK_IB, LIST(GALOIS), LIST(SCALE_FREE, MESHES), 8, 8,
     .base = 1, SLOPE},
};
enum { NTESTS = sizeof tests / sizeof tests[0] };

/* --- a claim -------------------------------------------------------------- */

/* Adds " road_usa 1/16", unless the text has it. */
static void add_scale(char **text, const struct cell *c)
{
    char *entry = xasprintf(" %s ", c->key.graph);

    if (!*text || !strstr(*text, entry)) {
        char *scale = cells_scale_text(c->scale);
        text_add(text, "%s%s%s", *text ? "," : "", entry, scale);
        free(scale);
    }
    free(entry);
}

static bool is_in(const char *const *list, const char *name)
{
    for (size_t i = 0; list && list[i]; i++)
        if (!strcmp(list[i], name))
            return true;
    return false;
}

/* Notes the scales of the cells that the claim's tests may need. */
static void note_scales(struct verdict *v, const struct cells *cells)
{
    char *text = NULL;

    for (size_t i = 0; i < cells->n; i++) {
        const struct cell *c = &cells->list[i];
        for (size_t k = 0; k < NTESTS && !isnan(c->ms); k++)
            if (!strcmp(tests[k].claim, v->id) &&
                !strcmp(tests[k].machine, c->key.machine) &&
                (is_in(tests[k].graphs, c->key.graph) ||
                 is_in(tests[k].than_graphs, c->key.graph)))
                add_scale(&text, c);
    }
    if (text)
        verdict_note(v, "run: synthetic graphs, as parts of full size:%s",
                     text);
    free(text);
}

int claim_on_cells(struct lab *lab, struct verdict *v, struct err *err)
{
    (void)err;
    note_scales(v, &lab->cells);
    for (size_t k = 0; k < NTESTS; k++)
        if (!strcmp(tests[k].claim, v->id))
            cell_test_run(v, &tests[k], &lab->cells);
    return 0;
}
