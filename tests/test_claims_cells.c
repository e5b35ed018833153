/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims on cells: if the simulation equals the paper's print, all of them
 * hold; if it is the opposite, or nothing changes at all, none does. */
#include "tests/check.h"
#include "results/papers/cell_test.h"

#include <stdio.h>
#include <stdlib.h>

enum { NCLAIMS = 48 };

static struct cells printed; /* simulated as printed */

/* --- worlds --------------------------------------------------------------- */

static struct cell *cell(struct cells *c, const char *application,
                         const char *machine, const char *framework,
                         const char *graph, unsigned gpus)
{
    struct cell *found = (struct cell *)(uintptr_t)cells_find(
        c, application, machine, framework, graph, gpus);

    if (!found) {
        fprintf(stderr, "no cell of %s on %s with %u GPUs\n", framework, graph,
                gpus);
        exit(1);
    }
    return found;
}

/* Returns times for Fig 7, which has no numbers, by the text about it. */
static double on_node_ms(const struct cell *c)
{
    static const double bfs[2][6] = {{10, 8, 7, 8, 9, 10},
                                     {5, 4, 3, 3, 3, 3.5}};
    static const double ranks[2][6] = {{90, 50, 40, 42, 45, 48},
                                       {60, 30, 20, 17, 15, 13}};
    bool atos = !strcmp(c->key.framework, "Atos");

    return (strcmp(c->key.application, "bfs") ? ranks
                                              : bfs)[atos][c->key.gpus - 1];
}

/* Sets a cell as printed, with searches as deep as the paper's graphs and the
 * visits that IV.A.2 describes. */
static void as_printed(struct cell *c)
{
    static const double ranks_by_bfs[] = {9, 10, 13, 14};

    c->ms = isnan(c->printed_ms) ? on_node_ms(c) : c->printed_ms;
    c->workload = isnan(c->printed_workload) ? 1 : c->printed_workload;
    c->scale = 1;
    c->levels = !strcmp(c->key.graph, "road_usa")  ? 6809
                : !strcmp(c->key.graph, "osm_eur") ? 21158
                                                   : 15;
    c->visits = 1000;
    if (!strcmp(c->key.application, "pagerank") && c->key.gpus <= 4)
        c->visits = (uint64_t)(1000 * ranks_by_bfs[c->key.gpus - 1]);
}

static void open_world(struct cells *c)
{
    struct err err = {0};

    if (cells_printed(c, &err) < 0)
        exit(err_print(&err));
    for (size_t i = 0; i < c->n; i++)
        as_printed(&c->list[i]);
}

/* --- a verdict ------------------------------------------------------------ */

static struct verdict check(const struct cells *c, const char *id)
{
    struct lab *lab = xcalloc(1, sizeof *lab);
    struct verdict v = {.id = id};
    struct err err = {0};

    lab->cells = *c;
    CHECK_EQ(claim_on_cells(lab, &v, &err), 0);
    CHECK(v.text && v.parts > 0);
    free(lab);
    return v;
}

static const char *claim_id(int i)
{
    static char id[16];

    snprintf(id, sizeof id, "A%02d", i);
    return id;
}

/* --- tests ---------------------------------------------------------------- */

static void all_hold_as_printed(void)
{
    for (int i = 1; i <= NCLAIMS; i++) {
        struct verdict v = check(&printed, claim_id(i));
        if (v.held != v.parts)
            fprintf(stderr, "%s\n%s\n", v.id, v.text);
        CHECK_EQ(v.held, v.parts);
        CHECK_HAS(v.text, "run: synthetic graphs, as parts of full size: ");
        free(v.text);
    }
}

/* All times and workloads are raised to the power of -3. */
static void none_holds_upside_down(void)
{
    struct cells c;

    open_world(&c);
    for (size_t i = 0; i < c.n; i++) {
        struct cell *x = &c.list[i];
        x->ms = 1e6 * pow(x->ms, -3);
        x->workload = pow(x->workload, -3);
        x->visits = 1000000 / x->visits;
    }
    for (int i = 1; i <= NCLAIMS; i++) {
        struct verdict v = check(&c, claim_id(i));
        if (v.held + v.open == v.parts)
            fprintf(stderr, "%s\n%s\n", v.id, v.text);
        CHECK(v.held + v.open < v.parts);
        CHECK_HAS(v.text, "fails (");
        free(v.text);
    }
    cells_clear(&c);
}

/* If all is equal, only claims that something is flat hold. */
static void none_holds_where_all_is_equal(void)
{
    struct cells c;

    open_world(&c);
    for (size_t i = 0; i < c.n; i++) {
        c.list[i].ms = c.list[i].workload = 1;
        c.list[i].visits = 1000;
    }
    for (int i = 1; i <= NCLAIMS; i++) {
        struct verdict v = check(&c, claim_id(i));
        if ((v.held == v.parts) != (i == 12))
            fprintf(stderr, "%s\n%s\n", v.id, v.text);
        CHECK_EQ(v.held == v.parts, i == 12);
        free(v.text);
    }
    cells_clear(&c);
}

