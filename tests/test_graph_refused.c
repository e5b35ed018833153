/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Graph files that are refused, with file and line. */
#include "tests/check.h"
#include "tests/scratch.h"
#include "workloads/graph/graph.h"

/* Returns the error of a file, without the folder at its front. */
static const char *error_of(char *path)
{
    static struct err err;
    struct graph g = {0};

    memset(&err, 0, sizeof err);
    CHECK_EQ(graph_read(&g, path, &err), -1);
    CHECK(g.first == NULL && g.to == NULL && g.name == NULL && g.map == NULL);
    CHECK(!strncmp(err.text, scratch, strlen(scratch)));
    CHECK(strchr(err.text, '\n') == NULL);
    graph_clear(&g);
    free(path);
    return err.text + strlen(scratch) + 1;
}

static void check_bad(const char *name, const char *text, const char *want)
{
    char *gz = xasprintf("%s.gz", name);
    char *place = xasprintf("%s%s", name, want);
    char *gz_place = xasprintf("%s%s", gz, want);

    CHECK_HAS(error_of(scratch_file(name, text)), place);
    CHECK_HAS(error_of(scratch_file(gz, text)), gz_place);
    free(gz);
    free(place);
    free(gz_place);
}

#define TWO "expected two vertices as whole numbers from 0"

static void test_snap(void)
{
    check_bad("g.txt", "", ":0: the file is empty");
    check_bad("g.txt", "# nothing\n\n", ":2: the file ends here without an");
    check_bad("g.txt", "   ", ":0: the file ends here without an arc");
    check_bad("g.txt", "0 1\n\n# c\n7\n", ":4: " TWO);
    check_bad("g.txt", "0 1\n7", ":2: " TWO);
    check_bad("g.txt", "0 1\n-1 2\n", ":2: " TWO);
    check_bad("g.txt", "0 -1\n", ":1: " TWO);
    check_bad("g.txt", "0 1\n1,2\n", ":2: " TWO);
    check_bad("g.txt", "0 1.5\n", ":1: " TWO);
    check_bad("g.txt", "0x1 2\n", ":1: " TWO);
    check_bad("g.txt", "a b\n", ":1: " TWO);
    check_bad("g.txt", "1 2\r3 4\r", ":1: " TWO);
    check_bad("g.txt", "0 4294967294\n",
              ":1: vertex 4294967294: expected less than 4294967294");
    check_bad("g.txt", "0 1\n4294967296 0\n", ":2: vertex 4294967296");
    check_bad("g.txt", "18446744073709551617 0\n",
              ":1: vertex 18446744073709551615");
    check_bad("g.txt",
              "99999999999999999999999999999999999999999999999999999"
              "99999999999999999999999999 0\n",
              ":1: " TWO);
    check_bad("g.txt", "0 1\n0 4294967293\n2 3\n",
              ":2: 4294967294 vertices with 3 arcs: expected at most 100");
    char zero[] = "0 1\n1\0 2\n";
    CHECK_HAS(error_of(scratch_bytes("g.txt", zero, sizeof zero - 1)),
              "g.txt:2: " TWO);
}

#define BANNER "%%MatrixMarket matrix coordinate "
#define GENERAL BANNER "pattern general\n"
#define SYMMETRIC BANNER "real symmetric\n"

