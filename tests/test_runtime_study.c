/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The study of Dang et al. 2018: scores of cells as the paper prints them, and
 * the order of runtimes by a core's cost per byte. */
#include "tests/check.h"
#include "results/papers/runtime_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --- on cells ------------------------------------------------------------- */

/* Writes cells with PageRank of 100 rounds; with `turn` each runtime has the
 * next one's times. */
static void write_world(const char *path, int turn)
{
    struct runtime_study s;
    struct err err = {0};
    FILE *to = fopen(path, "w");

    CHECK(to != NULL);
    CHECK_EQ(runtime_study_open(&s, NULL, &err), 0);
    fprintf(to, "set,application,graph,cut,threads,vertices,change,platform,"
                "runtime,hosts,rounds,scaled_time_s,scaled_windows_s\n");
    for (size_t i = 0; i < nruntime_rows; i++)
        for (int r = 0; r < NSTUDY_RUNTIMES; r++) {
            struct runtime_row row = runtime_rows[i];
            int from = (r + turn) % NSTUDY_RUNTIMES;
            fprintf(
                to, "tables,%s,%s,cvc,,1,,%s,%s,128,100,%g,%g\n",
                row.application, row.graph, row.platform, study_runtimes[r],
                runtime_printed_s(&s, row, (enum study_runtime)from, "default"),
                from == BY_RMA ? 1.4 : 0);
        }
    fclose(to);
    runtime_study_close(&s);
}

/* With the printed times every score is full. */
static void test_scores(void)
{
    char path[] = "/tmp/sluice-claims-XXXXXX";
    struct runtime_study s;
    struct err err = {0};
    int fd = mkstemp(path);

    CHECK(fd >= 0);
    close(fd);
    write_world(path, 0);
    CHECK_EQ(runtime_study_open(&s, path, &err), 0);
    struct runtime_score all = runtime_scores(&s, NULL, NULL, true);
    CHECK_EQ(all.pairs, 36);
    CHECK_EQ(all.ordered, 36);
    CHECK_EQ(all.near, all.ratios);
    CHECK_EQ(runtime_scores(&s, NULL, NULL, false).pairs, 33);
    runtime_study_close(&s);
    write_world(path, 1);
    CHECK_EQ(runtime_study_open(&s, path, &err), 0);
    CHECK(runtime_scores(&s, NULL, NULL, true).ordered < 18);
    runtime_study_close(&s);
    unlink(path);
}

/* A cell has one basis: PageRank of 50 rounds is converted to the 100 of the
 * paper in all that grows with them, bfs in nothing. */
static void test_rounds(void)
{
    char path[] = "/tmp/sluice-claims-XXXXXX";
    struct runtime_study s;
    struct err err = {0};
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");

    fprintf(f, "set,application,graph,cut,platform,change,runtime,hosts,rounds,"
               "messages,scaled_time_s,scaled_compute_s,scaled_bytes,"
               "scaled_windows_s,scaled_reserved_B\n");
    for (int ranks = 0; ranks < 2; ranks++)
        fprintf(f,
                "tables,%s,kron30,cvc,stampede2,,mpi-rma,4,50,600,3,1,12e6,"
                "0.5,64e6\n",
                ranks ? "pagerank" : "bfs");
    fclose(f);
    CHECK_EQ(runtime_study_open(&s, path, &err), 0);
    CHECK_EQ(s.ncells, 2);
    for (size_t i = 0; i < 2 && s.ncells == 2; i++) {
        const struct runtime_cell *c = &s.cells[i];
        const double times = i ? 2 : 1;
        CHECK_EQ(c->rounds, 50 * times);
        CHECK_NEAR(c->messages, 600 * times, 1e-12);
        CHECK_NEAR(c->bytes, 12e6 * times, 1e-12);
        CHECK_NEAR(c->time_s, 3 * times, 1e-12);
        CHECK_NEAR(c->compute_s, 1 * times, 1e-12);
        CHECK_NEAR(c->windows_s, 0.5, 0); /* made once */
        CHECK_NEAR(c->reserved_B, 64e6, 0);
    }
    runtime_study_close(&s);
    unlink(path);
}

/* The order of runtimes in PageRank is that of a core's cost per byte. */
static void test_ablation(void)
{
    struct runtime_study s;
    struct err err = {0};
    double with[NSTUDY_RUNTIMES], without[NSTUDY_RUNTIMES];

    CHECK_EQ(runtime_study_open(&s, NULL, &err), 0);
    for (int r = 0; r < NSTUDY_RUNTIMES; r++)
        with[r] = without[r] = NAN;
    for (size_t i = 0; i < s.ncells; i++)
        if (!strcmp(s.cells[i].set, "ablation"))
            (*s.cells[i].change ? without : with)[s.cells[i].runtime] =
                s.cells[i].time_s;
    CHECK_EQ(runtime_order(with[BY_LCI], with[BY_PROBE]), -1);
    CHECK_EQ(runtime_order(with[BY_RMA], with[BY_PROBE]), -1);
    CHECK(runtime_order(without[BY_LCI], without[BY_PROBE]) >= 0);
    CHECK(runtime_order(without[BY_RMA], without[BY_PROBE]) >= 0);
    runtime_study_close(&s);
}

int main(void)
{
    test_scores();
    test_rounds();
    test_ablation();
    return check_result();
}
