/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MatrixMarket files read by several threads in small pieces: the same matrix
 * and the same errors as in one piece. */
#include "tests/check.h"
#include "tests/scratch.h"
#include "workloads/lines.h"
#include "workloads/mtx.h"
#include "workloads/mtx_pairs.h"

#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

static char folder[] = "/tmp/test_mtx.XXXXXX";

enum { ROWS = 700, TEXT_ROOM = 1 << 20 };

struct text {
    char *text;
    size_t len;
};

static void put(struct text *t, const char *line)
{
    t->len += (size_t)sprintf(t->text + t->len, "%s\n", line);
}

/* Makes a matrix of a band and scattered entries, 42 kB, with comments and
 * blank lines between; line `at` is replaced unless it is 0. Line 3 is the
 * first entry's. */
static struct text make(const char *kind, const char *value, unsigned at,
                        const char *instead)
{
    struct text t = {.text = xmalloc(TEXT_ROOM)};
    unsigned line = 2;

    t.len = (size_t)sprintf(t.text,
                            "%%%%MatrixMarket matrix coordinate %s\n"
                            "%u %u %u\n",
                            kind, ROWS, ROWS, 5 * ROWS);
    for (unsigned i = 0; i < ROWS; i++)
        for (unsigned k = 0; k < 5; k++) {
            char entry[64];
            unsigned row = 2 + (i * 37 + k * k) % (ROWS - 1);
            unsigned col = k < 3 ? (row > k ? row - k : 1) : 1 + row / (k + 2);
            snprintf(entry, sizeof entry, "%u %u%s", row, col, value);
            if (line % 100 == 0 && ++line != at)
                put(&t, "% a comment");
            if (line % 333 == 0 && ++line != at)
                put(&t, " \t");
            put(&t, ++line == at ? instead : entry);
        }
    return t;
}

static char *save(struct text t, const char *name, bool packed)
{
    char *path = xasprintf("%s/%s", folder, name);
    gzFile gz = gzopen(path, packed ? "wb" : "wbT");

    CHECK_EQ(gzwrite(gz, t.text, (unsigned)t.len), (int)t.len);
    gzclose(gz);
    return path;
}

static void check_same(const struct matrix *a, const struct matrix *b)
{
    CHECK_EQ(a->rows, b->rows);
    if (!a->row_ptr || !b->row_ptr || a->rows != b->rows) {
        CHECK(a->row_ptr && b->row_ptr);
        return;
    }
    CHECK(!memcmp(a->row_ptr, b->row_ptr, (a->rows + 1) * sizeof *a->row_ptr));
    CHECK(!memcmp(a->col, b->col, a->row_ptr[a->rows] * sizeof *a->col));
}

/* Reads the file with all numbers of threads and pieces; returns their common
 * error, NULL if there is none. */
static const char *read_all_ways(const char *path)
{
    static struct err err;
    struct mtx_how whole = {.threads = 1, .piece_B = LINES_PIECE_B};
    struct matrix want = {0};
    int rc = mtx_read(&want, path, whole, memset(&err, 0, sizeof err));

    for (unsigned threads = 1; threads <= 4; threads++) {
        struct mtx_how how = {.threads = threads,
                              .piece_B = 4000 + 96 * (size_t)threads};
        struct matrix m = {0};
        struct err again = {0};

        CHECK_EQ(mtx_read(&m, path, how, &again), rc);
        CHECK_HAS(again.text, err.text);
        if (rc == 0)
            check_same(&m, &want);
        else
            CHECK(!m.row_ptr && !m.col && !m.name);
        matrix_clear(&m);
    }
    matrix_clear(&want);
    return rc < 0 ? err.text : NULL;
}

static void test_kinds(void)
{
    static const char *const kinds[][2] = {
        {"pattern general", ""},
        {"real general", " -1.25e-3"},
        {"integer symmetric", " 17 "},
        {"complex hermitian", " .5 1.\r"},
    };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct text t = make(kinds[i][0], kinds[i][1], 0, NULL);
        for (int packed = 0; packed < 2; packed++) {
            char *path = save(t, "m.mtx", packed);
            CHECK(!read_all_ways(path));
            free(path);
        }
        free(t.text);
    }
}

