/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of Chen et al. and their scores, for made-up cells. */
#include "results/papers/atos_score.h"
#include "results/papers/figure.h"

#include "tests/check.h"

#include <stdlib.h>
#include <string.h>

static struct cells cells;

/* Sets all cells to the printed values times `factor`, at full size. */
static void as_printed(double factor)
{
    struct err err = {0};

    cells_clear(&cells);
    CHECK_EQ(cells_printed(&cells, &err), 0);
    for (size_t i = 0; i < cells.n; i++) {
        struct cell *c = &cells.list[i];
        c->ms = c->printed_ms * factor;
        c->workload = c->printed_workload;
        c->scale = 1;
    }
}

static struct cell *at(const char *application, const char *machine,
                       const char *framework, const char *graph, unsigned gpus)
{
    return (struct cell *)cells_find(&cells, application, machine, framework,
                                     graph, gpus);
}

static struct atos_score score(const char *table, const char *application)
{
    return atos_score(&cells, figure_made(table)->choice, application);
}

static void test_perfect(void)
{
    as_printed(1);
    struct atos_score s = score("atos-table-2", "bfs");
    /*
     * 6 graphs on 2, 3 and 4 GPUs. Of the 18 races the printed times leave four
     * open (twitter50 all three, 477 and 506, 330 and 348, 258 and 270; and
     * hollywood-2009 on 2, 5.14 and 5.38), and the six of the meshes have cells
     * of Atos that a remote atomic was fitted to.
     */
    CHECK_EQ(s.races_tied, 4);
    CHECK_EQ(s.races_fitted, 6);
    CHECK_EQ(s.races, 8);
    CHECK_EQ(s.same_winner, 8);
    /* The printed winner with one GPU loses on 3 and 4 of indochina-2004. */
    CHECK_EQ(s.baseline_winner, 6);
    CHECK_EQ(s.ordered, s.pairs);
    CHECK(s.pairs > 50 && s.baseline_ordered < s.pairs);
    CHECK_EQ(s.speedups[0], 18); /* Gunrock */
    CHECK_EQ(s.near[0], 18);
    /* Groute has no twitter50, and its 4 GPUs of road_usa were seen before a
     * number was chosen. */
    CHECK_EQ(s.speedups[1], 14);
    CHECK_EQ(s.speedups_fitted, 1 + 6 + 6);
    CHECK_EQ(s.all_speedups, 69 - 13);
    CHECK_EQ(s.near_speedups, 69 - 13);
    CHECK_EQ(s.times, 69 - 13);
    CHECK_EQ(s.races_not_run + s.speedups_not_run, 0);
    CHECK(s.speedup_error == 0 && s.time_error == 0);
    s = score("atos-table-5", "pagerank");
    /* Galois' rounds between nodes extrapolate a fit. */
    CHECK_EQ(s.races, 0);
    CHECK_EQ(s.races_fitted + s.races_tied, 42);
    CHECK_EQ(s.speedups[0], 0);
    CHECK_EQ(s.near[1], 42);
}

static void test_wrong(void)
{
    /* All are half as slow again: only the times are wrong. */
    as_printed(1.5);
    struct atos_score s = score("atos-table-2", "bfs");
    CHECK_EQ(s.same_winner, 8);
    CHECK(s.speedup_error < 1e-12);
    CHECK_NEAR(s.time_error, 0.5, 1e-9);

    /* One winner and two pairs are wrong, because Gunrock wins on
     * soc-LiveJournal1 with 2 GPUs. */
    size_t ordered = s.ordered;
    at("bfs", "daisy", "Gunrock", "soc-LiveJournal1", 2)->ms = 1;
    s = score("atos-table-2", "bfs");
    CHECK_EQ(s.races, 8);
    CHECK_EQ(s.same_winner, 7);
    CHECK_EQ(s.near[0], 17);
    CHECK_EQ(s.pairs - s.ordered, 2);
    CHECK_EQ(ordered, s.pairs);

    /* 1 GPU is in no score by itself, but all self speed-ups of Groute
     * double. */
    const char *graphs[] = {"soc-LiveJournal1", "hollywood-2009",
                            "indochina-2004", "road_usa", "osm_eur"};
    for (int i = 0; i < 5; i++)
        at("bfs", "daisy", "Groute", graphs[i], 1)->ms *= 2;
    s = score("atos-table-2", "bfs");
    CHECK_EQ(s.near[1], 0);
    CHECK_EQ(s.speedups[1], 14);
    CHECK_EQ(s.same_winner, 7);
    CHECK_NEAR(s.time_error, 0.5, 1e-9);
}

