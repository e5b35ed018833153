/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of CSV: which lines are rows, and which cells are numbers. */
#include "base/csv.h"
#include "tests/check.h"
#include "tests/scratch.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of only blanks are no rows, before the names and after. */
static void blank_lines(void)
{
    char *path =
        scratch_file("blank.csv", "  \n\t\n# says\n a,b\n \n\n1, 2 \n");
    struct csv t;
    struct err err = {0};

    CHECK(csv_load(&t, path, &err) == 0);
    CHECK_EQ(t.ncols, 2);
    CHECK_EQ(t.nrows, 1);
    CHECK_EQ(t.lines[0], 7);
    CHECK(!strcmp(csv_text(&t, 0, "b"), "2"));
    csv_clear(&t);
    free(path);
}

/* A count is below 2^53, written with digits or not, because a double may be a
 * rounded neighbour of it from there on. */
static void numbers(void)
{
    char *path = scratch_file("numbers.csv", "n\n9007199254740991\n"
                                             "9007199254740992\n"
                                             "9007199254740992.0\n"
                                             "1.5\n-1\n3x\n");
    static const bool number[] = {true, true, true, true, true, false};
    static const bool count[] = {true, false, false, false, false, false};
    struct csv t;
    struct err err = {0};
    double v;
    uint64_t n;
    uint32_t small;

    CHECK(csv_load(&t, path, &err) == 0);
    CHECK_EQ(t.nrows, 6);
    for (size_t row = 0; row < 6; row++) {
        CHECK_EQ(csv_number(&t, row, "n", &v, &err) == 0, number[row]);
        CHECK_EQ(csv_count(&t, row, "n", &n, &err) == 0, count[row]);
    }
    CHECK_HAS(err.text, "numbers.csv:7: n: expected a number, got '3x'");
    CHECK(csv_below(&t, 0, "n", 7, &small, &err) < 0);
    CHECK_HAS(err.text, "n: 9007199254740991 is too large");
    csv_clear(&t);
    free(path);
}

/* The lines "# x", "a,b", "1,2", "3,4", packed by xz. */
static const unsigned char packed[] = {
    0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00, 0x00, 0x01, 0x69, 0x22, 0xde, 0x36,
    0x02, 0x00, 0x21, 0x01, 0x16, 0x00, 0x00, 0x00, 0x74, 0x2f, 0xe5, 0xa3,
    0x01, 0x00, 0x0f, 0x23, 0x20, 0x78, 0x0a, 0x61, 0x2c, 0x62, 0x0a, 0x31,
    0x2c, 0x32, 0x0a, 0x33, 0x2c, 0x34, 0x0a, 0x00, 0x9b, 0x5e, 0xe3, 0x0c,
    0x00, 0x01, 0x24, 0x10, 0xe9, 0x44, 0xd9, 0xcc, 0x90, 0x42, 0x99, 0x0d,
    0x01, 0x00, 0x00, 0x00, 0x00, 0x01, 0x59, 0x5a};

/* Writes its first n bytes, with one changed. The caller frees the path. */
static char *packed_file(size_t n, size_t changed)
{
    char *path = scratch_file("packed.csv.xz", "");
    FILE *f = fopen(path, "wb");

    for (size_t i = 0; f && i < n; i++)
        putc(i == changed ? packed[i] ^ 1 : packed[i], f);
    if (f)
        fclose(f);
    return path;
}

/* A compressed table is read directly; if it is truncated or broken it is
 * refused. */
static void compressed(void)
{
    struct csv t;
    struct err err = {0};
    char *path = packed_file(sizeof packed, SIZE_MAX);

    CHECK(csv_load(&t, path, &err) == 0);
    CHECK_EQ(t.nrows, 2);
    CHECK_EQ(t.ncomments, 1);
    CHECK_EQ(t.lines[1], 4);
    CHECK(!strcmp(csv_text(&t, 1, "b"), "4"));
    csv_clear(&t);
    free(path);
    for (size_t n = 1; n < sizeof packed; n++) {
        path = packed_file(n, SIZE_MAX);
        CHECK(csv_load(&t, path, &err) < 0);
        CHECK_HAS(err.text, "packed.csv.xz: truncated");
        free(path);
    }
    path = packed_file(sizeof packed, sizeof packed / 2);
    CHECK(csv_load(&t, path, &err) < 0);
    CHECK_HAS(err.text, "packed.csv.xz: ");
    free(path);
}

/* The first number that is refused is the bound itself. */
static void below(void)
{
    char *path = scratch_file("below.csv", "n\n6\n7\n");
    struct csv t;
    struct err err = {0};
    uint32_t small = 0;

    CHECK(csv_load(&t, path, &err) == 0);
    CHECK(csv_below(&t, 0, "n", 7, &small, &err) == 0);
    CHECK_EQ(small, 6);
    CHECK(csv_below(&t, 1, "n", 7, &small, &err) < 0);
    csv_clear(&t);
    free(path);
}

/* A folder is no table, and a line without an end is not read for ever. */
static void no_tables(void)
{
    struct csv t;
    struct err err = {0};

    CHECK(csv_load(&t, "/", &err) < 0);
    CHECK(err.kind == ERR_INPUT && strstr(err.text, "cannot be read"));
    err = (struct err){0};
    CHECK(csv_load(&t, "/dev/zero", &err) < 0);
    CHECK(strstr(err.text, "/dev/zero:1: the line is longer than"));
}

/* Texts that a spreadsheet would compute are texts there; numbers stay. */
static void formulas(void)
{
    static const struct {
        const char *text, *quoted, *cell;
    } cases[] = {
        {"=1+2", "\"'=1+2\"", "\"'=1+2\""},
        {"+cmd|' /C calc'!A0", "\"'+cmd|' /C calc'!A0\"",
         "\"'+cmd|' /C calc'!A0\""},
        {"-x", "\"'-x\"", "\"'-x\""},
        {"@SUM(A1)", "\"'@SUM(A1)\"", "\"'@SUM(A1)\""},
        {"\t=1", "\"'\t=1\"", "\"'\t=1\""},
        {"=\"a\",b", "\"'=\"\"a\"\",b\"", "\"'=\"\"a\"\",b\""},
        {"-1.5e-3", "\"-1.5e-3\"", "-1.5e-3"},
        {"-", "\"-\"", "-"},
        {"a=1", "\"a=1\"", "a=1"},
        {"a,b", "\"a,b\"", "\"a,b\""},
        {"#a", "\"#a\"", "\"#a\""},
        {"", "\"\"", ""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char quoted[64] = "", cell[64] = "";
        FILE *to = fmemopen(quoted, sizeof quoted, "w");
        csv_print_text(to, cases[i].text);
        fclose(to);
        to = fmemopen(cell, sizeof cell, "w");
        csv_print_cell(to, cases[i].text);
        fclose(to);
        CHECK(!strcmp(quoted, cases[i].quoted));
        CHECK(!strcmp(cell, cases[i].cell));
    }
}

int main(void)
{
    scratch_make();
    no_tables();
    blank_lines();
    compressed();
    numbers();
    below();
    formulas();
    scratch_clear();
    return check_result();
}
