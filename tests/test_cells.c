/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of Chen et al. 2022: printed ones, study files read, bad rows
 * refused. */
#include "results/papers/cells.h"

#include "tests/check.h"
#include "tests/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                   \
    "application,machine,framework,graph,gpus,scale,ms,workload,visits,"       \
    "edges,levels,wall_s,made_by\n"
#define ROW                                                                    \
    "bfs,daisy,Gunrock,road_usa,4,0.25,500,1,100,200,30,1.5,"                  \
    "0123456789abcdef\n"

static void test_printed(void)
{
    struct cells c;
    struct err err = {0};

    CHECK_EQ(cells_printed(&c, &err), 0);
    /* There are 92 cells of Table II, as many of IV, 192 of V, and 96 of Fig
     * 7. */
    CHECK_EQ(c.n, 92 + 92 + 192 + 96);
    const struct cell *one = cells_find(
        &c, "bfs", "daisy", "Atos-standard-persistent", "hollywood-2009", 2);
    CHECK(one && one->printed_ms == 7.90 && one->printed_workload == 1.36);
    CHECK(one && isnan(one->ms) && one->scale == 0);
    one = cells_find(&c, "pagerank", "summit-ib", "Atos", "osm_eur", 8);
    CHECK(one && one->printed_ms == 251 && isnan(one->printed_workload));
    one = cells_find(&c, "bfs", "summit-node", "Gunrock", "twitter50", 6);
    CHECK(one && isnan(one->printed_ms));
    CHECK(!cells_find(&c, "bfs", "daisy", "Groute", "twitter50", 1));
    CHECK(!cells_find(&c, "bfs", "daisy", "Gunrock", "road_usa", 5));
    cells_clear(&c);
}

static void test_read(void)
{
    struct cells c;
    struct err err = {0};
    /* The last row of a cell counts. */
    char *path = scratch_file("cells.csv",
                              "# a comment\n" HEAD ROW
                              "bfs,daisy,Gunrock,road_usa,4,1,840,1.5,7,8,9,0,"
                              "00000000000000aa\n");

    CHECK_EQ(cells_read(&c, path, &err), 0);
    const struct cell *one =
        cells_find(&c, "bfs", "daisy", "Gunrock", "road_usa", 4);
    CHECK(one && one->ms == 840 && one->printed_ms == 1009);
    CHECK(one && one->scale == 1 && one->workload == 1.5 && one->visits == 7);
    CHECK(one && one->edges == 8 && one->levels == 9 && one->wall_s == 0);
    if (one) {
        char *head = cells_head(), *row = cells_row(one);
        CHECK_HAS(head, HEAD);
        CHECK(!strcmp(row, "bfs,daisy,Gunrock,road_usa,4,1,840,1.5,7,8,9,"
                           "0.000,00000000000000aa\n"));
        free(head);
        free(row);
    }
    cells_clear(&c);
    free(path);
}

/* Returns the error of reading this text; valid until the next call. */
static const char *refused(const char *text)
{
    static struct err err;
    char *path = scratch_file("bad.csv", text);
    struct cells c;

    err = (struct err){0};
    if (cells_read(&c, path, &err) == 0) {
        cells_clear(&c);
        strcpy(err.text, "taken");
    }
    free(path);
    return err.text;
}

static void test_refused(void)
{
    CHECK_HAS(refused(HEAD ROW), "taken");
    CHECK_HAS(refused(HEAD), "no rows");
    CHECK_HAS(refused(HEAD ROW "bfs,daisy,Gun"), "bad.csv:3: expected 13");
    /* The row is cut within the last field, and right after it. */
    CHECK_HAS(refused(HEAD ROW "bfs,daisy,Gunrock,road_usa,3,1,5,1,1,2,3,1,01"),
              "bad.csv:3: cut off");
    CHECK_HAS(refused(HEAD "bfs,daisy,Gunrock,road_usa,3,1,5,1,1,2,3,1,"
                           "0123456789abcdef"),
              "bad.csv:2: cut off");
}

