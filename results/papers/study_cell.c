/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets up and simulates one cell of Chen et al. 2022. */
#include "results/papers/study_cell.h"

#include "platforms/platform.h"
#include "base/datafile.h"
#include "base/digest.h"
#include "base/json.h"
#include "strategies/agents/traverse.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Assumed, because the paper does not say. The residue below which a rank
 * stops: 0.01 if a vertex begins with 0.15 (github.com/owensgroup/ATOS),
 * Galois' default 1e-6; Gunrock stops if no rank changes by more than 0.01 of
 * itself. */
static const double damping = 0.85;
#define RESIDUE (0.01 / 0.15)
#define GALOIS_RESIDUE (1e-6 / 0.15)
#define CHANGE 0.01

/* --- graphs --------------------------------------------------------------- */

/* Footnote 3: METIS for all graphs that Groute can run, else random. METIS
 * needs about 85 B an arc, which is 30 GB for osm_eur, so that is partitioned
 * by coordinates, which is assumed to cut as little. */
const struct study_graph study_graphs[NSTUDY_GRAPHS] = {
    {"soc-LiveJournal1", false, GRAPH_METIS, 1 / 16.0, 512 / 4.8e6},
    {"hollywood-2009", false, GRAPH_METIS, 1 / 32.0, 1024 / 1.1e6},
    {"indochina-2004", false, GRAPH_METIS, 1 / 64.0, 512 / 7.4e6},
    {"twitter50", false, GRAPH_RANDOM, 1 / 512.0, 512 / 51e6},
    {"road_usa", true, GRAPH_METIS, 1 / 32.0, 512 / 23.9e6},
    {"osm_eur", true, GRAPH_GEOMETRIC, 1 / 128.0, 512 / 174e6},
};

const struct study_graph *study_graph(const char *name)
{
    for (int i = 0; i < NSTUDY_GRAPHS; i++)
        if (!strcmp(name, study_graphs[i].name))
            return &study_graphs[i];
    return NULL;
}

char *study_words(const struct study_graph *sg, double scale)
{
    return xasprintf("standin:%s,scale=%.17f", sg->name, scale);
}

int study_make(struct graph *g, const struct study_graph *sg, double scale,
               struct err *err)
{
    char *words = study_words(sg, scale);
    int result = graph_from_words(g, words, err);

    free(words);
    return result;
}

int study_part(uint32_t **part, const struct graph *g, enum graph_partition how,
               unsigned gpus, struct err *err)
{
    *part = xcalloc(g->n, sizeof **part);
    int result = graph_partition(*part, g, gpus, how, 1, err);
    if (result < 0) {
        free(*part);
        *part = NULL;
    }
    return result;
}

/* --- machines ------------------------------------------------------------- */

struct platform_words {
    const char *platform, *set; /* set: NULL if none */
};

static struct platform_words platform_of(const char *name)
{
    if (!strcmp(name, "summit-ib"))
        return (struct platform_words){"summit", "gpus_used=1"};
    if (!strcmp(name, "summit-node"))
        return (struct platform_words){"summit", NULL};
    return (struct platform_words){name, NULL};
}

static int load_machine(struct machine *m, const char *name, struct err *err)
{
    struct platform_words w = platform_of(name);

    return platform_load(m, w.platform, &w.set, w.set != NULL, err);
}

/* --- executions ----------------------------------------------------------- */

enum kind { ANY, MESH, SCALE_FREE };

/* The simulated counterparts of the frameworks; the first row that fits counts,
 * and "" fits all applications. For Atos in Table V, BFS has the times of Table
 * II's two configurations on one GPU; WAIT_TIME is that of IV.B. */
static const struct setup {
    const char *framework, *application;
    enum kind kind;
    const char *preset, *set;
    double threshold; /* for PageRank */
    bool by_itself;   /* it distributes vertices itself: as good as at random */
} setups[] = {
    {"Gunrock", "", ANY, "bsp", NULL, CHANGE, false},
    {"Groute", "", ANY, "async-cpu", NULL, RESIDUE, false},
    /* Galois has a 2D cut of blocks by number: on scale-free graphs nearly
     * every arc needs a message, as under a random partition. */
    {"Galois", "", MESH, "bulk-async", NULL, GALOIS_RESIDUE, false},
    {"Galois", "", SCALE_FREE, "bulk-async", NULL, GALOIS_RESIDUE, true},
    {"Atos-standard-persistent", "", ANY, "atos-persistent", NULL, RESIDUE,
     false},
    {"Atos-standard-discrete", "", ANY, "atos-discrete", NULL, RESIDUE, false},
    {"Atos-priority-discrete", "", ANY, "atos-priority", NULL, RESIDUE, false},
    {"Atos", "bfs", MESH, "atos-persistent", "aggregator.wait_visits=4",
     RESIDUE, false},
    {"Atos", "bfs", SCALE_FREE, "atos-priority", "aggregator.wait_visits=4",
     RESIDUE, false},
    {"Atos", "pagerank", ANY, "atos-discrete", "aggregator.wait_visits=32",
     RESIDUE, false},
};

static const struct setup *setup_of(const struct cell_key *k)
{
    enum kind kind = study_graph(k->graph)->mesh ? MESH : SCALE_FREE;

    for (size_t i = 0; i < sizeof setups / sizeof setups[0]; i++) {
        const struct setup *s = &setups[i];
        if (!strcmp(s->framework, k->framework) &&
            (!*s->application || !strcmp(s->application, k->application)) &&
            (s->kind == ANY || s->kind == kind))
            return s;
    }
    assert(!"a framework without a setup");
    return NULL;
}

