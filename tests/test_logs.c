/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs of benchmarks: the rows of each format, facts of their heads, lines that
 * are cut off or of others, and refusals. */
#include "tests/check.h"
#include "tests/scratch.h"
#include "validate/logs/log.h"

#include <string.h>

#define LOGS "tests/data/logs/"

static bool load(struct log *l, const char *path, const struct log_facts *more)
{
    struct err err = {0};

    if (log_load(l, path, more, &err) == 0)
        return true;
    fprintf(stderr, "%s\n", err.text);
    CHECK(!"read");
    return false;
}

/* Returns the first row of this size and place in a run; NULL if there is
 * none. */
static const struct log_row *row(const struct log *l, size_t run,
                                 uint64_t bytes, bool out_of_place)
{
    for (size_t i = 0; i < l->nrows; i++)
        if (l->rows[i].run == run && l->rows[i].bytes == bytes &&
            l->rows[i].out_of_place == out_of_place)
            return &l->rows[i];
    return NULL;
}

static void check_time(const struct log *l, size_t run, uint64_t bytes,
                       bool out_of_place, double us)
{
    const struct log_row *r = row(l, run, bytes, out_of_place);

    CHECK(r);
    if (r)
        CHECK_NEAR(r->time_s, us / 1e6, 1e-9);
}

static const struct log_note *note(const struct log *l, const char *text)
{
    for (size_t i = 0; i < l->nnotes; i++)
        if (strstr(l->notes[i].text, text))
            return &l->notes[i];
    return NULL;
}

static void check_note(const struct log *l, const char *text, size_t lines)
{
    const struct log_note *n = note(l, text);

    CHECK(n);
    if (n)
        CHECK_EQ(n->lines, lines);
}

/* --- nccl-tests ----------------------------------------------------------- */

static void test_nccl_tests(void)
{
    struct log l;

    if (!load(&l, "results/logs/alps_allreduce_2x4.txt", NULL))
        return;
    CHECK_EQ(l.nruns, 1);
    CHECK_EQ(l.nrows, 50);
    CHECK_EQ(l.runs[0].ranks, 8);
    CHECK_EQ(l.runs[0].nodes, 2);
    CHECK_EQ(l.runs[0].by_thread, 1);
    CHECK(!strcmp(l.runs[0].gpu, "NVIDIA GH200 120GB"));
    CHECK(!strcmp(l.runs[0].library, "NCCL 2.21.5+cuda12.4"));
    CHECK(!strcmp(l.rows[0].operation, "allreduce"));
    check_time(&l, 0, 8, true, 17.93);
    check_time(&l, 0, 8, false, 17.72);
    check_time(&l, 0, 134217728, true, 1916.4);
    /* The tuner's line stands before the row of its size. */
    CHECK(!strcmp(row(&l, 0, 1024, true)->algorithm, "TREE/LL"));
    CHECK(!*row(&l, 0, 2048, true)->algorithm);
    CHECK_EQ(l.nnotes, 0);
    log_clear(&l);
}

/* Four runs in the layout of older versions, whose columns differ. */
static void test_nccl_tests_old(void)
{
    static const char *const names[] = {"allreduce", "allgather", "broadcast",
                                        "alltoall"};
    struct log l;

    if (!load(&l, LOGS "nccl_tests_old.txt", NULL))
        return;
    CHECK_EQ(l.nruns, 4);
    CHECK_EQ(l.nrows, 4 * 2 * 6);
    for (size_t run = 0; run < 4; run++) {
        const struct log_row *r = row(&l, run, 1 << 22, false);
        CHECK(r && !strcmp(r->operation, names[run]));
        CHECK_EQ(l.runs[run].ranks, 8);
        CHECK_EQ(l.runs[run].nodes, 1);
        CHECK_EQ(l.runs[run].by_thread, 8); /* nThread 1 nGpus 8 */
        CHECK(!l.runs[run].in_graph);
    }
    check_time(&l, 0, 1 << 30, false, 8176.5);
    check_time(&l, 1, 1 << 30, true, 4413.4);
    log_clear(&l);
}

