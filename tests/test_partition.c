/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generated matrices, and partitions of their rows. */
#include "base/jobs.h"
#include "tests/check.h"
#include "tests/scratch.h"
#include "workloads/matrix.h"

#include <stdlib.h>

static struct matrix make(const char *workload)
{
    struct matrix m = {0};
    struct err err = {0};

    if (matrix_from_workload(&m, workload, &err) < 0) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    CHECK(!strcmp(m.name, workload) || !strncmp(workload, "spmv:", 5));
    return m;
}

static void check_row(const char *workload, uint32_t row, const uint32_t *want,
                      size_t n)
{
    struct matrix m = make(workload);

    CHECK_EQ(m.row_ptr[row + 1] - m.row_ptr[row], n);
    if (m.row_ptr[row + 1] - m.row_ptr[row] == n)
        CHECK(!memcmp(m.col + m.row_ptr[row], want, n * sizeof *want));
    matrix_clear(&m);
}
#define CHECK_ROW(workload, row, ...)                                          \
    check_row((workload), (row), (const uint32_t[]){__VA_ARGS__},              \
              sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void test_stencils(void)
{
    /* Point (x, y, z) is row (z * ny + y) * nx + x. */
    CHECK_ROW("stencil:5pt:4x3", 5, 1, 4, 5, 6, 9);
    CHECK_ROW("stencil:5pt:4x3", 0, 0, 1, 4);
    CHECK_ROW("stencil:9pt:4x3", 5, 0, 1, 2, 4, 5, 6, 8, 9, 10);
    CHECK_ROW("stencil:9pt:4x3", 11, 6, 7, 10, 11);
    CHECK_ROW("stencil:7pt:3x3x3", 13, 4, 10, 12, 13, 14, 16, 22);
    CHECK_ROW("stencil:7pt:2x3x4", 23, 17, 21, 22, 23);
    CHECK_ROW("stencil:27pt:2x2x2", 3, 0, 1, 2, 3, 4, 5, 6, 7);
    CHECK_ROW("stencil:5pt:1x1", 0, 0);

    /* The room computed in advance is exactly filled. */
    static const struct {
        const char *workload;
        uint64_t nnz;
    } cases[] = {
        {"stencil:5pt:7x3", 21 + 2 * (6 * 3 + 7 * 2)},
        {"stencil:9pt:2000x2000", 35976004},
        {"stencil:7pt:3x4x5", 60 + 2 * (2 * 20 + 3 * 15 + 4 * 12)},
        {"stencil:27pt:3x4x5", UINT64_C(7) * 10 * 13},
        {"stencil:9pt:1x5", 13},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct matrix m = make(cases[i].workload);
        CHECK_EQ(m.row_ptr[m.rows], cases[i].nnz);
        matrix_clear(&m);
    }
}

static void test_random(void)
{
    struct matrix a = make("random:rows=1000,row_nnz=16,seed=7");
    struct matrix b = make("random:seed=7,row_nnz=16,rows=1000");
    struct matrix c = make("random:rows=1000,row_nnz=16,seed=8");
    uint64_t nnz = a.row_ptr[1000];

    /* There are 17 columns, about 17 * 16 / 2 / 1000 of which meet another
     * one. */
    CHECK(nnz > 16750 && nnz < 17000);
    CHECK_EQ(b.row_ptr[1000], nnz);
    CHECK(!memcmp(a.col, b.col, nnz * sizeof *a.col));
    CHECK(c.row_ptr[1000] != nnz ||
          memcmp(a.col, c.col, nnz * sizeof *a.col) != 0);
    for (uint32_t row = 0; row < 1000; row++)
        CHECK_EQ(a.col[a.row_ptr[row]], row);
    matrix_clear(&a);
    matrix_clear(&b);
    matrix_clear(&c);

    /* splitmix64 from 1234567 begins with 6457827717110365317, whose share of
     * 2^64 is 0.350: the same on every machine. */
    CHECK_ROW("random:rows=1000,row_nnz=1,seed=1234567", 0, 0, 350);
}

static void test_stats(void)
{
    struct matrix m = make("stencil:5pt:4x3");
    struct matrix_stats s;

    matrix_stats(&m, &s);
    CHECK_EQ(s.nnz, 12 + 2 * (3 * 3 + 4 * 2));
    CHECK(s.symmetric);
    CHECK_EQ(s.min_row, 3);
    CHECK_EQ(s.max_row, 5);
    CHECK_NEAR(s.mean_row, 46 / 12.0, 1e-12);
    CHECK_EQ(s.bandwidth, 4);

    /* (0, 4) and (4, 0) become (0, 4) and (4, 1): row lengths stay. */
    CHECK_EQ(m.col[m.row_ptr[4]], 0);
    m.col[m.row_ptr[4]] = 1;
    matrix_stats(&m, &s);
    CHECK(!s.symmetric);
    matrix_clear(&m);

    m = make("random:rows=50,row_nnz=3");
    matrix_stats(&m, &s);
    CHECK(!s.symmetric);
    matrix_clear(&m);
}

static void check_bad(const char *workload, const char *want)
{
    struct matrix m = {0};
    struct err err = {0};

    CHECK_EQ(matrix_from_workload(&m, workload, &err), -1);
    CHECK_HAS(err.text, want);
    CHECK_HAS(err.text,
              strncmp(workload, "spmv:", 5) ? workload : workload + 5);
}

static void test_bad_words(void)
{
    check_bad("spvm/x.mtx", "unknown workload; all: sluice list workloads");
    check_bad("stencl:5pt:3x3", "unknown workload (did you mean stencil:?)");
    check_bad("bfs:9", "no matrix: expected spmv:, stencil:, random: "
                       "or surrogate:");
    check_bad("stencil:6pt:3x3", "expected stencil:5pt:NXxNY");
    check_bad("stencil:5pt:3x3x3", "expected stencil:5pt:NXxNY");
    check_bad("stencil:7pt:3x3", "stencil:7pt:NXxNYxNZ");
    check_bad("stencil:5pt:0x3", "expected stencil:");
    check_bad("stencil:5pt:3x", "expected stencil:");
    check_bad("stencil:5pt:-3x3", "expected stencil:");
    check_bad("stencil:5pt:99999x99999", "9999800001 rows: expected at most");
    check_bad("stencil:5pt:4294967296x4294967296", "rows: expected at most");
    check_bad("stencil:27pt:1000x1000x1000", "nonzeros: expected at most");
    check_bad("random:rows=5", "expected random:rows=N,row_nnz=K,seed=S");
    check_bad("random:rows=5,row_nnz=2,", "expected random:");
    check_bad("random:rows=5,rows=5,row_nnz=2", "expected random:");
    check_bad("random:rows=0,row_nnz=2", "expected random:");
    check_bad("random:rows=5,row_nnz=2 ", "expected random:");
    check_bad("random:rows=5,row_nnz=x", "expected random:");
    check_bad("random:rows=5000000,row_nnz=18446744073709551615",
              "nonzeros: expected at most");
    check_bad("spmv:/does/not/exist.mtx", "cannot be opened");
}

static void test_contiguous(void)
{
    struct matrix m = make("stencil:5pt:11x1");
    uint32_t part[11];
    const uint32_t want[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3};
    struct err err;

    CHECK_EQ(matrix_partition(part, &m, 4, "contiguous", &err), 0);
    CHECK(!memcmp(part, want, sizeof want));
    CHECK_EQ(matrix_partition(part, &m, 12, "contiguous", &err), -1);
    CHECK_HAS(err.text, "stencil:5pt:11x1: 12 GPUs are more than its 11 rows");
    CHECK_EQ(matrix_partition(part, &m, 12, "metis", &err), -1);
    CHECK_EQ(matrix_partition(part, &m, 0, "metis", &err), -1);
    CHECK_EQ(matrix_partition(part, &m, 11, "metis", &err), 0);
    for (int i = 0; i < 11; i++)
        CHECK(part[i] < 11);
    CHECK_EQ(matrix_partition(part, &m, 1, "metis", &err), 0);
    for (int i = 0; i < 11; i++)
        CHECK_EQ(part[i], 0);
    matrix_clear(&m);
}

enum { AT_ONCE = 8 };

struct at_once {
    struct matrix m;
    uint32_t *part[AT_ONCE];
};

static int part_nth(void *arg, unsigned worker, size_t i, struct err *err)
{
    struct at_once *x = arg;

    (void)worker;
    return matrix_partition(x->part[i], &x->m, 24 + (uint32_t)i % 2, "metis",
                            err);
}

/* Partitions by other threads at the same time change nothing. */
static void test_metis_at_once(void)
{
    struct at_once x = {.m = make("stencil:9pt:100x100")};
    uint32_t *alone = xcalloc(x.m.rows, sizeof *alone);
    struct err err;

    for (size_t i = 0; i < AT_ONCE; i++)
        x.part[i] = xcalloc(x.m.rows, sizeof *alone);
    CHECK_EQ(jobs_run(AT_ONCE, 4, part_nth, &x, &err), 0);
    for (size_t i = 0; i < AT_ONCE; i++) {
        CHECK_EQ(
            matrix_partition(alone, &x.m, 24 + (uint32_t)i % 2, "metis", &err),
            0);
        CHECK(!memcmp(alone, x.part[i], x.m.rows * sizeof *alone));
        free(x.part[i]);
    }
    free(alone);
    matrix_clear(&x.m);
}

static void test_metis(void)
{
    struct matrix m = make("stencil:9pt:100x100");
    uint32_t *part = xcalloc(m.rows, sizeof *part);
    uint32_t *again = xcalloc(m.rows, sizeof *again);
    uint64_t cut = 0, count[25] = {0};
    struct err err;

    CHECK_EQ(matrix_partition(part, &m, 25, "metis", &err), 0);
    CHECK_EQ(matrix_partition(again, &m, 25, "metis", &err), 0);
    CHECK(!memcmp(part, again, m.rows * sizeof *part));
    for (uint32_t row = 0; row < m.rows; row++) {
        CHECK(part[row] < 25);
        count[part[row] % 25]++;
        for (uint64_t k = m.row_ptr[row]; k < m.row_ptr[row + 1]; k++)
            cut += part[m.col[k]] != part[row];
    }
    /* METIS allows 3 percent of imbalance. Squares of 20 x 20 would cut 8 lines
     * of 100 points, 3 edges each, counted from both ends; strips of 4 lines
     * would cut 24. */
    for (int g = 0; g < 25; g++)
        CHECK(count[g] > 300 && count[g] <= 413);
    CHECK(cut < UINT64_C(2) * 12 * 300);
    free(part);
    free(again);
    matrix_clear(&m);
}

static void test_names(void)
{
    struct err err;

    CHECK_EQ(partition_check(NULL, &err), 0);
    CHECK_EQ(partition_check("metis", &err), 0);
    CHECK_EQ(partition_check("contiguous", &err), 0);
    CHECK_EQ(partition_check("boxes", &err), 0);
    CHECK_EQ(partition_check("rcm", &err), 0);
    CHECK_EQ(partition_check("boxes:4x5", &err), 0);
    CHECK_EQ(partition_check("boxes:4x5x6", &err), 0);
    CHECK_EQ(partition_check("tests/check.h", &err), 0);
    CHECK_EQ(partition_check("random", &err), -1);
    CHECK_HAS(err.text, "random: unknown partition: expected contiguous");
    CHECK_EQ(partition_check("metos", &err), -1);
    CHECK_HAS(err.text, "(did you mean metis?)");
    CHECK_EQ(partition_check("boxes:0x5", &err), -1);
    CHECK_EQ(partition_check("boxes:4x5x6x7", &err), -1);
    CHECK_EQ(partition_check("boxes:4x5 ", &err), -1);
    CHECK_HAS(err.text, "boxes:4x5 : expected boxes:NXxNY or boxes:NXxNYxNZ");
}

/* Returns the parts of `workload` on ngpus GPUs; NULL with *err if it is
 * refused. The caller frees it. */
static uint32_t *parts_of(const char *workload, uint32_t ngpus, const char *how,
                          struct err *err)
{
    struct matrix m = make(workload);
    uint32_t *part = xcalloc(m.rows, sizeof *part);

    if (matrix_partition(part, &m, ngpus, how, err) < 0) {
        free(part);
        part = NULL;
    }
    matrix_clear(&m);
    return part;
}

static void refused(const char *workload, uint32_t ngpus, const char *how,
                    const char *want)
{
    struct err err = {0};
    uint32_t *part = parts_of(workload, ngpus, how, &err);

    CHECK(!part);
    CHECK_HAS(err.text, want);
    free(part);
}

static void test_boxes(void)
{
    /* 6 x 4 points on 4 GPUs: halves along both axes cut 4 + 6 neighbours, four
     * strips of y 18, of x 12. GPUs are numbered like points. */
    static const uint32_t want[] = {0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1,
                                    2, 2, 2, 3, 3, 3, 2, 2, 2, 3, 3, 3};
    struct err err = {0};

    uint32_t *part = parts_of("stencil:5pt:6x4", 4, "boxes", &err);
    CHECK(part && !memcmp(part, want, sizeof want));
    uint32_t *said = parts_of("random:rows=24,row_nnz=2", 4, "boxes:6x4", &err);
    CHECK(said && !memcmp(said, want, sizeof want));
    free(part);
    free(said);

    /* Two rows per point, 3 points, x fastest; one GPU has a point more. */
    static const uint32_t pairs[] = {0, 0, 0, 0, 1, 1};
    part = parts_of("random:rows=6,row_nnz=2", 2, "boxes:3x1", &err);
    CHECK(part && !memcmp(part, pairs, sizeof pairs));
    free(part);

    /* A cube on 8 GPUs is cut into halves; on 6, 1 x 2 x 3 blocks. */
    part = parts_of("stencil:7pt:6x6x6", 8, "boxes", &err);
    for (uint32_t i = 0; part && i < 216; i++)
        CHECK_EQ(part[i], i % 6 / 3 + 2 * (i / 6 % 6 / 3) + 4 * (i / 36 / 3));
    free(part);
    part = parts_of("stencil:7pt:6x6x6", 6, "boxes", &err);
    for (uint32_t i = 0; part && i < 216; i++)
        CHECK_EQ(part[i], i / 6 % 6 / 3 + 2 * (i / 36 / 2));
    free(part);

    refused("random:rows=24,row_nnz=2", 4, "boxes",
            "is not known to be of a grid: expected boxes:NXxNYxNZ");
    refused("random:rows=24,row_nnz=2", 4, "boxes:5x4",
            "expected the 24 rows of random:rows=24,row_nnz=2 to be a whole");
    refused("random:rows=24,row_nnz=2", 4, "boxes:4294967295x4294967295x9",
            "to be a whole number for each point");
    refused("stencil:5pt:6x4", 7, "boxes",
            "boxes: a grid of 6x4x1 points: no way to cut it into 7 boxes");
}

static void test_file(void)
{
    static const struct {
        const char *text, *want;
    } bad[] = {
        {"", ": the file is empty"},
        {"# nothing\n", ":1: the file ends after 0 part numbers: there are 4"},
        {"0\n1\n0\n", ":3: the file ends after 3 part numbers: there are 4"},
        {"0\n1\n0\n1\n\n1\n", ":6: more part numbers than rows: there are 4"},
        {"0\n1\n2\n1\n", ":3: expected a part number from 0 to 1 (2 GPUs)"},
        {"0\n-1\n0\n1\n", ":2: expected a part number from 0 to 1"},
        {"0\n1.0\n0\n1\n", ":2: expected a part number from 0 to 1"},
        {"0\nlast\n0\n1\n", ":2: expected a part number from 0 to 1"},
        {"0\n1 1\n0\n1\n", ":2: expected one part number, and nothing after"},
        {"0\n99999999999999999999999\n", ":2: expected a part number from"},
        {"0\n0\n0\n0\n", ":4: part 1 has no rows up to this line, the last"},
    };
    static const uint32_t want[] = {1, 0, 0, 1};
    struct err err = {0};

    scratch_make();
    char *good = scratch_file("good", "\xef\xbb\xbf# of 4 rows\r\n1 \r\n\n0 # "
                                      "why\n\t0\n1");
    uint32_t *part = parts_of("stencil:5pt:2x2", 2, good, &err);
    CHECK(part && !memcmp(part, want, sizeof want));
    free(part);
    free(good);
    good = scratch_file("good.gz", "1\n0\n0\n1\n");
    part = parts_of("stencil:5pt:2x2", 2, good, &err);
    CHECK(part && !memcmp(part, want, sizeof want));
    free(part);
    refused("stencil:5pt:2x2", 5, good, "5 GPUs are more than its 4 rows");
    free(good);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *path = scratch_file("bad", bad[i].text);
        refused("stencil:5pt:2x2", 2, path, bad[i].want);
        free(path);
    }
    refused("stencil:5pt:2x2", 2, "/does/not/exist", "cannot be opened");
    scratch_clear();
}

int main(void)
{
    test_stencils();
    test_random();
    test_stats();
    test_bad_words();
    test_contiguous();
    test_metis();
    test_metis_at_once();
    test_names();
    test_boxes();
    test_file();
    return check_result();
}