static void test_refused_values(void)
{
    CHECK_HAS(refused(HEAD "bfs,daisy,Gunrock,road_usa,5,1,5,1,1,2,3,1,"
                           "0123456789abcdef\n"),
              "bad.csv:2: bfs, daisy, Gunrock, road_usa, 5 GPUs: no such cell");
    CHECK_HAS(refused(HEAD "bfs,daisy,Gunrock,road_usa,9,1,5,1,1,2,3,1,"
                           "0123456789abcdef\n"),
              "bad.csv:2: gpus: 9 is too large");
    CHECK_HAS(refused(HEAD "bfs,daisy,Gunrock,road_usa,3,2,5,1,1,2,3,1,"
                           "0123456789abcdef\n"),
              "bad.csv:2: scale: expected above 0");
    CHECK_HAS(refused(HEAD "bfs,daisy,Gunrock,road_usa,3,1,-5,1,1,2,3,1,"
                           "0123456789abcdef\n"),
              "bad.csv:2: ms: expected a number above 0");
    CHECK_HAS(refused(HEAD "bfs,daisy,Gunrock,road_usa,3,1,nan,1,1,2,3,1,"
                           "0123456789abcdef\n"),
              "bad.csv:2: ms: expected a number, got 'nan'");
    CHECK_HAS(refused(HEAD "bfs,daisy,Gunrock,road_usa,3,1,5,0,1,2,3,1,"
                           "0123456789abcdef\n"),
              "bad.csv:2: workload: expected a number above 0, got 0");
    CHECK_HAS(refused(HEAD "bfs,daisy,Gunrock,road_usa,3,1,5,1,1,2,3,-1,"
                           "0123456789abcdef\n"),
              "bad.csv:2: wall_s: expected 0 or more, got -1");
    CHECK_HAS(refused(HEAD "bfs,daisy,Gunrock,road_usa,3,1,5,1,-1,2,3,1,"
                           "0123456789abcdef\n"),
              "bad.csv:2: visits: expected a whole number");
    CHECK_HAS(refused(HEAD "bfs,daisy,Gunrock,road_usa,3,1,5,1,1,2,3,1,x\n"),
              "bad.csv:2: made_by: expected 16 digits");
    CHECK_HAS(refused("application,machine\nbfs,daisy\n"),
              "bad.csv:2: no column named framework");
}

static const struct cell *of(const struct cells *c, const char *application,
                             const char *machine, const char *framework,
                             const char *graph, unsigned gpus)
{
    return cells_find(c, application, machine, framework, graph, gpus);
}

/* Tests the cells that a number was fitted to, by results/atos/fitted.csv. */
static void test_fitted(void)
{
    static const char graph[] = "soc-LiveJournal1";
    struct err err = {0};
    struct cells c;

    CHECK_EQ(cells_printed(&c, &err), 0);
    CHECK(of(&c, "bfs", "daisy", "Gunrock", graph, 1)->fitted_ms);
    CHECK(!of(&c, "bfs", "daisy", "Gunrock", graph, 2)->fitted_ms);
    CHECK(of(&c, "bfs", "summit-ib", "Galois", graph, 8)->fitted_ms);
    CHECK(!of(&c, "bfs", "summit-ib", "Atos", graph, 8)->fitted_ms);
    const struct cell *one =
        of(&c, "bfs", "daisy", "Atos-standard-persistent", graph, 1);
    CHECK(one->fitted_workload);
    CHECK(of(&c, "bfs", "daisy", "Groute", "road_usa", 4)->fitted_ms);
    CHECK(!of(&c, "bfs", "daisy", "Groute", "road_usa", 3)->fitted_ms);
    cells_clear(&c);
}

static bool said(double scale, const char *text)
{
    char *got = cells_scale_text(scale);
    bool same = !strcmp(got, text);

    free(got);
    return same;
}

static void test_scales(void)
{
    /* The scale in a row equals the one that was asked for. */
    CHECK(cells_same_scale(0.00130208333, 1 / 768.0));
    CHECK(cells_same_scale(1, 1) && !cells_same_scale(1, 0));
    CHECK(!cells_same_scale(1 / 768.0, 1 / 769.0));
    char *row = cells_row(&(struct cell){.scale = 1 / 768.0});
    CHECK_HAS(row, ",0,0.0013020833333333333,0,");
    free(row);
    CHECK(said(1, "1") && said(0.00130208333, "1/768"));
    CHECK(said(1 / 3.0, "1/3") && said(0.3, "0.3") && said(0.99, "0.99"));
}

int main(void)
{
    scratch_make();
    test_scales();
    test_printed();
    test_fitted();
    test_read();
    test_refused();
    test_refused_values();
    scratch_clear();
    return check_result();
}