static void test_rccl_tests(void)
{
    struct log l;

    if (!load(&l, LOGS "rccl_tests_1x8.txt", NULL))
        return;
    CHECK(!strcmp(l.runs[0].gpu, "AMD Instinct MI300X"));
    CHECK(!strcmp(l.runs[0].library, "RCCL 2.22.3-HEAD:9a8b1c3"));
    check_time(&l, 0, 1024, true, 13.67);
    log_clear(&l);
}

/* The head is lost, the end is cut off, and rows have commas, no numbers, or
 * lines of other programs in them. */
static void test_broken(void)
{
    struct log l;

    if (!load(&l, LOGS "nccl_tests_broken.txt", NULL))
        return;
    check_note(&l, "no line of columns", 1);
    check_note(&l, "decimal point", 6);
    check_note(&l, "no time out of place", 1);
    check_note(&l, "no time in place", 1);
    check_note(&l, "cut off, or mixed", 2);
    /* busbw / algbw is 1.75 = 2 (n - 1) / n. */
    CHECK_EQ(l.runs[0].ranks, 8);
    CHECK_EQ(l.runs[0].nodes, 0);
    CHECK(!strcmp(l.rows[0].operation, "allreduce"));
    check_time(&l, 0, 16384, true, 37.29);
    CHECK(!row(&l, 0, 32768, true));
    check_time(&l, 0, 32768, false, 37.09);
    CHECK(!row(&l, 0, 131072, true));
    CHECK(!row(&l, 0, 134217728, true));
    log_clear(&l);
}

#define TABLE                                                                  \
    "# size count type redop root time algbw busbw #wrong time algbw busbw "   \
    "#wrong\n"

/* Rows of which several collectives could be are left unnamed; the user names
 * them, and their ranks. */
static void test_unnamed(void)
{
    char *path =
        scratch_file("unnamed", TABLE "1048576 65536 float none -1 100 10.49 "
                                      "7.86 0 100 10.49 7.86 0\n");
    struct log_facts facts;
    struct log l;
    struct err err;

    if (load(&l, path, NULL)) {
        check_note(&l, "does not name the collective", 1);
        CHECK(!strcmp(l.rows[0].operation, "unnamed"));
        log_clear(&l);
    }
    CHECK_EQ(log_facts_read(&facts,
                            (const char *[]){"collective=all_gather", "ranks=4",
                                             "nodes=2", "memory=device"},
                            4, &err),
             0);
    if (load(&l, path, &facts)) {
        CHECK(!strcmp(l.rows[0].operation, "allgather"));
        CHECK_EQ(l.runs[0].ranks, 4);
        CHECK_EQ(l.runs[0].nodes, 2);
        log_clear(&l);
    }
    free(path);
}

/* Checks that a sum with a root is a reduce only if its bus bandwidth is the
 * algorithm's, because the 14/8 of 8 ranks is an allreduce's. */
static void test_rooted(void)
{
    static const struct {
        const char *busbw, *operation;
    } cases[] = {{"10.49", "reduce"}, {"18.36", "allreduce"}};

    for (size_t i = 0; i < 2; i++) {
        char text[512];
        struct log l;
        snprintf(text, sizeof text,
                 "# size count type redop root time algbw busbw #wrong time "
                 "algbw busbw #wrong\n1048576 262144 float sum 0 100 10.49 %s "
                 "0 100 10.49 %s 0\n",
                 cases[i].busbw, cases[i].busbw);
        char *path = scratch_file("rooted", text);
        if (load(&l, path, NULL)) {
            CHECK(!strcmp(l.rows[0].operation, cases[i].operation));
            log_clear(&l);
        }
        free(path);
    }
}