enum graph_partition study_partition(const struct cell_key *k)
{
    return setup_of(k)->by_itself ? GRAPH_RANDOM
                                  : study_graph(k->graph)->partition;
}

double study_residue(const struct cell_key *k)
{
    double threshold = setup_of(k)->threshold;

    return strcmp(k->application, "pagerank") || threshold == CHANGE
               ? 0
               : threshold;
}

double *study_ranks(const struct graph *g, double residue)
{
    double *rank = xcalloc(g->n, sizeof *rank);

    traverse_plain_pagerank(rank, g, damping, 1e-3 * residue);
    return rank;
}

/* --- one cell ------------------------------------------------------------- */

static void take_result(struct cell *c, const struct traverse_result *r)
{
    c->ms = r->time_s * 1e3;
    c->workload = r->workload;
    c->visits = r->visits;
    c->edges = r->edges;
    c->levels = 0;
    for (uint32_t v = 0; r->depth && v < r->n; v++)
        if (r->depth[v] != UINT32_MAX && r->depth[v] > c->levels)
            c->levels = r->depth[v];
    c->wall_s = r->wall_s + r->check_wall_s;
}

static int traverse(struct cell *c, const struct machine *m,
                    const struct execution *x, const struct study_input *s,
                    struct err *err)
{
    const struct graph *g = s->g;
    struct traverse_result r;
    enum algorithm a = strcmp(c->key.application, "bfs") ? PAGERANK : BFS;
    struct traverse_input in = {
        .m = m,
        .g = g,
        .part = s->part,
        .ngpus = c->key.gpus,
        .x = x,
        .algorithm = a,
        .source = study_graph(c->key.graph)->mesh ? 0 : graph_hub(g),
        .damping = damping,
        .threshold = setup_of(&c->key)->threshold,
        .plain_rank = s->rank,
    };

    if (traverse_run(&r, &in, err) < 0)
        return -1;
    take_result(c, &r);
    traverse_result_clear(&r);
    return 0;
}

int study_simulate(struct cell *c, const struct study_input *in,
                   struct err *err)
{
    const struct setup *s = setup_of(&c->key);
    struct machine m;
    struct execution x;

    if (load_machine(&m, c->key.machine, err) < 0)
        return -1;
    int result = execution_load(&x, s->preset, &s->set, s->set != NULL, err);
    if (result == 0) {
        result = traverse(c, &m, &x, in, err);
        execution_clear(&x);
    }
    machine_clear(&m);
    if (result < 0)
        return fail_in(err, "%s, %s, %s, %s, %u GPUs", c->key.application,
                       c->key.machine, c->key.framework, c->key.graph,
                       c->key.gpus);
    return 0;
}

/* --- digest of the inputs ------------------------------------------------- */

/* Continues the hash with all of a document except its descriptions and one
 * key, which may be NULL. */
static uint64_t digest_json(uint64_t d, const struct json *v, const char *but)
{
    if (json_is_number(v)) {
        char text[32];
        snprintf(text, sizeof text, " %.17g", json_number(v));
        return digest_text(d, text);
    }
    if (!json_is_object(v) && !json_is_array(v)) {
        char text[64];
        return digest_text(digest_text(d, " "),
                           json_describe(v, text, sizeof text));
    }
    for (const struct json *x = json_at(v, 0); x; x = json_next(x)) {
        const char *key = json_is_object(v) ? json_key(x) : "-";
        if (strcmp(key, "about") != 0 && strcmp(key, "source") != 0 &&
            !(but && !strcmp(key, but)))
            d = digest_json(digest_text(d, key), x, but);
    }
    return digest_text(d, ";");
}

/* Continues the hash with a preset, without the residues for BFS, because it
 * has none. */
static int digest_preset(uint64_t *d, const char *preset,
                         const char *application, struct err *err)
{
    const char *but = strcmp(application, "bfs") ? NULL : "residues";
    char *name = xasprintf("strategies/presets/%s.json", preset);
    char *path = datafile_find(name, err);
    struct json *doc = path ? json_load(path, err) : NULL;

    if (doc)
        *d = digest_json(*d, doc, but);
    json_free(doc);
    free(path);
    free(name);
    return doc ? 0 : -1;
}

static int digest_machine(uint64_t *d, const char *name, struct err *err)
{
    struct platform_words w = platform_of(name);
    struct json *doc = platform_json(w.platform, &w.set, w.set != NULL, err);

    if (doc)
        *d = digest_json(*d, doc, NULL);
    json_free(doc);
    return doc ? 0 : -1;
}

int study_made_by(char made_by[17], const struct cell *c,
                  const struct study_input *in, struct err *err)
{
    const struct setup *s = setup_of(&c->key);
    uint64_t d = DIGEST_OF_NOTHING;
    struct cell tiny = *c;

    if (digest_preset(&d, s->preset, c->key.application, err) < 0 ||
        digest_machine(&d, c->key.machine, err) < 0 ||
        study_simulate(&tiny, in, err) < 0)
        return -1;
    char *text =
        xasprintf("%s %.9g %.9g", s->set ? s->set : "", tiny.ms, tiny.workload);
    snprintf(made_by, 17, "%016llx", (unsigned long long)digest_text(d, text));
    free(text);
    return 0;
}
