/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a CSV file: it is refused in one line, or is a table of whole
 * rows, every cell of which can be read. */
#include "base/csv.h"
#include "tests/fuzz/memory_file.h"

#include <stdbool.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_error(const struct err *err)
{
    if (!err->text[0] || strchr(err->text, '\n'))
        abort();
}

/* Checks that the three readings of a number agree. */
static void check_cell(const struct csv *t, size_t row, const char *name)
{
    struct err err = {0};
    double number;
    uint64_t count;
    uint32_t small;

    if (!csv_text(t, row, name))
        abort();
    bool is_number = csv_number(t, row, name, &number, &err) == 0;
    if (!is_number)
        check_error(&err);
    bool is_count = csv_count(t, row, name, &count, &err) == 0;
    if (is_count && (!is_number || (double)count != number))
        abort();
    bool is_small = csv_below(t, row, name, 1000, &small, &err) == 0;
    if (is_small != (is_count && count < 1000) || (is_small && small != count))
        abort();
}

static void check(const struct csv *t)
{
    char origin[16];

    if (!t->nrows || !t->ncols || csv_text(t, 0, "no such column\n"))
        abort();
    for (size_t col = 0; col < t->ncols; col++)
        if (csv_column(t, t->names[col]) != (int)col)
            abort();
    for (size_t row = 0; row < t->nrows; row++) {
        if (row > 0 && t->lines[row] <= t->lines[row - 1])
            abort();
        for (size_t col = 0; col < t->ncols; col++)
            check_cell(t, row, t->names[col]);
    }
    csv_origin(t, origin, sizeof origin);
    if (strlen(origin) >= sizeof origin)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file f;
    struct csv t;
    struct err err = {0};

    memory_file_open(&f, data, size);
    if (csv_load(&t, f.path, &err) == 0) {
        check(&t);
        csv_clear(&t);
    } else {
        check_error(&err);
        if (t.names || t.cells || t.comments || t.path)
            abort();
    }
    memory_file_close(&f);
    return 0;
}