/* A variable of NCCL keeps its whole value, and is read once. */
static void test_settings(void)
{
#define EXCLUDED "^CollnetDirect,CollnetChain,NVLS,NVLSTree,PAT,Tree"
#define SAID                                                                   \
    "n0:1:1 [0] NCCL INFO NCCL_ALGO set by environment to " EXCLUDED ".\n"
    char *path = scratch_file("settings", SAID SAID TABLE
                              "1048576 65536 float none -1 100 10.49 "
                              "9.18 0 100 10.49 9.18 N/A\n");
    struct log l;

    if (load(&l, path, NULL)) {
        CHECK_EQ(l.nsettings, 1);
        CHECK(!strcmp(l.settings[0], "NCCL_ALGO=" EXCLUDED));
        log_clear(&l);
    }
    free(path);
#undef EXCLUDED
#undef SAID
}

/* --- MPI ------------------------------------------------------------------ */

static void test_osu(void)
{
    struct log l;

    if (!load(&l, "results/logs/alps_osu_bw.txt", NULL))
        return;
    CHECK_EQ(l.nruns, 2);
    CHECK_EQ(l.nrows, 32);
    CHECK(!strcmp(l.runs[0].memory[0], "host"));
    CHECK(!strcmp(l.runs[1].memory[1], "device"));
    CHECK_EQ(l.runs[0].nodes, 2); /* srun -N2 */
    /* 4194304 B at 23982.18 MB/s. */
    check_time(&l, 0, 4194304, true, 4194304 / 23982.18);
    log_clear(&l);

    const struct log_facts facts = {.ranks = 16};
    if (!load(&l, LOGS "osu_many.txt", &facts))
        return;
    CHECK_EQ(l.nruns, 6);
    CHECK(!strcmp(l.runs[0].operation, "allreduce"));
    check_time(&l, 0, 1048576, true, 502.1); /* the mean of -f */
    CHECK(!strcmp(l.runs[1].operation, "alltoall"));
    check_time(&l, 1, 16 * 65536, true, 1432.85); /* 65536 B for each rank */
    CHECK(!strcmp(l.runs[3].operation, LOG_MULTI_LATENCY));
    CHECK(!strcmp(l.runs[3].memory[0], "device"));
    CHECK_EQ(l.runs[4].pairs, 4);
    CHECK_EQ(l.runs[4].ranks, 8);
    check_time(&l, 4, 1048576, true, 4 * 1048576 / 23802.11);
    CHECK(!strcmp(l.runs[5].memory[0], "device"));
    CHECK(!strcmp(l.runs[5].memory[1], "host"));
    check_time(&l, 5, 1048576, true, 2 * 1048576 / 41802.10);
    log_clear(&l);
}

static void test_imb(void)
{
    struct log l;

    if (!load(&l, LOGS "imb.txt", NULL))
        return;
    CHECK_EQ(l.nruns, 3);
    CHECK(!strcmp(l.runs[0].operation, LOG_LATENCY));
    check_time(&l, 0, 1048576, true, 95.1);
    CHECK_EQ(l.runs[1].ranks, 16);
    check_time(&l, 1, 1048576, true, 517.4);
    check_time(&l, 2, 1048576, true, 8 * 1048576 / 11502.20);
    log_clear(&l);
}

/* --- JSON and matrices ---------------------------------------------------- */

static void test_nccl_inspector(void)
{
    struct log l;

    if (!load(&l, LOGS "nccl_inspector.jsonl", NULL))
        return;
    CHECK_EQ(l.nruns, 1);
    CHECK_EQ(l.nrows, 5);
    CHECK_EQ(l.runs[0].ranks, 8);
    CHECK_EQ(l.runs[0].nodes, 2);
    check_time(&l, 0, 1048576, false, 160);
    CHECK(!strcmp(l.rows[0].algorithm, "TREE/SIMPLE"));
    check_time(&l, 0, 8 * 1048576, false, 120); /* a block of each rank */
    CHECK_EQ(l.rows[1].line, 2);
    check_note(&l, "no time", 1);
    check_note(&l, "sends and receives", 1);
    check_note(&l, "cut off", 1);
    log_clear(&l);
}