static void test_mtx(void)
{
    check_bad("g.mtx", "1 2\n", ":1: not a MatrixMarket file");
    check_bad("g.mtx", "\n" GENERAL, ":1: not a MatrixMarket file");
    check_bad("g.mtx", "%%MatrixMarket matrix array real general\n",
              ":1: a dense matrix");
    check_bad("g.mtx", BANNER "pattern diagonal\n", ":1: expected general");
    check_bad("g.mtx", GENERAL "% c\n", ":2: the file ends before its size");
    check_bad("g.mtx", GENERAL "3 3\n1 2\n", ":2: expected three whole");
    check_bad("g.mtx", GENERAL "3 3 1 1\n", ":2: expected three whole");
    check_bad("g.mtx", GENERAL "3 4 1\n1 2\n", ":2: 3 rows and 4 columns");
    check_bad("g.mtx", GENERAL "0 0 0\n", ":2: 0 vertices: expected 1 to");
    check_bad("g.mtx", GENERAL "4294967295 4294967295 1\n1 2\n",
              ":2: 4294967295 vertices: expected 1 to 4294967294");
    check_bad("g.mtx", GENERAL "\n4294967294 4294967294 1\n1 2\n",
              ":3: 4294967294 vertices with 1 arcs");
    check_bad("g.mtx", GENERAL "3 3 18446744073709551615\n1 2\n",
              ":3: the file ends here, after 1 of 18446744073709551615 "
              "entries");
    check_bad("g.mtx", GENERAL "3 3 2\n1 2\n% c\n",
              ":4: the file ends here, after 1 of 2 entries");
    check_bad("g.mtx", GENERAL "3 3 1\n1 2\n\n2 3\n",
              ":5: another entry after the stated 1");
    check_bad("g.mtx", GENERAL "3 3 1\n0 2\n", ":3: 0 to 2: files of this");
    check_bad("g.mtx", GENERAL "3 3 1\n1 4\n", ":3: 1 to 4: there are 3 ");
    check_bad("g.mtx", GENERAL "3 3 1\n-1 2\n", ":3: expected a row and a");
    check_bad("g.mtx", GENERAL "3 3 1\n1\n2\n", ":3: expected a row and a");
    check_bad("g.mtx", GENERAL "3 3 1\n1 2 1\n", ":3: expected 2 numbers and");
    check_bad("g.mtx", SYMMETRIC "3 3 1\n2 1\n", ":3: expected 3 numbers");
    check_bad("g.mtx", SYMMETRIC "3 3 1\n2 1 x\n", ":3: expected 3 numbers");
    check_bad("g.mtx", SYMMETRIC "3 3 1\n2 1 1 1\n",
              ":3: expected 3 numbers and no more");
    check_bad("g.mtx", SYMMETRIC "3 3 1\n1 2 1\n",
              ":3: row 1, column 2: only the lower triangle");
}

#define ARC "expected 'a', two vertices and a weight"
#define SIZE "expected 'p sp', the number of vertices and that of arcs"

static void test_dimacs(void)
{
    check_bad("g.gr", "c only\n", ":1: " SIZE);
    check_bad("g.gr", "a 1 2 3\n", ":1: " SIZE);
    check_bad("g.gr", "c\np edge 3 1\n", ":2: " SIZE);
    check_bad("g.gr", "p sp 3\n", ":1: " SIZE);
    check_bad("g.gr", "p sp 3 1 1\n", ":1: " SIZE);
    check_bad("g.gr", "p sp -3 1\n", ":1: " SIZE);
    check_bad("g.gr", "p sp 0 0\n", ":1: 0 vertices: expected 1 to");
    check_bad("g.gr", "p sp 4294967295 1\n", ":1: 4294967295 vertices");
    check_bad("g.gr", "p sp 2000000000 1\na 1 2 3\n",
              ":1: 2000000000 vertices with 1 arcs");
    check_bad("g.gr", "p sp 3 1\np sp 3 1\n", ":2: " ARC);
    check_bad("g.gr", "p sp 3 1\na 1 2\n", ":2: " ARC);
    check_bad("g.gr", "p sp 3 1\na 1 2 3 4\n", ":2: " ARC);
    check_bad("g.gr", "p sp 3 1\na 1 -2 3\n", ":2: " ARC);
    check_bad("g.gr", "p sp 3 1\n1 2 3\n", ":2: " ARC);
    check_bad("g.gr", "p sp 3 1\na 1 0 3\n", ":2: 1 to 0: files of this");
    check_bad("g.gr", "p sp 3 1\na 4 1 3\n", ":2: 4 to 1: there are 3 ");
    check_bad("g.gr", "p sp 3 2\na 1 2 3\nc\n",
              ":3: the file ends here, after 1 of 2 arcs");
    check_bad("g.gr", "p sp 3 1\na 1 2 3\nc\na 1 2 3\n",
              ":4: another arc after the stated 1");
}

