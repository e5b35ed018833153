/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sluice show graph: degrees, components and diameter of a graph, the arcs of a
 * search by level and in sectors of memory, and the edges that a partition
 * cuts. */
#include "cli/show.h"

#include "cli/scale.h"
#include "cli/cli.h"
#include "base/json.h"
#include "cli/document.h"
#include "workloads/graph/graph_generate.h"
#include "workloads/graph/graph_search.h"
#include "workloads/graph/graph_surrogate.h"
#include "workloads/graph/graph_stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct request {
    unsigned gpus;   /* 0 for the graph alone */
    const char *how; /* --partition */
    double seed;
    bool json;
};

struct facts {
    const struct graph *graph;
    const struct request *request;
    struct graph_stats stats;
    struct graph_search search;
    struct graph_cut cut; /* ngpus is 0 if there is none */
};

static void print_degrees(const char *label, const struct graph_degrees *d)
{
    printf("%-38s %llu to %llu, mean %.2f, deviation %.2f\n", label,
           (unsigned long long)d->min, (unsigned long long)d->max, d->mean,
           d->deviation);
    printf("%-38s %.1f %%\n", "  of degree 1", 100 * d->ones);
    printf("%-38s %.1f %%\n", "  arcs at the 1 % with the most",
           100 * d->top_share);
}

/* A line has room for this many levels; --json has all. */
enum { MOST_LEVELS = 16 };

static void print_levels(const struct graph_search *s)
{
    double most = 0;

    printf("%-38s %u levels, %u vertices\n", "search along arcs from most arcs",
           s->levels, s->reached);
    printf("%-38s", "  arcs by level, %");
    for (uint32_t l = 0; l < s->levels; l++) {
        most = s->level[l] > most ? s->level[l] : most;
        if (s->levels <= MOST_LEVELS)
            printf(" %.1f", 100 * s->level[l]);
    }
    if (s->levels > MOST_LEVELS)
        printf(" at most %.1f", 100 * most);
    printf("\n");
}

static void print_misses(const char *label, const double *misses)
{
    printf("%-38s", label);
    for (int k = 0; k < GRAPH_CACHES; k++)
        printf(" %.3f", misses[k]);
    printf("\n");
}

static void print_search(const struct graph_search *s)
{
    print_levels(s);
    printf("%-38s %.3f\n", "runs of consecutive heads, by arc", s->runs);
    printf("%-38s %.3f\n", "sectors of 8 heads, by arc", s->sectors);
    printf("%-38s %.1f %%\n", "heads near one of the next vertex",
           100 * s->similar);
    printf("%-38s", "sectors missed by arc, LRU cache of");
    for (int k = 0; k < GRAPH_CACHES; k++)
        printf(" 1/%.0f%s", 1 / graph_cache_shares[k],
               k + 1 < GRAPH_CACHES ? "" : " of all\n");
    print_misses("  vertices by number", s->misses_by_number);
    print_misses("  vertices by level", s->misses_by_level);
}

static void show_graph_print(const struct facts *f)
{
    const struct graph_stats *s = &f->stats;

    printf("%-38s %s\n", "graph", f->graph->name);
    printf("%-38s %u\n", "vertices", s->vertices);
    printf("%-38s %llu\n", "arcs", (unsigned long long)s->arcs);
    printf("%-38s %.1f %%\n", "arcs with one back", 100 * s->symmetric);
    print_degrees("out-degree", &s->out);
    print_degrees("in-degree", &s->in);
    printf("%-38s %u, the largest of %u (%.1f %%)\n", "components",
           s->components, s->largest_component,
           percent(s->largest_component, s->vertices));
    printf("%-38s %u, at most %u hops to any\n", "vertex of most arcs", s->hub,
           s->hub_hops);
    printf("%-38s %u\n", "diameter of its component, at least", s->diameter);
    print_search(&f->search);
}

/* Formats counts in full, and other numbers with three digits. */
static const char *number(char text[32], double value)
{
    bool whole = value == floor(value) || value >= 100;

    snprintf(text, 32, whole ? "%.0f" : "%.3g", value);
    return text;
}

static void print_targets(const struct facts *f)
{
    struct surrogate_target t[NSTANDIN_PROPERTIES];
    size_t n = surrogate_targets(f->graph->name, t);
    const struct graph_cut *cut =
        f->cut.ngpus && !strcmp(f->request->how, "metis") ? &f->cut : NULL;

    if (n)
        printf("\n%-28s %12s %12s %12s %6s  %s\n", "surrogate", "real",
               "at scale", "got", "ratio", "source of the real");
    for (size_t i = 0; i < n; i++) {
        char full[32], wanted[32], got[32], ratio[32];
        double is = surrogate_got(t[i].property, &f->stats, &f->search, cut);
        snprintf(ratio, sizeof ratio, "%.2f", is / t[i].wanted);
        printf("%-28s %12s %12s %12s %6s  %s\n",
               surrogate_property_names[t[i].property], number(full, t[i].full),
               number(wanted, t[i].wanted), isnan(is) ? "-" : number(got, is),
               isnan(is) ? "-" : ratio, t[i].source);
    }
}

