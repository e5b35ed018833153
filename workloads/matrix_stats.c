/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes row lengths and symmetry of a matrix pattern. */
#include "workloads/matrix.h"

#include <stdlib.h>
#include <string.h>

static bool rows_rise(const struct matrix *m)
{
    for (uint32_t row = 0; row < m->rows; row++)
        for (uint64_t k = m->row_ptr[row] + 1; k < m->row_ptr[row + 1]; k++)
            if (m->col[k] <= m->col[k - 1])
                return false;
    return true;
}

/* Compares each nonzero with its mirror image: in the order of the rows, it
 * must be the next one of its column's row. */
static bool is_symmetric_rising(const struct matrix *m)
{
    uint64_t *next = xmalloc(m->rows * sizeof *next);
    bool same = true;

    memcpy(next, m->row_ptr, m->rows * sizeof *next);
    for (uint32_t row = 0; row < m->rows && same; row++)
        for (uint64_t k = m->row_ptr[row]; k < m->row_ptr[row + 1]; k++) {
            uint32_t col = m->col[k];
            uint64_t back = next[col]++;
            if (back < m->row_ptr[(size_t)col + 1] && m->col[back] == row)
                continue;
            same = false;
            break;
        }
    free(next);
    return same;
}

/* Compares the columns of each row with those of the transpose, by marks,
 * because they are not sorted. */
static bool is_symmetric_any(const struct matrix *m)
{
    struct matrix t;
    uint32_t *marked = xcalloc(m->rows, sizeof *marked);
    bool same = true;

    matrix_transpose(&t, m);
    for (uint32_t row = 0; row < m->rows && same; row++) {
        same = m->row_ptr[row + 1] == t.row_ptr[row + 1];
        for (uint64_t k = m->row_ptr[row]; k < m->row_ptr[row + 1]; k++)
            marked[m->col[k]] = row + 1;
        for (uint64_t k = t.row_ptr[row]; k < t.row_ptr[row + 1]; k++)
            same = same && marked[t.col[k]] == row + 1;
    }
    matrix_clear(&t);
    free(marked);
    return same;
}

void matrix_stats(const struct matrix *m, struct matrix_stats *out)
{
    *out = (struct matrix_stats){
        .nnz = m->row_ptr[m->rows],
        .symmetric =
            rows_rise(m) ? is_symmetric_rising(m) : is_symmetric_any(m),
        .min_row = UINT64_MAX,
        .mean_row = (double)m->row_ptr[m->rows] / m->rows,
    };
    for (uint32_t row = 0; row < m->rows; row++) {
        uint64_t length = m->row_ptr[row + 1] - m->row_ptr[row];
        if (length < out->min_row)
            out->min_row = length;
        if (length > out->max_row)
            out->max_row = length;
        uint32_t first = UINT32_MAX, last = 0;
        for (uint64_t k = m->row_ptr[row]; k < m->row_ptr[row + 1]; k++) {
            uint32_t col = m->col[k];
            first = col < first ? col : first;
            last = col > last ? col : last;
            uint32_t off = col > row ? col - row : row - col;
            if (off > out->bandwidth)
                out->bandwidth = off;
        }
        if (length)
            out->mean_span += (double)(last - first) / m->rows;
    }
}
