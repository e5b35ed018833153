/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a file of `sluice study`: it is refused in one line, or its
 * cells read back equal after they are written. */
#include "results/papers/cells.h"
#include "tests/fuzz/memory_file.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns the printed cells, which it reads once. */
static struct cells cells_now(void)
{
    static struct cells printed;
    struct err err;

    if (!printed.list && cells_printed(&printed, &err) < 0)
        abort();
    struct cells copy = {xcalloc(printed.n, sizeof *copy.list), printed.n};
    memcpy(copy.list, printed.list, printed.n * sizeof *copy.list);
    return copy;
}

static int add(struct cells *c, const void *data, size_t size, struct err *err)
{
    struct memory_file f;

    memory_file_open(&f, data, size);
    int result = cells_add(c, f.path, err);
    memory_file_close(&f);
    return result;
}

static bool same(const struct cell *a, const struct cell *b)
{
    char *x = cells_row(a), *y = cells_row(b);
    bool result = !strcmp(x, y);

    free(x);
    free(y);
    return result;
}

/* Returns a study's text of these cells. The caller frees it. */
static char *text_of(const struct cells *c)
{
    char *text = NULL, *head = cells_head();
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    fputs(head, out);
    for (size_t i = 0; i < c->n; i++)
        if (!isnan(c->list[i].ms)) {
            char *row = cells_row(&c->list[i]);
            fputs(row, out);
            free(row);
        }
    fclose(out);
    free(head);
    return text;
}

static void check(const struct cells *c)
{
    struct cells again = cells_now();
    struct err err = {0};
    char *text = text_of(c);

    if (add(&again, text, strlen(text), &err) < 0 || again.n != c->n)
        abort();
    for (size_t i = 0; i < c->n; i++)
        if (!isnan(c->list[i].ms) && !same(&c->list[i], &again.list[i]))
            abort();
    free(text);
    cells_clear(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cells c = cells_now();
    struct err err = {0};

    if (add(&c, data, size, &err) == 0)
        check(&c);
    else if (!err.text[0] || strchr(err.text, '\n'))
        abort();
    cells_clear(&c);
    return 0;
}
