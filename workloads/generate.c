/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Generates matrices: stencils and random patterns. */
#include "workloads/generate.h"

#include "base/number.h"
#include "base/random.h"
#include "workloads/workload.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ROWS (UINT32_MAX - 1)

/* A generated matrix must fit into memory together with its halo: 16 GiB. */
#define MAX_NNZ (UINT64_C(1) << 32)

/* Reads digits, and moves *text after them. */
static bool read_whole(const char **text, uint64_t *out)
{
    const char *end = number_take_whole(*text, out);

    if (end)
        *text = end;
    return end;
}

struct stencil {
    const char *name;
    unsigned dims;
    bool box; /* with corners; else only along the axes */
};

static const struct stencil stencils[] = {
    {"5pt:", 2, false},
    {"9pt:", 2, true},
    {"7pt:", 3, false},
    {"27pt:", 3, true},
};

static bool read_grid(const char *text, unsigned dims, uint64_t n[3])
{
    n[2] = 1;
    for (unsigned d = 0; d < dims; d++) {
        if (d > 0 && *text++ != 'x')
            return false;
        if (!read_whole(&text, &n[d]) || !n[d])
            return false;
    }
    return !*text;
}

/* Returns whether the point (x, y, z) of the 3x3x3 block around 0 is in the
 * stencil. */
static bool in_stencil(const struct stencil *s, int x, int y, int z)
{
    return s->box || abs(x) + abs(y) + abs(z) <= 1;
}

static void fill_point(struct matrix *m, const struct stencil *s,
                       const uint64_t n[3], const uint64_t at[3], uint64_t *nnz)
{
    int depth = s->dims == 3;

    for (int dz = -depth; dz <= depth; dz++) {
        uint64_t z = at[2] + (uint64_t)(int64_t)dz;
        if (z >= n[2])
            continue; /* a place below 0 wraps around */
        for (int dy = -1; dy <= 1; dy++) {
            uint64_t y = at[1] + (uint64_t)(int64_t)dy;
            if (y >= n[1])
                continue;
            for (int dx = -1; dx <= 1; dx++) {
                uint64_t x = at[0] + (uint64_t)(int64_t)dx;
                if (x < n[0] && in_stencil(s, dx, dy, dz))
                    m->col[(*nnz)++] = (uint32_t)((z * n[1] + y) * n[0] + x);
            }
        }
    }
}

/* Returns the number of nonzeros. Along one axis a point has 3 neighbours with
 * itself, and one less at both ends: 3n - 2 on a line. A box stencil is the
 * product of its lines. */
static uint64_t stencil_nnz(const struct stencil *s, const uint64_t n[3])
{
    uint64_t points = n[0] * n[1] * n[2];

    if (s->box)
        return (3 * n[0] - 2) * (3 * n[1] - 2) *
               (s->dims == 3 ? 3 * n[2] - 2 : 1);
    return points + 2 * (points - points / n[0]) +
           2 * (points - points / n[1]) + 2 * (points - points / n[2]);
}

static void fill_stencil(struct matrix *m, const struct stencil *s,
                         const uint64_t n[3])
{
    uint64_t at[3];
    uint64_t nnz = 0;
    uint32_t row = 0;

    for (at[2] = 0; at[2] < n[2]; at[2]++)
        for (at[1] = 0; at[1] < n[1]; at[1]++)
            for (at[0] = 0; at[0] < n[0]; at[0]++) {
                m->row_ptr[row++] = nnz;
                fill_point(m, s, n, at, &nnz);
            }
    m->row_ptr[row] = nnz;
}

/* Allocates a matrix; may fail, because the user types its size. */
static int generate_make_room(struct matrix *m, uint64_t rows, uint64_t nnz,
                              struct err *err)
{
    *m = (struct matrix){.rows = (uint32_t)rows};
    m->row_ptr = malloc((rows + 1) * sizeof *m->row_ptr);
    m->col = malloc(nnz * sizeof *m->col);
    if (!m->row_ptr || !m->col) {
        matrix_clear(m);
        return fail_work(err, "not enough memory for %llu nonzeros",
                         (unsigned long long)nnz);
    }
    return 0;
}

static int check_size(uint64_t rows, uint64_t nnz, struct err *err)
{
    if (rows > MAX_ROWS)
        return fail(err, "%llu rows: expected at most %u",
                    (unsigned long long)rows, MAX_ROWS);
    if (nnz > MAX_NNZ)
        return fail(err, "%llu nonzeros: expected at most %llu",
                    (unsigned long long)nnz, (unsigned long long)MAX_NNZ);
    return 0;
}

