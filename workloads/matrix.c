/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transposes matrix patterns, removes duplicates, and frees them. */
#include "workloads/matrix.h"

#include <stdlib.h>
#include <string.h>

void matrix_clear(struct matrix *m)
{
    free(m->name);
    free(m->row_ptr);
    free(m->col);
    memset(m, 0, sizeof *m);
}

void matrix_unique(struct matrix *m)
{
    /* last_row[c] is the last row that had column c, plus one. */
    uint32_t *last_row = xcalloc(m->rows, sizeof *last_row);
    uint64_t kept = 0, from = 0;

    for (uint32_t row = 0; row < m->rows; row++) {
        uint64_t to = m->row_ptr[row + 1];
        m->row_ptr[row] = kept;
        for (; from < to; from++) {
            uint32_t col = m->col[from];
            if (last_row[col] == row + 1)
                continue;
            last_row[col] = row + 1;
            m->col[kept++] = col;
        }
    }
    m->row_ptr[m->rows] = kept;
    free(last_row);
}

void matrix_transpose(struct matrix *out, const struct matrix *m)
{
    uint64_t nnz = m->row_ptr[m->rows];

    *out = (struct matrix){.rows = m->rows};
    out->row_ptr = xcalloc((size_t)m->rows + 2, sizeof *out->row_ptr);
    out->col = xcalloc(nnz, sizeof *out->col);

    /* Counts are two places up, so that after filling, [r] is the beginning of
     * r. */
    for (uint64_t k = 0; k < nnz; k++)
        out->row_ptr[(size_t)m->col[k] + 2]++;
    for (uint32_t r = 0; r < m->rows; r++)
        out->row_ptr[(size_t)r + 2] += out->row_ptr[(size_t)r + 1];
    for (uint32_t row = 0; row < m->rows; row++)
        for (uint64_t k = m->row_ptr[row]; k < m->row_ptr[row + 1]; k++)
            out->col[out->row_ptr[(size_t)m->col[k] + 1]++] = row;
}