/* Returns the text of a table, or its rows; valid until the next call. */
static const char *made(const char *table, bool rows)
{
    static char *text;
    struct err err = {0};
    const struct figure_made *f = figure_made(table);
    struct figure_input in = {.choice = f->choice, .cells = &cells};
    size_t size;
    char *other;

    free(text);
    FILE *to = open_memstream(&text, &size),
         *rest = open_memstream(&other, &size);
    CHECK_EQ(f->make(rows ? to : rest, rows ? rest : to, &in, &err), 0);
    fclose(to);
    fclose(rest);
    free(other);
    return text;
}

/* Among the cells within 10 % of the fastest, printed and predicted, one is in
 * both. */
static void test_ties(void)
{
    /* Printed: 8.03 by Atos-persistent, 7.55 by Groute, 9.68, 11. */
    const char *graph = "indochina-2004";
    as_printed(1);
    for (unsigned gpus = 1; gpus <= 4; gpus++)
        at("bfs", "daisy", "Groute", graph, gpus)->ms *= 3;
    const struct cell *printed = at("bfs", "daisy", "Groute", graph, 1);
    const struct cell *tied =
        at("bfs", "daisy", "Atos-standard-persistent", graph, 1);
    const struct study_choice *x = figure_made("atos-table-2")->choice;
    CHECK(atos_ties(&cells, x, printed, true));
    CHECK(!atos_ties(&cells, x, printed, false));
    CHECK(atos_ties(&cells, x, tied, true));
    CHECK(atos_ties(&cells, x, tied, false));
    CHECK(!atos_ties(&cells, x, at("bfs", "daisy", "Gunrock", graph, 1), true));

    /* 4 GPUs of twitter50, Gunrock 258 and priority 270, are in no score; for
     * hollywood-2009, priority 3.84 and Gunrock 5.39, a tie is no win. */
    as_printed(1);
    at("bfs", "daisy", "Gunrock", "twitter50", 4)->ms = 500;
    CHECK_EQ(score("atos-table-2", "bfs").same_winner, 8);
    at("bfs", "daisy", "Gunrock", "hollywood-2009", 4)->ms = 3.83;
    CHECK_EQ(score("atos-table-2", "bfs").same_winner, 7);
}

static void test_partial(void)
{
    /* One graph has a part of its size, and one cell is not simulated: both are
     * not run. */
    as_printed(1);
    for (size_t i = 0; i < cells.n; i++)
        if (!strcmp(cells.list[i].key.graph, "soc-LiveJournal1"))
            cells.list[i].scale = 0.25;
    at("bfs", "daisy", "Groute", "osm_eur", 3)->ms = NAN;
    struct atos_score s = score("atos-table-2", "bfs");
    CHECK_EQ(s.races, 8 - 3);
    CHECK_EQ(s.same_winner, 5);
    CHECK_EQ(s.races_not_run, 4);
    CHECK_EQ(s.all_speedups, 69 - 13 - 13);
    CHECK_EQ(s.speedups_not_run, 13);
    CHECK_EQ(s.times, 43);
    CHECK_HAS(made("atos-table-2", false),
              "\n- not run at full size, so in no score: 4 graphs by GPUs, 13 "
              "self speed-ups\n");
    CHECK_HAS(made("atos-table-2", false), "not run / 502 (- / 1.14)");
    /* 1.29 is within 1.3, 1.31 is not; the same for the reciprocals. */
    as_printed(1);
    at("bfs", "daisy", "Gunrock", "road_usa", 2)->ms *= 1.29;
    at("bfs", "daisy", "Gunrock", "road_usa", 3)->ms *= 1.31;
    at("bfs", "daisy", "Gunrock", "osm_eur", 2)->ms /= 1.29;
    at("bfs", "daisy", "Gunrock", "osm_eur", 3)->ms /= 1.31;
    CHECK_EQ(score("atos-table-2", "bfs").near[0], 16);
}

