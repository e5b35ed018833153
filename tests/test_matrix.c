/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MatrixMarket files: all kinds that are read, all errors with their line. */
#include "tests/check.h"
#include "tests/scratch.h"
#include "workloads/matrix.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

static char folder[] = "/tmp/test_matrix.XXXXXX";

/* Returns the path of a file in the test's own folder. The caller frees it. */
static char *path_of(const char *name)
{
    return xasprintf("%s/%s", folder, name);
}

static char *write_file(const char *name, const char *text)
{
    char *path = path_of(name);
    FILE *f = fopen(path, "w");

    fputs(text, f);
    fclose(f);
    return path;
}

/* Writes it compressed, without its last `cut` bytes, and with byte `spoil`
 * inverted (counted from the end, unless 0). */
static char *write_gz(const char *name, const char *text, long cut, long spoil)
{
    char *path = path_of(name);
    gzFile gz = gzopen(path, "wb");

    gzputs(gz, text);
    gzclose(gz);
    scratch_damage(path, cut, spoil);
    return path;
}

static void check_row(const struct matrix *m, uint32_t row,
                      const uint32_t *want, size_t n)
{
    CHECK_EQ(m->row_ptr[row + 1] - m->row_ptr[row], n);
    for (size_t i = 0; i < n; i++) {
        bool found = false;
        for (uint64_t k = m->row_ptr[row]; k < m->row_ptr[row + 1]; k++)
            found = found || m->col[k] == want[i];
        CHECK(found);
    }
}
#define CHECK_ROW(m, row, ...)                                                 \
    check_row((m), (row), (const uint32_t[]){__VA_ARGS__},                     \
              sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static struct matrix read_good(const char *text)
{
    struct matrix m = {0};
    struct err err = {0};
    char *path = write_file("good.mtx", text);

    CHECK(matrix_read(&m, path, &err) == 0);
    if (!m.row_ptr) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    free(path);
    return m;
}

static void test_general(void)
{
    /* It has an explicit zero, an entry twice, comments and blank lines
     * between. */
    struct matrix m =
        read_good("%%MatrixMarket matrix coordinate real general\n"
                  "% made by hand\n"
                  "\n"
                  "3 3 5\n"
                  "1 1 4.5\n"
                  "% between\n"
                  "1 3 0\n"
                  "  3 1 -1e-3\r\n"
                  "\n"
                  "2 2 1\n"
                  "1 3 7");

    CHECK_EQ(m.rows, 3);
    CHECK_EQ(m.row_ptr[3], 4);
    CHECK(!strcmp(m.name, "good"));
    CHECK_ROW(&m, 0, 0, 2);
    CHECK_ROW(&m, 1, 1);
    CHECK_ROW(&m, 2, 0);
    matrix_clear(&m);
}

/* The lower triangle {(2,1), (3,1), (3,3)} and the entries that it implies. */
static void test_symmetries(void)
{
    static const struct {
        const char *words, *value;
        bool diagonal;
    } cases[] = {
        {"pattern symmetric", "", true},
        {"real symmetric", " 2.5", true},
        {"integer symmetric", " -3", true},
        {"complex symmetric", " 1 2", true},
        {"complex hermitian", " 1 0", true},
        {"real skew-symmetric", " 2.5", false},
        {"pattern skew-symmetric", "", false},
        {"COMPLEX Skew-Symmetric", " 1 1", false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *v = cases[i].value;
        char *last = cases[i].diagonal ? xasprintf("3 3%s\n", v) : xstrdup("");
        char *text =
            xasprintf("%%%%MatrixMarket matrix coordinate %s\n"
                      "3 3 %d\n2 1%s\n3 1%s\n%s",
                      cases[i].words, 2 + cases[i].diagonal, v, v, last);
        struct matrix m = read_good(text);

        CHECK_EQ(m.row_ptr[3], 4 + cases[i].diagonal);
        CHECK_ROW(&m, 0, 1, 2);
        CHECK_ROW(&m, 1, 0);
        if (cases[i].diagonal)
            CHECK_ROW(&m, 2, 0, 2);
        else
            CHECK_ROW(&m, 2, 0);
        matrix_clear(&m);
        free(text);
        free(last);
    }
}

/* Files are in order, with ascending rows, or in another order. */
static void test_symmetric_pattern(void)
{
    static const struct {
        const char *entries;
        bool symmetric;
    } cases[] = {
        {"5\n1 1\n1 3\n2 2\n3 1\n3 2\n", false},
        {"5\n1 1\n1 3\n2 2\n3 1\n1 2\n", false},
        {"5\n1 2\n1 3\n2 1\n2 2\n3 1\n", true},
        {"5\n1 3\n1 2\n2 2\n2 1\n3 1\n", true},
        {"5\n1 3\n1 2\n2 3\n2 1\n3 1\n", false},
        {"3\n1 2\n2 3\n3 1\n", false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = xasprintf("%%%%MatrixMarket matrix coordinate pattern "
                               "general\n3 3 %s",
                               cases[i].entries);
        struct matrix m = read_good(text);
        struct matrix_stats stats;

        matrix_stats(&m, &stats);
        CHECK_EQ(stats.symmetric, cases[i].symmetric);
        matrix_clear(&m);
        free(text);
    }
}

static void test_compressed(void)
{
    const char *text = "%%MatrixMarket matrix coordinate pattern general\n"
                       "2 2 2\n1 2\n2 1\n";
    char *path = write_gz("small.mtx.gz", text, 0, 0);
    struct matrix m = {0};
    struct err err = {0};

    CHECK_EQ(matrix_read(&m, path, &err), 0);
    CHECK(!strcmp(m.name, "small"));
    CHECK_ROW(&m, 0, 1);
    CHECK_ROW(&m, 1, 0);
    matrix_clear(&m);
    free(path);
}

/* Returns the error of a file, without the folder at its front. */
static const char *error_of(char *path)
{
    static struct err err;
    struct matrix m = {0};

    memset(&err, 0, sizeof err);
    CHECK_EQ(matrix_read(&m, path, &err), -1);
    CHECK(m.row_ptr == NULL && m.col == NULL && m.name == NULL);
    CHECK(!strncmp(err.text, folder, strlen(folder)));
    CHECK(strchr(err.text, '\n') == NULL);
    matrix_clear(&m);
    free(path);
    return err.text + strlen(folder) + 1;
}

static void check_bad(const char *text, const char *want)
{
    CHECK_HAS(error_of(write_file("m.mtx", text)), want);
}

#define REAL "%%MatrixMarket matrix coordinate real general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"

static void test_bad_header(void)
{
    check_bad("", "m.mtx:0: not a MatrixMarket file");
    check_bad("hello\n1 1 1\n", "m.mtx:1: not a MatrixMarket file");
    check_bad("1 1 1\n1 1 1\n", "m.mtx:1: not a MatrixMarket file");
    check_bad("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n",
              "m.mtx:1: a dense matrix (array)");
    check_bad("%%MatrixMarket vector coordinate real general\n",
              "m.mtx:1: expected %%MatrixMarket matrix coordinate");
    check_bad("%%MatrixMarket matrix coordinate quaternion general\n",
              "m.mtx:1: expected real, integer, complex or pattern");
    check_bad("%%MatrixMarket matrix coordinate real diagonal\n",
              "m.mtx:1: expected general, symmetric");
    check_bad("%%MatrixMarket\n", "m.mtx:1: expected %%MatrixMarket matrix");
    check_bad(REAL "% only a comment\n",
              "m.mtx:2: the file ends before its size is stated");
    check_bad(REAL "% c\n3 3\n", "m.mtx:3: expected three whole numbers");
    check_bad(REAL "3 3 1 -1\n1 1 1\n",
              "m.mtx:2: expected three whole numbers");
    check_bad(REAL "-3 -3 1\n", "m.mtx:2: expected three whole numbers");
    check_bad(REAL "3.5 3.5 1\n", "m.mtx:2: expected three whole numbers");
}

static void test_bad_size(void)
{
    check_bad(REAL "3 4 1\n1 1 1\n",
              "m.mtx:2: 3 rows and 4 columns: expected a square matrix");
    check_bad(REAL "0 0 0\n", "m.mtx:2: 0 rows and 0 entries: the matrix is "
                              "empty");
    check_bad(REAL "3 3 0\n", "the matrix is empty");
    check_bad(REAL "4294967295 4294967295 1\n1 1 1\n",
              "m.mtx:2: 4294967295 rows: expected at most 4294967294");
    check_bad(REAL "99999999999999999999999 99999999999999999999999 1\n1 1 1\n",
              "m.mtx:2: 18446744073709551615 rows: expected at most");
    check_bad(REAL "4294967294 4294967294 1\n1 1 1\n",
              "m.mtx:2: 4294967294 rows with 1 entries");
    check_bad(REAL "1000000 1000000 1000000000000\n1 1 1\n",
              "m.mtx:2: 1000000000000 entries stated: the file is too small");
    CHECK_HAS(
        error_of(write_gz("m.mtx.gz",
                          REAL "1000000 1000000 1000000000000\n1 1 1\n", 0, 0)),
        "m.mtx.gz:2: 1000000000000 entries stated");
}

static void test_bad_entries(void)
{
    check_bad(REAL "3 3 3\n1 1 1\n2 2 2\n",
              "m.mtx:4: the file ends here, after 2 of 3 entries");
    check_bad(REAL "3 3 2\n1 1 1\n2 2 2\n3 3 3\n",
              "m.mtx:5: another entry after the stated 2");
    check_bad(REAL "3 3 2\n1 1 1\n% c\n0 2 2\n",
              "m.mtx:5: row 0, column 2: MatrixMarket counts from 1");
    check_bad(REAL "3 3 1\n1 0 1\n", "m.mtx:3: row 1, column 0");
    check_bad(REAL "3 3 1\n4 1 1\n",
              "m.mtx:3: row 4, column 1: there are 3 of each");
    check_bad(REAL "3 3 1\n1 4 1\n", "m.mtx:3: row 1, column 4");
    check_bad(REAL "3 3 1\n-1 1 1\n", "m.mtx:3: expected a row and a column");
    check_bad(REAL "3 3 1\n1.5 1 1\n", "m.mtx:3: expected a row and a column");
    check_bad(REAL "3 3 2\n1 1 1\n2 1\n", "m.mtx:4: expected 3 numbers");
    check_bad(REAL "3 3 1\n1 1 x\n", "m.mtx:3: expected 3 numbers");
    check_bad(REAL "3 3 1\n1 1 1 1\n", "m.mtx:3: expected 3 numbers and no");
    check_bad(REAL "3 3 1\n1\n", "m.mtx:3: expected a row and a column");
    check_bad(REAL "3 3 1\nfoo\n", "m.mtx:3: expected a row and a column");
    check_bad("%%MatrixMarket matrix coordinate pattern general\n"
              "3 3 1\n1 1 1\n",
              "m.mtx:3: expected 2 numbers and no more");
    check_bad("%%MatrixMarket matrix coordinate complex general\n"
              "3 3 1\n1 1 1\n",
              "m.mtx:3: expected 4 numbers");
    check_bad(SYMMETRIC "3 3 2\n1 1 1\n1 2 1\n",
              "m.mtx:4: row 1, column 2: only the lower triangle");
    check_bad("%%MatrixMarket matrix coordinate real skew-symmetric\n"
              "3 3 2\n2 1 1\n2 2 1\n",
              "m.mtx:4: row 2, column 2: a skew-symmetric file has no");
}

static void test_bad_lines(void)
{
    char blanks[3001];

    memset(blanks, ' ', 3000);
    blanks[3000] = 0;
    char *text = xasprintf("%s2 2 1\n1 1 %s1\n", REAL, blanks);
    check_bad(text, "m.mtx:3: the line is longer than 1024 bytes");
    free(text);

    /* A long comment is accepted. */
    text = xasprintf("%s%% %s\n2 2 1\n1 1 1\n", REAL, blanks);
    struct matrix m = read_good(text);
    CHECK_EQ(m.row_ptr[2], 1);
    matrix_clear(&m);
    free(text);

    char *path = path_of("m.mtx");
    FILE *f = fopen(path, "w");
    fwrite(REAL "2 2 1\n1 1\0 5\n", 1, strlen(REAL) + 13, f);
    fclose(f);
    CHECK_HAS(error_of(path), "m.mtx:3: a zero byte");
}

static void test_bad_files(void)
{
    CHECK_HAS(error_of(path_of("none.mtx")),
              "none.mtx: cannot be opened: No such file");
    CHECK_HAS(error_of(path_of("")), "cannot be read: Is a directory");

    /* 4000 entries give the compressed file more than one block. */
    char *text = xmalloc(100000);
    size_t len = (size_t)sprintf(text, "%s4000 4000 4000\n", REAL);
    for (int i = 1; i <= 4000; i++)
        len += (size_t)sprintf(text + len, "%d %d %d\n", i, 1 + i * 977 % 4000,
                               i * i);
    CHECK_HAS(error_of(write_gz("m.mtx.gz", text, 1000, 0)),
              "the compressed file is cut off");
    CHECK_HAS(error_of(write_gz("m.mtx.gz", text, 3, 0)),
              "m.mtx.gz:4002: the compressed file is cut off");
    CHECK_HAS(error_of(write_gz("m.mtx.gz", text, 0, 6)),
              "the compressed file is damaged");
    CHECK_HAS(error_of(write_gz("m.mtx.gz", text, 0, 5000)), "m.mtx.gz:");
    free(text);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    test_general();
    test_symmetries();
    test_symmetric_pattern();
    test_compressed();
    test_bad_header();
    test_bad_size();
    test_bad_entries();
    test_bad_lines();
    test_bad_files();

    const char *names[] = {"good.mtx", "small.mtx.gz", "m.mtx", "m.mtx.gz"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = path_of(names[i]);
        unlink(path);
        free(path);
    }
    rmdir(folder);
    return check_result();
}