static void test_metis(void)
{
    check_bad("g.graph", "% c\n", ":1: expected the numbers of vertices and");
    check_bad("g.graph", "3\n", ":1: expected the numbers of vertices and");
    check_bad("g.graph", "-3 1\n", ":1: expected the numbers of vertices");
    check_bad("g.graph", "0 0\n", ":1: 0 vertices: expected 1 to");
    check_bad("g.graph", "2 1 x\n", ":1: expected the format as a whole");
    check_bad("g.graph", "2 1 2\n", ":1: format 2: expected three digits");
    check_bad("g.graph", "2 1 1000\n", ":1: format 1000: expected three");
    check_bad("g.graph", "2 1 10 0\n", ":1: expected vertices, edges, format");
    check_bad("g.graph", "2 1 1 2\n", ":1: expected vertices, edges, format");
    check_bad("g.graph", "2 1 10 2 1\n", ":1: expected vertices, edges, fo");
    check_bad("g.graph", "4294967294 1\n2\n1\n",
              ":3: the file ends here, after 2 of 4294967294 vertices");
    check_bad("g.graph", "3 1\n2\n1\n",
              ":3: the file ends here, after 2 of 3 vertices");
    check_bad("g.graph", "2 1\n2\n1\n\n1\n",
              ":5: another line after those of 2 vertices");
    check_bad("g.graph", "2 2\n2\n1\n",
              ":3: the file ends here with 2 neighbours: expected two for "
              "each of 2 edges");
    check_bad("g.graph", "3 1\n2 3\n1\n\n", ":4: the file ends here with 3 ");
    check_bad("g.graph", "2 1\n2\n3\n", ":3: 2 to 3: there are 2 vertices");
    check_bad("g.graph", "2 1\n2\n0\n", ":3: 2 to 0: files of this kind");
    check_bad("g.graph", "2 1\n2\n-1\n", ":3: expected a neighbour as a whole");
    check_bad("g.graph", "2 1 1\n2\n1\n", ":2: expected a weight after each");
    check_bad("g.graph", "2 1 10 3\n1 2\n1 1\n",
              ":2: expected 3 numbers before the neighbours");
    check_bad("g.graph", "2 1 10 99999999999\n1 2\n1 1\n",
              ":2: expected 99999999999 numbers before");
    check_bad("g.graph", "3 2\n2\n3\n1 2\n",
              ": vertex 1 has the neighbour 2, but not the other way round");
    check_bad("g.graph", "4 2\n2\n1\n1 2\n\n",
              ": vertex 3 has the neighbour 1, but not the other way round");
}

/* Writes a file without its last bytes and with the byte `spoil` from the end
 * inverted (unless 0). The caller frees the path. */
static char *damaged(const char *name, const char *text, long shorter,
                     long spoil)
{
    char *path = scratch_file(name, text);

    scratch_damage(path, shorter, spoil);
    return path;
}

static void test_compressed(void)
{
    char *text = xmalloc(100000);
    size_t len = 0;

    for (int i = 0; i < 5000; i++)
        len += (size_t)sprintf(text + len, "%d %d\n", i, i * 977 % 5000);
    CHECK_HAS(error_of(damaged("g.txt.gz", text, 3, 0)),
              "the compressed file is cut off after this line");
    CHECK_HAS(error_of(damaged("g.txt.gz", text, 1000, 0)),
              "the compressed file is cut off after this line");
    CHECK_HAS(error_of(damaged("g.txt.gz", text, 0, 6)),
              "the compressed file is damaged after this line");
    CHECK_HAS(error_of(damaged("g.txt.gz", text, 0, 5000)), "g.txt.gz:");
    /* "0 1" is 24 bytes; it is cut at all places from where it is known to be
     * gzip. */
    for (long cut = 1; cut <= 22; cut++)
        CHECK_HAS(error_of(damaged("g.txt.gz", "0 1\n", cut, 0)), "cut off");
    free(text);
}

static void test_files(void)
{
    CHECK_HAS(error_of(scratch_path("none.txt")),
              "none.txt: cannot be opened: No such file");
    CHECK_HAS(error_of(scratch_path("")), "cannot be read: Is a directory");
    CHECK_HAS(error_of(scratch_file("what", "0 1\n1 0\n")),
              "what: what kind of graph? expected a name that ends in .txt");
    CHECK_HAS(error_of(scratch_file("what.csv", "2 1\n2\n1\n")),
              "what.csv: what kind of graph?");
    CHECK_HAS(error_of(scratch_file(".gr", "0 1\n")), ".gr: what kind of");
    CHECK_HAS(error_of(scratch_file("what.gz", "")), "the file is empty");
}

int main(void)
{
    scratch_make();
    test_snap();
    test_mtx();
    test_dimacs();
    test_metis();
    test_compressed();
    test_files();
    scratch_clear();
    return check_result();
}