static void print_pairs(const struct graph_cut *c)
{
    printf("\narcs from GPU (row) to GPU (column)\n%6s", "");
    for (uint32_t to = 0; to < c->ngpus; to++)
        printf(" %10u", to);
    for (uint32_t from = 0; from < c->ngpus; from++) {
        printf("\n%6u", from);
        for (uint32_t to = 0; to < c->ngpus; to++)
            printf(" %10llu",
                   (unsigned long long)c->pairs[(size_t)from * c->ngpus + to]);
    }
    printf("\n");
}

/* A screen has room for this many columns; --json has all. */
enum { MOST_COLUMNS = 8 };

static void print_cut(const struct facts *f)
{
    const struct graph_cut *c = &f->cut;

    printf("\n%u GPUs, %s partition\n\n", c->ngpus, f->request->how);
    printf("%-38s %llu (%.2f %%)\n", "edge cut, arcs between GPUs",
           (unsigned long long)c->arcs, 100 * c->share);
    printf("%-38s %llu (%.2f %%)\n", "vertices on a boundary",
           (unsigned long long)c->boundary,
           percent((double)c->boundary, f->stats.vertices));
    printf("%-38s %.3f\n", "vertices, largest GPU over the mean",
           c->vertex_balance);
    printf("%-38s %.3f\n", "arcs, largest GPU over the mean", c->arc_balance);
    printf("%-38s %.3f: at most %.2f times as fast as on one GPU\n",
           "  level by level, BFS from most arcs", c->level_balance,
           c->ngpus / c->level_balance);
    if (c->ngpus <= MOST_COLUMNS)
        print_pairs(c);
}

static struct json *degrees_json(const struct graph_degrees *d)
{
    struct json *o = json_new_object();

    json_add_number(o, "min", (double)d->min);
    json_add_number(o, "max", (double)d->max);
    json_add_number(o, "mean", d->mean);
    json_add_number(o, "deviation", d->deviation);
    json_add_number(o, "degree_1_share", d->ones);
    json_add_number(o, "top_1_percent_arc_share", d->top_share);
    return o;
}

static struct json *graph_json(const struct facts *f)
{
    const struct graph_stats *s = &f->stats;
    struct json *o = json_new_object();

    json_add_string(o, "name", f->graph->name);
    json_add_number(o, "vertices", s->vertices);
    json_add_number(o, "arcs", (double)s->arcs);
    json_add_number(o, "symmetric_share", s->symmetric);
    json_add(o, "out_degree", degrees_json(&s->out));
    json_add(o, "in_degree", degrees_json(&s->in));
    json_add_number(o, "components", s->components);
    json_add_number(o, "largest_component", s->largest_component);
    json_add_number(o, "hub", s->hub);
    json_add_number(o, "hub_hops", s->hub_hops);
    json_add_number(o, "diameter_at_least", s->diameter);
    return o;
}

static struct json *numbers_json(const double *value, size_t n)
{
    struct json *all = json_new_array();

    for (size_t i = 0; i < n; i++)
        json_append(all, json_new_number(value[i]));
    return all;
}

static struct json *search_json(const struct graph_search *s)
{
    struct json *o = json_new_object();

    json_add(o, "arc_share_by_level", numbers_json(s->level, s->levels));
    json_add_number(o, "reached_vertices", s->reached);
    json_add_number(o, "runs_by_arc", s->runs);
    json_add_number(o, "sectors_by_arc", s->sectors);
    json_add_number(o, "similar_share", s->similar);
    json_add(o, "cache_shares", numbers_json(graph_cache_shares, GRAPH_CACHES));
    json_add(o, "misses_by_arc_by_number",
             numbers_json(s->misses_by_number, GRAPH_CACHES));
    json_add(o, "misses_by_arc_by_level",
             numbers_json(s->misses_by_level, GRAPH_CACHES));
    return o;
}

static struct json *cut_json(const struct facts *f)
{
    const struct graph_cut *c = &f->cut;
    struct json *o = json_new_object();
    struct json *pairs = json_new_array();

    json_add_number(o, "gpus", c->ngpus);
    json_add_string(o, "partition", f->request->how);
    json_add_number(o, "cut_arcs", (double)c->arcs);
    json_add_number(o, "cut_share", c->share);
    json_add_number(o, "boundary_vertices", (double)c->boundary);
    json_add_number(o, "vertex_balance", c->vertex_balance);
    json_add_number(o, "arc_balance", c->arc_balance);
    json_add_number(o, "level_arc_balance", c->level_balance);
    for (uint32_t from = 0; from < c->ngpus; from++) {
        struct json *row = json_new_array();
        for (uint32_t to = 0; to < c->ngpus; to++)
            json_append(row,
                        json_new_number(
                            (double)c->pairs[(size_t)from * c->ngpus + to]));
        json_append(pairs, row);
    }
    json_add(o, "arcs_from_to", pairs);
    return o;
}

