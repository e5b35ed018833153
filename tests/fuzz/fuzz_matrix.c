/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a matrix: they are refused or give the matrix of a plain reader,
 * which reads a line at a time by strtoul() and strtod(); and in small pieces
 * by several threads the same as in one piece. */
#include "tests/fuzz/memory_file.h"
#include "workloads/mtx.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct matrix *m)
{
    if (!m->rows || m->row_ptr[0] != 0)
        abort();
    for (uint32_t row = 0; row < m->rows; row++)
        if (m->row_ptr[row] > m->row_ptr[row + 1])
            abort();
    for (uint64_t k = 0; k < m->row_ptr[m->rows]; k++)
        if (m->col[k] >= m->rows)
            abort();
}

/* The entries of the plain reader: row * 2^32 + column. */
struct plain {
    uint64_t *keys;
    size_t n, room;
    unsigned long rows, entries, seen;
    unsigned values;
    bool lower, strict, sized;
};

/* Returns the next word of characters that `more` allows; NULL if there is
 * none. */
static const char *next_word(char **text, const char *more)
{
    char *word = *text + strspn(*text, " \t");
    size_t len = strcspn(word, " \t\r\v\f");

    if (!len || strspn(word, more) < len)
        return NULL;
    *text = word + len;
    return word;
}

static bool next_index(char **text, unsigned long *out)
{
    const char *word = next_word(text, "0123456789");

    if (word)
        *out = strtoul(word, NULL, 10);
    return word != NULL;
}

static bool next_value(char **text)
{
    const char *word = next_word(text, "0123456789.-eE+");
    char *end;

    return word && *word != '+' && isfinite(strtod(word, &end)) && end == *text;
}

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcasecmp(word, *words) != 0)
        words++;
    return *words != NULL;
}

static bool plain_banner(struct plain *p, char *line)
{
    static const char *const fields[] = {"pattern", "real", "integer",
                                         "complex", NULL};
    static const char *const symmetries[] = {
        "general", "symmetric", "skew-symmetric", "hermitian", NULL};
    char object[32], format[32], field[32], symmetry[32];

    if (strlen(line) > 1025)
        line[1025] = 0;
    if (sscanf(line, "%%%%MatrixMarket%*[ \t\r]%31s %31s %31s %31s", object,
               format, field, symmetry) != 4 ||
        strcasecmp(object, "matrix") != 0 ||
        strcasecmp(format, "coordinate") != 0)
        return false;
    p->values = !strcasecmp(field, "pattern")   ? 0
                : !strcasecmp(field, "complex") ? 2
                                                : 1;
    p->strict = !strcasecmp(symmetry, "skew-symmetric");
    p->lower = strcasecmp(symmetry, "general") != 0;
    return is_one_of(field, fields) && is_one_of(symmetry, symmetries);
}

static void plain_add(struct plain *p, unsigned long row, unsigned long col)
{
    if (p->n == p->room) {
        p->room = 2 * p->room + 64;
        p->keys = xrealloc(p->keys, p->room, sizeof *p->keys);
    }
    p->keys[p->n++] = (uint64_t)(row - 1) << 32 | (col - 1);
}

static bool plain_line(struct plain *p, char *text)
{
    unsigned long row, col, *size[] = {&p->rows, &row, &p->entries};

    if (text[0] == '%' || !text[strspn(text, " \t\r\v\f")])
        return true;
    if (!p->sized) {
        for (int i = 0; i < 3; i++)
            if (!next_index(&text, size[i]))
                return false;
        p->sized = true;
        return p->rows && p->entries && p->rows == row &&
               p->rows < UINT32_MAX && !text[strspn(text, " \t\r\v\f")];
    }
    if (p->seen++ == p->entries || !next_index(&text, &row) ||
        !next_index(&text, &col) || !row || !col || row > p->rows ||
        col > p->rows || (p->lower && col + p->strict > row))
        return false;
    for (unsigned i = 0; i < p->values; i++)
        if (!next_value(&text))
            return false;
    plain_add(p, row, col);
    if (p->lower && row != col)
        plain_add(p, col, row);
    return !text[strspn(text, " \t\r\v\f")];
}