/* Sets all cells as printed except one; osm_eur has a sixteenth of its size. */
static void one_better(void)
{
    as_printed(1);
    at("bfs", "daisy", "Gunrock", "road_usa", 4)->ms = 30.2;
    for (size_t i = 0; i < cells.n; i++)
        if (!strcmp(cells.list[i].key.graph, "osm_eur"))
            cells.list[i].scale = 1 / 16.0;
}

static void test_times(void)
{
    one_better();
    const char *text = made("atos-table-2", false);
    CHECK_HAS(text,
              "\n| bfs on Gunrock | 1 GPU | 2 GPUs | 3 GPUs | 4 GPUs |\n"
              "| --- | --- | --- | --- | --- |\n"
              "| soc-LiveJournal1 | 13.4 / 13.4 | 10 / 10 (1.34 / 1.34) |");
    /* The winners of both sides are bold. */
    CHECK_HAS(text, "963 / 963 (0.627 / 0.627) | "
                    "**30.2** / 1009 (20 / 0.599) |\n");
    CHECK_HAS(text, "| 62 / **62** (0.75 / 0.75) |\n");
    CHECK_HAS(text, "| osm_eur (1/16) | 2094 / 2094 |");
    CHECK_HAS(text,
              "\n- the fastest where print is clear (10 %): 8 of 8; baseline, "
              "the printed winner with one GPU: 6\n"
              "- pairs that print separates by 5 %, in order: 61 of 61; "
              "baseline, the printed order with one GPU: 48\n"
              "- in no score: 4 races that print leaves open, 3 races, 16 "
              "pairs and 7 self speed-ups with a fitted cell\n"
              "- self speed-up within a factor of 1.3, Gunrock: 14 of 15\n"
              "- self speed-up within a factor of 1.3, Groute: 11 of 11\n");
    CHECK_HAS(text, "- the same, all: 49 of 50\n");
    CHECK_HAS(text, "- median error of the times: 0 % (50 cells)\n");
}

static void test_rows(void)
{
    one_better();
    const char *text = made("atos-table-2", true);
    CHECK_HAS(text,
              "\nbfs,daisy,Gunrock,road_usa,4,1,30.2,1009,20,0.5986,1,0\n");
    CHECK_HAS(text, "\nbfs,daisy,Atos-standard-persistent,road_usa,4,1,62,62,"
                    "0.75,0.75,0,1\n");
    text = made("atos-table-5", false);
    CHECK_HAS(text, "\n| pagerank on Galois | 1 GPU | 2 GPUs |");
    CHECK_HAS(text, " 8 GPUs |\n");
    CHECK_HAS(text, "- the fastest where print is clear (10 %): 0 of 0;");
}

/* Cells of one graph at several scales are not compared. */
static void test_scales(void)
{
    as_printed(1);
    struct cell *two = at("bfs", "daisy", "Gunrock", "road_usa", 2);
    const struct study_choice *x = figure_made("atos-table-2")->choice;
    CHECK(atos_speedup(&cells, &two->key, false) > 0);
    CHECK(atos_winner(&cells, x, &two->key, false));
    two->scale = 1 / 16.0;
    CHECK(isnan(atos_speedup(&cells, &two->key, false)));
    CHECK(atos_speedup(&cells, &two->key, true) == 604 / 917.0);
    CHECK(!atos_winner(&cells, x, &two->key, false));
    CHECK(atos_winner(&cells, x, &two->key, true));
    struct atos_score s = score("atos-table-2", "bfs");
    CHECK_EQ(s.races, 8);
    CHECK_EQ(s.races_not_run, 1);
    CHECK_EQ(s.speedups[0], 17);
    CHECK_HAS(made("atos-table-2", false),
              "| road_usa | 604 / 604 | 917 (1/16) / 917 (- / 0.659) |");
    CHECK_HAS(made("atos-5", false), "scales = '1 1 1,1/16 1'\n");
    /* There is no self speed-up, because the cell of one GPU has another
     * scale. */
    as_printed(1);
    at("bfs", "daisy", "Gunrock", "road_usa", 1)->scale = 1 / 16.0;
    CHECK_EQ(score("atos-table-2", "bfs").speedups[0], 15);
}