static struct json *targets_json(const struct facts *f,
                                 const struct surrogate_target *t, size_t n)
{
    const struct graph_cut *cut =
        f->cut.ngpus && !strcmp(f->request->how, "metis") ? &f->cut : NULL;
    struct json *all = json_new_array();

    for (size_t i = 0; i < n; i++) {
        struct json *o = json_new_object();
        json_add_string(o, "property", surrogate_property_names[t[i].property]);
        json_add_number(o, "real", t[i].full);
        json_add_number(o, "at_scale", t[i].wanted);
        json_add_number(
            o, "got", surrogate_got(t[i].property, &f->stats, &f->search, cut));
        json_add_string(o, "source", t[i].source);
        json_append(all, o);
    }
    return all;
}

static void show_graph_print_json(const struct facts *f)
{
    struct surrogate_target t[NSTANDIN_PROPERTIES];
    size_t n = surrogate_targets(f->graph->name, t);
    struct json *doc = document_new("show graph");

    json_add(doc, "graph", graph_json(f));
    json_add(doc, "search", search_json(&f->search));
    if (n)
        json_add(doc, "standin", targets_json(f, t, n));
    if (f->cut.ngpus)
        json_add(doc, "cut", cut_json(f));
    document_print(doc);
}

static int find_cut(struct facts *f, struct err *err)
{
    const struct graph *g = f->graph;
    const struct request *r = f->request;
    uint32_t *part = xcalloc(g->n, sizeof *part);
    int rc =
        graph_partition_by(part, g, r->gpus, r->how, (uint64_t)r->seed, err);

    if (rc == 0)
        graph_cut(g, part, r->gpus, &f->cut);
    free(part);
    return rc;
}

static int show_graph_words(const struct graph *g, const struct request *r,
                            struct err *err)
{
    struct facts f = {.graph = g, .request = r};

    if (r->gpus && find_cut(&f, err) < 0)
        return -1;
    graph_stats(g, &f.stats);
    graph_search(g, &f.search);
    if (r->json) {
        show_graph_print_json(&f);
    } else {
        show_graph_print(&f);
        print_targets(&f);
        if (r->gpus)
            print_cut(&f);
    }
    graph_cut_clear(&f.cut);
    graph_search_clear(&f.search);
    return 0;
}

/* Returns the names and words of all generators, one a line. The caller frees
 * it. */
static char *generators_help(void)
{
    char *text =
        xstrdup("Shows a graph, and the cut of a partition of it. FILE is a "
                "graph file; WORDS is one of these generators:\n");

    for (size_t i = 0; i < ngraph_generators; i++) {
        char *more = xasprintf("%s  %s:%s\n", text, graph_generators[i].name,
                               graph_generators[i].words);
        free(text);
        text = more;
    }
    return text;
}

int show_graph(int argc, char **argv, struct err *err)
{
    struct request r = {.how = "contiguous", .seed = 1};
    const struct opt opts[] = {
        {"gpus", OPT_COUNT, &r.gpus, "N",
         "also show the edges that a partition among N GPUs cuts"},
        {"partition", OPT_TEXT, &r.how, "HOW",
         "partition of the vertices: contiguous, random, metis, geometric or "
         "a file [default: contiguous]"},
        {"seed", OPT_NUMBER, &r.seed, "S",
         "seed of random and metis [default: 1]"},
        {"json", OPT_FLAG, &r.json, NULL, "results as JSON"},
    };
    char *more = generators_help();
    const struct opts_page page = {
        .usage = "show graph FILE|WORDS [OPTIONS]",
        .about = more,
        .examples = {{"Show a generated graph and its partition by METIS",
                      "sluice show graph rmat:scale=12 --gpus 4 --partition "
                      "metis"}},
    };
    struct graph g = {0};
    int noperands;
    bool helped;
    int rc = opts_parse(argc, argv, opts, sizeof opts / sizeof opts[0], &page,
                        &noperands, &helped, err);

    free(more);
    if (rc < 0 || helped)
        return rc;
    if (noperands != 1)
        return fail(err, "show graph: expected one file or words, got %d",
                    noperands);
    if (!(r.seed >= 0 && r.seed < 0x1p53 && r.seed == floor(r.seed)))
        return fail(err, "--seed: expected a whole number, got %g", r.seed);
    if (graph_partition_check(r.how, err) < 0 ||
        graph_from_words(&g, argv[1], err) < 0)
        return -1;
    rc = show_graph_words(&g, &r, err);
    graph_clear(&g);
    return rc;
}