static bool plain_read(struct plain *p, const uint8_t *data, size_t size)
{
    char *copy = xmalloc(size + 1), *at = copy, *line;
    bool good = size > 0, first = true;

    memcpy(copy, data, size);
    copy[size] = 0;
    if (size > 2 && !memcmp(copy, "\xef\xbb\xbf", 3))
        at += 3;
    if (size && copy[size - 1] == '\n')
        copy[size - 1] = 0;
    while (good && (line = strsep(&at, "\n"))) {
        good = (strlen(line) <= 1024 || line[0] == '%') &&
               (first ? plain_banner(p, line) : plain_line(p, line));
        first = false;
    }
    free(copy);
    return good && p->sized && p->seen == p->entries;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* Sorts the keys and removes duplicates; returns how many are left. */
static size_t put_in_order(uint64_t *keys, size_t n)
{
    size_t kept = 0;

    if (n)
        qsort(keys, n, sizeof *keys, by_value);
    for (size_t i = 0; i < n; i++)
        if (!kept || keys[i] != keys[kept - 1])
            keys[kept++] = keys[i];
    return kept;
}

static void check_same(struct plain *p, const struct matrix *m)
{
    uint64_t nnz = m->row_ptr[m->rows];
    uint64_t *keys = xcalloc(nnz + 1, sizeof *keys);

    for (uint32_t row = 0; row < m->rows; row++)
        for (uint64_t k = m->row_ptr[row]; k < m->row_ptr[row + 1]; k++)
            keys[k] = (uint64_t)row << 32 | m->col[k];
    if (put_in_order(keys, nnz) != nnz || p->rows != m->rows ||
        put_in_order(p->keys, p->n) != nnz ||
        (nnz && memcmp(keys, p->keys, nnz * sizeof *keys) != 0))
        abort();
    free(keys);
}

/* Returns whether the sizes need much more than the file can hold. */
static bool is_absurd(const struct err *err)
{
    return strstr(err->text, "the file is too small") ||
           strstr(err->text, "expected at least one for every");
}

static void check_plain(const uint8_t *data, size_t size,
                        const struct matrix *m, const struct err *err)
{
    struct plain p = {0};

    if (memchr(data, 0, size)) /* allowed only far behind in a comment */
        return;
    bool good = plain_read(&p, data, size);

    if (good != (m->row_ptr != NULL) && !is_absurd(err))
        abort();
    if (good && m->row_ptr)
        check_same(&p, m);
    free(p.keys);
}

static void check_pieces(const char *path, const struct matrix *m,
                         const struct err *err)
{
    struct mtx_how how = {.threads = 3, .piece_B = 4096};
    struct matrix again = {0};
    struct err err_again = {0};
    int rc = mtx_read(&again, path, how, &err_again);

    if (strcmp(err->text, err_again.text) != 0 || (rc < 0) != !m->row_ptr)
        abort();
    if (rc == 0 &&
        (m->rows != again.rows ||
         memcmp(m->row_ptr, again.row_ptr,
                ((size_t)m->rows + 1) * sizeof *m->row_ptr) != 0 ||
         memcmp(m->col, again.col, m->row_ptr[m->rows] * sizeof *m->col) != 0))
        abort();
    matrix_clear(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory_file f;
    struct matrix m = {0};
    struct err err = {0};

    memory_file_open(&f, data, size);
    if (matrix_read(&m, f.path, &err) == 0)
        check(&m);
    else if (!err.text[0] || strchr(err.text, '\n') || m.row_ptr)
        abort();
    if (size > 4096)
        check_pieces(f.path, &m, &err);
    if (size < 2 || data[0] != 0x1f || data[1] != 0x8b)
        check_plain(data, size, &m, &err);
    matrix_clear(&m);
    memory_file_close(&f);
    return 0;
}