/* Tests a cell that the table lacks. */
static void test_missing(void)
{
    as_printed(1);
    strcpy(at("bfs", "daisy", "Gunrock", "soc-LiveJournal1", 4)->key.graph,
           "none");
    strcpy(at("bfs", "daisy", "Gunrock", "road_usa", 2)->key.graph, "none");
    const char *text = made("atos-table-2", false);
    CHECK_HAS(text, "| bfs on Gunrock | 1 GPU | 2 GPUs | 3 GPUs | 4 GPUs |");
    CHECK_HAS(text, "| road_usa | 604 / 604 | - | 963 / 963 ");
    CHECK_HAS(text, "(1.64 / 1.64) | - |\n");
}

static void test_workload(void)
{
    as_printed(1);
    at("bfs", "daisy", "Atos-priority-discrete", "twitter50", 4)->workload =
        1.2;
    at("bfs", "daisy", "Atos-priority-discrete", "twitter50", 1)->workload = 2;
    at("bfs", "daisy", "Atos-standard-persistent", "twitter50", 3)->workload =
        1.4;
    const char *text = made("atos-table-3", false);
    CHECK_HAS(text, "| soc-LiveJournal1 | 1.063 / 1.063 -> 1.003 / 1.003 | "
                    "1.260 / 1.26 -> 1.060 / 1.06 |");
    CHECK_HAS(text, "1.340 / 1.34 -> 1.200 / 1.305 |\n");
    CHECK_HAS(text, "- within 0.1, 2 GPUs and more: 23 of 24\n"
                    "- within 0.1, 1 GPU: 7 of 8\n");
    CHECK_HAS(made("atos-table-3", true),
              "\nAtos-priority-discrete,twitter50,4,1,1.2,1.305\n");
    at("bfs", "daisy", "Atos-standard-persistent", "soc-LiveJournal1", 2)
        ->scale = 0.3;
    at("bfs", "daisy", "Atos-standard-persistent", "twitter50", 1)->scale = 0.5;
    text = made("atos-table-3", false);
    CHECK_HAS(text, "- within 0.1, 2 GPUs and more: 22 of 23\n"
                    "- within 0.1, 1 GPU: 6 of 7\n"
                    "- not run at full size, so in no score: 1 and 1\n");
    CHECK_HAS(text, "| soc-LiveJournal1 | 1.063 / 1.063 -> 1.003 / 1.003 | "
                    "1.260 (0.3) / 1.26 -> 1.060 / 1.06 |");
    CHECK_HAS(text, "| twitter50 (1/2) |");
}

/* Tests the drawn values: self speed-ups, and empty cells if nothing is
 * printed. */
static void test_scaling(void)
{
    as_printed(2);
    struct cell *one = at("bfs", "summit-node", "Atos", "road_usa", 1);
    struct cell *two = at("bfs", "summit-node", "Atos", "road_usa", 2);
    one->ms = 10;
    two->ms = 4;
    CHECK_HAS(made("atos-7", true), "\nbfs,road_usa,Atos,2,1,4,2.5,\n");
    CHECK_HAS(made("atos-7", false), "most = 6\nleast = 1\nprinted = 0\n");
    CHECK_HAS(made("atos-7", false), "scales = '1 1 1 1'\n");
    CHECK_HAS(made("atos-8", true),
              "\nbfs,twitter50,Galois,8,1,1404,0.662393,0.662393\n");
    CHECK_HAS(made("atos-8", false), "frameworks = 'Galois Atos'\n");
}

int main(void)
{
    test_perfect();
    test_wrong();
    test_ties();
    test_partial();
    test_times();
    test_rows();
    test_scales();
    test_missing();
    test_workload();
    test_scaling();
    cells_clear(&cells);
    return check_result();
}