/* If one cell differs from print, the claim fails, and its line names the
 * cell. */
static void some_fail_by_one_cell(void)
{
    static const struct {
        const char *claim;
        struct cell_key key;
        double factor; /* factor of the time */
        const char *say;
    } cases[] = {
        {"A01",
         {"bfs", "daisy", "Groute", "osm_eur", 3},
         0.4,
         "1 not as wanted: Groute osm_eur 3 GPUs 0.851 (printed 2.13)"},
        {"A03", {"bfs", "daisy", "Gunrock", "road_usa", 2}, 20, "geometric"},
        {"A05",
         {"bfs", "daisy", "Atos-priority-discrete", "twitter50", 4},
         2,
         "twitter50 4 GPUs 0.837 (printed 1.67)"},
        {"A08",
         {"bfs", "daisy", "Atos-priority-discrete", "twitter50", 2},
         1.2,
         "2 GPUs 1.27 (printed 1.06)"},
        {"A09",
         {"bfs", "daisy", "Groute", "indochina-2004", 3},
         0.3,
         "3 GPUs: speed-up of Groute over 2 GPUs: 1.07 (printed 0.32)"},
        {"A11",
         {"bfs", "daisy", "Gunrock", "osm_eur", 3},
         1.2,
         "osm_eur 3 GPUs 36.6 (printed 5.62)"},
        {"A15",
         {"bfs", "daisy", "Groute", "soc-LiveJournal1", 4},
         2,
         "/ osm_eur 0.677 (printed 1.35)"},
        {"A27",
         {"pagerank", "daisy", "Groute", "road_usa", 4},
         40,
         "geometric mean 0.798 (printed 2.73)"},
        {"A30",
         {"pagerank", "daisy", "Groute", "road_usa", 4},
         2,
         "road_usa 0.594 (printed 1.19)"},
        {"A37",
         {"bfs", "summit-ib", "Atos", "twitter50", 1},
         0.5,
         "fails (fitted): bfs on summit-ib, twitter50, 1 GPU:"},
        {"A43",
         {"bfs", "summit-ib", "Galois", "osm_eur", 8},
         3,
         "8 GPUs 25626 (printed 8542)"},
        {"A46",
         {"pagerank", "summit-ib", "Galois", "osm_eur", 2},
         0.5,
         "osm_eur 2 GPUs 0.582 (printed 1.16)"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct cell_key *k = &cases[i].key;
        struct cell *x = cell(&printed, k->application, k->machine,
                              k->framework, k->graph, k->gpus);
        x->ms *= cases[i].factor;
        struct verdict v = check(&printed, cases[i].claim);
        CHECK(v.held + v.open < v.parts);
        CHECK_HAS(v.text, cases[i].say);
        free(v.text);
        as_printed(x);
    }
}

/* Missing cells leave a claim open, unless the rest fails already. */
static void some_are_open(void)
{
    struct cell *x = cell(&printed, "bfs", "daisy", "Groute", "road_usa", 2),
                *y = cell(&printed, "bfs", "daisy", "Groute", "road_usa", 3);

    x->ms = NAN;
    struct verdict v = check(&printed, "A01"), mean = check(&printed, "A04");
    CHECK_EQ(v.parts, 1);
    CHECK_EQ(v.open, 1);
    CHECK_EQ(v.not_run, 1);
    CHECK_HAS(v.text, "not run: ");
    CHECK_HAS(v.text, "in 23 cases");
    CHECK_HAS(v.text, "not run at full size: bfs by Groute on road_usa with 2 "
                      "GPUs");
    CHECK_EQ(mean.open, 1);
    free(v.text);
    free(mean.text);

    y->ms = 1;
    v = check(&printed, "A01");
    mean = check(&printed, "A04");
    CHECK_EQ(v.open, 0);
    CHECK_EQ(v.held, 0);
    CHECK_EQ(mean.open, 1);
    free(v.text);
    free(mean.text);
    as_printed(x);
    as_printed(y);
}

/* The results of a smaller graph are not compared with print. */
static void a_part_is_not_run(void)
{
    struct cell *x = cell(&printed, "bfs", "daisy", "Groute", "road_usa", 2);

    x->scale = 0.25;
    struct verdict v = check(&printed, "A12");
    CHECK_EQ(v.open, 1);
    CHECK_HAS(v.text, "; not run at full size: bfs by Groute on road_usa with "
                      "2 GPUs");
    free(v.text);
    as_printed(x);
}

int main(void)
{
    open_world(&printed);
    all_hold_as_printed();
    none_holds_upside_down();
    none_holds_where_all_is_equal();
    some_fail_by_one_cell();
    some_are_open();
    a_part_is_not_run();
    cells_clear(&printed);
    return check_result();
}