int generate_stencil(struct matrix *m, const char *rest, struct err *err)
{
    const struct stencil *s = NULL;
    uint64_t n[3];
    uint64_t rows;

    for (size_t i = 0; i < sizeof stencils / sizeof stencils[0]; i++)
        if (!strncmp(rest, stencils[i].name, strlen(stencils[i].name)))
            s = &stencils[i];
    if (!s || !read_grid(rest + strlen(s->name), s->dims, n))
        return fail(err, "expected stencil:5pt:NXxNY, stencil:9pt:NXxNY, "
                         "stencil:7pt:NXxNYxNZ or stencil:27pt:NXxNYxNZ");
    if (__builtin_mul_overflow(n[0], n[1], &rows) ||
        __builtin_mul_overflow(rows, n[2], &rows))
        rows = UINT64_MAX;
    if (check_size(rows, 0, err) < 0 ||
        check_size(rows, stencil_nnz(s, n), err) < 0 ||
        generate_make_room(m, rows, stencil_nnz(s, n), err) < 0)
        return -1;
    fill_stencil(m, s, n);
    for (int d = 0; d < 3; d++)
        m->grid[d] = (uint32_t)n[d];
    return 0;
}

struct random_words {
    uint64_t rows, row_nnz, seed;
};

/* Reads one "key=number" of the list. Returns false if it is none, or is
 * repeated. */
static bool read_word(const char **text, struct random_words *w, bool seen[3])
{
    static const char *const keys[] = {"rows=", "row_nnz=", "seed="};
    uint64_t *const values[] = {&w->rows, &w->row_nnz, &w->seed};

    for (size_t i = 0; i < 3; i++)
        if (!strncmp(*text, keys[i], strlen(keys[i]))) {
            if (seen[i])
                return false;
            seen[i] = true;
            *text += strlen(keys[i]);
            return read_whole(text, values[i]);
        }
    return false;
}

static bool read_words(const char *text, struct random_words *w)
{
    bool seen[3] = {false};

    do {
        if (!read_word(&text, w, seen))
            return false;
    } while (*text == ',' && *++text);
    return !*text && text[-1] != ',' && seen[0] && seen[1] && w->rows > 0;
}

static void fill_random(struct matrix *m, const struct random_words *w)
{
    uint64_t state = w->seed;
    uint64_t nnz = 0;

    for (uint32_t row = 0; row < m->rows; row++) {
        m->row_ptr[row] = nnz;
        m->col[nnz++] = row;
        /* The high half times rows is uniform to one part in 2^32 / rows. */
        for (uint64_t k = 0; k < w->row_nnz; k++)
            m->col[nnz++] =
                (uint32_t)((next_random(&state) >> 32) * w->rows >> 32);
    }
    m->row_ptr[m->rows] = nnz;
    matrix_unique(m);
}

int generate_random(struct matrix *m, const char *rest, struct err *err)
{
    struct random_words w = {.seed = random_rows_workload.seed};
    uint64_t nnz;

    if (!read_words(rest, &w))
        return fail(err, "expected random:rows=N,row_nnz=K,seed=S");
    if (__builtin_add_overflow(w.row_nnz, 1, &nnz) ||
        __builtin_mul_overflow(w.rows, nnz, &nnz))
        nnz = UINT64_MAX;
    if (check_size(w.rows, nnz, err) < 0 ||
        generate_make_room(m, w.rows, nnz, err) < 0)
        return -1;
    fill_random(m, &w);
    return 0;
}

static int stencil(struct matrix *m, const char *rest, struct err *err)
{
    int result = generate_stencil(m, rest, err);

    return result < 0 ? fail_in(err, "stencil:%s", rest) : 0;
}

static int random_rows(struct matrix *m, const char *rest, struct err *err)
{
    int result = generate_random(m, rest, err);

    return result < 0 ? fail_in(err, "random:%s", rest) : 0;
}

const struct workload stencil_workload = {
    .prefix = "stencil:",
    .words = "stencil:9pt:NXxNY",
    .summary = "a grid's stencil: 5pt, 9pt; 7pt, 27pt with NXxNYxNZ",
    .help = "The product of a matrix whose rows are the points of a grid, x "
            "fastest, and whose columns\nare their neighbours.",
    .options = MATRIX_OPTIONS,
    .platform = "lassen",
    .matrix = stencil,
    .grid = true,
};

const struct workload random_rows_workload = {
    .prefix = "random:",
    .words = "random:rows=N,row_nnz=K,seed=S",
    .summary = "a matrix of K random nonzeros in each row, and the diagonal",
    .help = "Columns are drawn uniformly. seed may be left out.",
    .options = MATRIX_OPTIONS,
    .platform = "lassen",
    .matrix = random_rows,
    .draws = true,
    .seed = 1,
};