static void check_copies(const char *path, size_t rows)
{
    struct log l;

    if (!load(&l, path, NULL))
        return;
    CHECK_EQ(l.nrows, rows);
    CHECK(!strcmp(l.runs[0].gpu, "NVIDIA H200"));
    CHECK(!strcmp(l.rows[0].operation, LOG_COPY "H2D"));
    CHECK_NEAR(l.rows[0].time_s, (512 << 20) / 55.31e9, 1e-9);
    const struct log_row *last = &l.rows[rows - 1];
    CHECK(!strcmp(last->operation, LOG_COPY "D2D"));
    CHECK_EQ(last->gpus[0] + last->gpus[1], 1);
    log_clear(&l);
}

static void test_nvbandwidth(void)
{
    check_copies(LOGS "nvbandwidth.txt", 8);
    check_copies(LOGS "nvbandwidth.json", 4);
}

/* --- marks, facts, refusals ----------------------------------------------- */

/* A launcher marks lines by their process. */
static void test_marks(void)
{
    char *path = scratch_file(
        "marks", "[1,0]<stdout>:" TABLE
                 "[1,0]<stdout>:8 2 float sum -1 10.5 0 0 0 11 0 0 0\n"
                 "[1,3]<stderr>:warning 8 2\n"
                 "0: 16 4 float sum -1 12.5 0 0 0 13 0 0 0\n");
    const struct log_facts facts = {.operation = "allreduce", .ranks = 8};
    struct log l;

    if (load(&l, path, &facts)) {
        CHECK_EQ(l.nrows, 4);
        check_time(&l, 0, 16, true, 12.5);
        log_clear(&l);
    }
    free(path);
}

static void refused(const char *text, const char *why)
{
    char *path = scratch_file("refused", text);
    struct log l;
    struct err err = {0};

    CHECK(log_load(&l, path, NULL, &err) < 0);
    CHECK_HAS(err.text, why);
    CHECK(!strstr(err.text, "\n"));
    free(path);
}

static void test_refused(void)
{
    struct log_facts facts;
    struct err err;

    refused("# size count type redop root algbw busbw\n8 2 float sum -1 0 0\n",
            ":1: the table has not the columns of nccl-tests: expected size, "
            "count, type, time, algbw, busbw");
    refused("# nThread 1 nGpus 8\n# Using devices\n",
            "no row of nccl-tests: expected the columns size, count, type");
    refused("\n# OSU MPI Latency Test v7.4\n# Size Avg Lat(ms)\n1 3\n",
            ":3: the table has not the columns of OSU's: expected Size");
    refused("# Benchmarking Allreduce\n#bytes #repetitions t_min[usec]\n",
            ":2: the table has not the columns of IMB: expected #bytes");
    refused(TABLE "8 2 float sum -1 N/A 0 0 0 N/A 0 0 0\n",
            ":2: no time out of place; no row of nccl-tests with the columns");
    refused("a text\n", "no log that sluice knows");
    for (int i = 0; i < 4; i++) {
        const char *const bad[] = {"ranks=0", "nodes", "memory=gpu", "gpus=8"};
        CHECK(log_facts_read(&facts, &bad[i], 1, &err) < 0);
        CHECK_HAS(err.text, "--fact");
    }
}

int main(void)
{
    scratch_make();
    test_nccl_tests();
    test_nccl_tests_old();
    test_rccl_tests();
    test_broken();
    test_unnamed();
    test_rooted();
    test_settings();
    test_osu();
    test_imb();
    test_nccl_inspector();
    test_nvbandwidth();
    test_marks();
    test_refused();
    scratch_clear();
    return check_result();
}