static void check_bad(struct text t, const char *want)
{
    char *path = save(t, "m.mtx", false);
    const char *got = read_all_ways(path);

    CHECK_HAS(got ? got : "no error", want);
    free(path);
    free(t.text);
}

static void test_errors(void)
{
    static const unsigned lines[] = {3, 403, 1777, 3500};

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char *want = xasprintf("m.mtx:%u: expected 3 numbers", lines[i]);
        check_bad(make("real general", " 1", lines[i], "2 2"), want);
        free(want);
    }
    check_bad(make("real general", " 1", 2005, "2 701 0"),
              "m.mtx:2005: row 2, column 701: there are 700 of each");
    check_bad(make("real symmetric", " 1", 2005, "2 3 0"),
              "m.mtx:2005: row 2, column 3: only the lower triangle");
    check_bad(make("real general", " 1", 2005, "2 2 1e999"),
              "m.mtx:2005: expected 3 numbers");
    check_bad(make("real general", " 1", 2005, "%"),
              "after 3499 of 3500 entries");
    check_bad(make("pattern general", "", 2005, "1 1\n1 1"),
              "another entry after the stated 3500");
}

/* The error is at the line after the last one that could be read. */
static void test_damage(void)
{
    struct text t = make("real general", " 1", 0, NULL);
    char *path = save(t, "m.mtx.gz", true);

    scratch_damage(path, 1000, 0);
    const char *got = read_all_ways(path);
    CHECK_HAS(got ? got : "no error", "the compressed file is cut off");
    free(path);
    path = save(t, "m.mtx.gz", true);
    scratch_damage(path, 0, 6);
    got = read_all_ways(path);
    CHECK_HAS(got ? got : "no error", "the compressed file is damaged");
    free(path);
    free(t.text);
}

/* A comment is longer than any piece; the same line without its % is an
 * error. */
static void test_long_lines(void)
{
    struct text t = make("pattern general", "", 0, NULL);
    char *comment = xmalloc(20001);

    memset(comment, 'x', 20000);
    comment[20000] = 0;
    comment[0] = '%';
    put(&t, comment);
    put(&t, comment);
    char *path = save(t, "m.mtx", false);
    CHECK(!read_all_ways(path));
    free(path);

    struct text bad = {.text = xmalloc(TEXT_ROOM), .len = t.len};
    memcpy(bad.text, t.text, t.len);
    comment[0] = ' ';
    put(&bad, comment);
    check_bad(bad, "the line is longer than 1024 bytes");
    put(&t, "1 1");
    check_bad(t, "another entry after the stated 3500");
    free(comment);
}

/* The pairs need the fewest and the most bytes. */
static void test_pairs(void)
{
    static const struct mtx_pair pairs[] = {
        {0, 0},          {0, 0}, {UINT32_MAX, UINT32_MAX},
        {0, 1},          {1, 0}, {0x80000000, 0x7fffffff},
        {0, 0xffffff80}, {5, 0}, {0x10000, 0xffff},
    };
    enum { N = sizeof pairs / sizeof pairs[0] };
    struct mtx_pairs p = {0};

    mtx_pairs_reserve(&p, N);
    for (size_t i = 0; i < N; i++)
        mtx_pairs_add(&p, pairs[i]);
    CHECK_EQ(p.n, N);
    CHECK_EQ(p.bytes[0], 0); /* nothing changes, which takes one byte */

    struct mtx_pairs copy = mtx_pairs_copy(&p);
    const uint8_t *at = copy.bytes;
    struct mtx_pair pair = {0};
    for (size_t i = 0; i < N; i++) {
        mtx_pairs_take(&at, &pair);
        CHECK_EQ(pair.row, pairs[i].row);
        CHECK_EQ(pair.col, pairs[i].col);
    }
    CHECK_EQ(at - copy.bytes, copy.len);
    mtx_pairs_clear(&copy);
    mtx_pairs_clear(&p);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    test_kinds();
    test_errors();
    test_damage();
    test_long_lines();
    test_pairs();

    const char *names[] = {"m.mtx", "m.mtx.gz"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char *path = xasprintf("%s/%s", folder, names[i]);
        unlink(path);
        free(path);
    }
    rmdir(folder);
    return check_result();
}
